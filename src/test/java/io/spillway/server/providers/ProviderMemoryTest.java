package io.spillway.server.providers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.spillway.capacity.spi.CapacityProvider;
import io.spillway.capacity.spi.EventNormalizer.Failures;
import io.spillway.scheduler.model.CapacityFailure;
import io.spillway.server.loop.StateReader;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Two replicas, with the modules of this build each, beside one store. */
@QuarkusTest
class ProviderMemoryTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @Inject Pool pool;
  @Inject StateReader state;

  private final String account = "prod-" + UUID.randomUUID();
  private final Providers leader = replica();
  private final Providers standby = replica();

  @Test
  void a_refusal_read_where_no_probe_runs_blocks_the_zone_that_the_leaders_probe_knows() {
    assertThat(zoneBlocked(standby)).as("a name, which covers no offering").isEqualTo("us-east-1a");
    module(leader).learn(account, Map.of("us-east-1a", "use1-az1"));
    ProviderMemory there = new ProviderMemory(standby, state, pool);

    new ProviderMemory(leader, state, pool).keep(leader.accounts().getFirst());

    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              there.recall();
              assertThat(zoneBlocked(standby)).isEqualTo("use1-az1");
            });
  }

  @Test
  void what_is_kept_survives_the_leader_and_is_replaced_by_what_is_learnt_anew() {
    ProviderMemory memory = new ProviderMemory(leader, state, pool);
    module(leader).learn(account, Map.of("us-east-1a", "use1-az1", "us-east-1b", "use1-az2"));
    memory.keep(leader.accounts().getFirst());
    recalls(Map.of("us-east-1a", "use1-az1", "us-east-1b", "use1-az2"));

    module(leader).learn(account, Map.of("us-east-1a", "use1-az6"));
    memory.keep(leader.accounts().getFirst());

    recalls(Map.of("us-east-1a", "use1-az6", "us-east-1b", "use1-az2"));
  }

  /** A replica that has just started. */
  private void recalls(Map<String, String> zones) {
    Providers next = replica();
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              new ProviderMemory(next, state, pool).recall();
              assertThat(module(next).learnt(account)).isEqualTo(zones);
            });
  }

  private String zoneBlocked(Providers replica) {
    String event =
        """
        {"version": "0", "id": "e-1", "detail-type": "AWS API Call via CloudTrail", "source": "aws.ec2",
         "account": "210987654321", "time": "2026-11-30T08:15:42Z", "region": "us-east-1",
         "detail": {"eventName": "RunInstances", "errorCode": "Server.InsufficientInstanceCapacity",
           "errorMessage": "no capacity", "requestParameters": {"instanceType": "p5.48xlarge",
             "placement": {"availabilityZone": "us-east-1a"}}}}
        """;
    CapacityFailure failure =
        ((Failures)
                module(replica)
                    .normalizer()
                    .normalize(event, replica, Instant.parse("2026-11-30T08:16:00Z")))
            .failures()
            .getFirst();
    assertThat(failure.scope().account()).isEqualTo(account);
    return failure.scope().zone().orElseThrow();
  }

  private static CapacityProvider module(Providers replica) {
    return replica.provider("aws").orElseThrow();
  }

  private Providers replica() {
    String prefix = "spillway.providers.aws.accounts." + account;
    ProvidersConfig config =
        new SmallRyeConfigBuilder()
            .withMapping(ProvidersConfig.class)
            .withSources(
                new PropertiesConfigSource(
                    Map.of(
                        prefix + ".account-id", "210987654321",
                        prefix + ".regions", "us-east-1",
                        prefix + ".credentials.access-key-id", "AKIDEXAMPLE",
                        prefix + ".credentials.secret-access-key", "made-up"),
                    "test",
                    100))
            .build()
            .getConfigMapping(ProvidersConfig.class);
    return new Providers(config, Providers.installed());
  }
}
