package io.spillway.capacity.simulated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.spillway.capacity.simulated.agent.ClusterSpec;
import io.spillway.capacity.simulated.cloud.Account;
import io.spillway.capacity.simulated.cloud.Behaviour;
import io.spillway.capacity.simulated.cloud.Injections;
import io.spillway.capacity.simulated.control.ControlServer;
import io.spillway.capacity.simulated.market.MarketSettings;
import io.spillway.capacity.simulated.time.RealTimeline;
import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.capacity.spi.ProbeException;
import io.spillway.protocol.v1.AgentMessage;
import io.spillway.protocol.v1.Phase;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.market.Observation.Availability;
import io.spillway.scheduler.model.FailureClass;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The parts together in real time, against a recorded control plane. */
class CloudsTest {
  private static final String ATTEMPT = "01JDZ0000000000000000000AA-1";

  @TempDir Path directory;

  private final RealTimeline timeline = new RealTimeline();
  private RecordingGateway gateway;
  private Clouds clouds;
  private ControlServer control;

  @BeforeEach
  void open() throws IOException {
    gateway = new RecordingGateway();
    clouds =
        new Clouds(
            timeline,
            new CloudsSettings(
                directory,
                0,
                "",
                List.of(gateway.address()),
                true,
                MarketSettings.calm(1),
                Behaviour.LOAD,
                Optional.empty()),
            (topic, key, json) -> {});
    control = new ControlServer(clouds, 0);
    timeline.ask(() -> join(spec())).join();
    await().until(gateway::connected);
  }

  @AfterEach
  void close() {
    control.close();
    clouds.close();
    timeline.close();
    gateway.close();
  }

  private boolean join(ClusterSpec spec) {
    clouds.join(spec, "secret");
    return true;
  }

  static ClusterSpec spec() {
    return new ClusterSpec(
        "eks-ohio",
        new Account("aws-demo", "aws", "210987654321"),
        "us-east-2",
        List.of(),
        List.of(
            new ClusterSpec.PoolSpec(
                "reserved", "p5.48xlarge", "use2-az1", "reserved", 8, "efa", "r")));
  }

  @Test
  void an_agent_says_who_it_is_and_what_it_has() {
    await().until(() -> gateway.messages.stream().anyMatch(AgentMessage::hasNodes));
    assertThat(gateway.hellos.getFirst().getCluster()).isEqualTo("eks-ohio");
    assertThat(gateway.hellos.getFirst().getToken()).isEqualTo("secret");
    assertThat(gateway.hellos.getFirst().getAgentEpoch()).isEqualTo(1);
    assertThat(
            gateway.messages.stream()
                .filter(AgentMessage::hasNodes)
                .findFirst()
                .orElseThrow()
                .getNodes()
                .getNodesList())
        .hasSize(8)
        .allMatch(node -> node.getReady() && node.getProviderId().startsWith("i-0"));
  }

  @Test
  void what_was_not_acknowledged_is_sent_again_with_its_number_on_the_next_stream() {
    gateway.acking(false);
    gateway.start(ATTEMPT, "0.1");
    await().until(() -> gateway.reports(ATTEMPT).size() == 3);
    List<Long> numbers = numbers();
    gateway.messages.clear();
    gateway.acking(true);
    gateway.drop();
    await().until(() -> gateway.reports(ATTEMPT).size() == 3);
    assertThat(numbers()).isEqualTo(numbers);
    assertThat(gateway.hellos.getLast().getStoreGeneration()).isEqualTo("store-1");
    assertThat(gateway.hellos.getLast().getStoreHead()).isEqualTo(1);
    await()
        .until(
            () ->
                timeline
                        .ask(() -> clouds.clusters().iterator().next().status())
                        .join()
                        .unacknowledged()
                    == 0);
  }

  private List<Long> numbers() {
    return gateway.messages.stream()
        .filter(AgentMessage::hasAttempt)
        .map(AgentMessage::getSeq)
        .toList();
  }

  @Test
  void a_partitioned_agent_lets_its_workload_run_on_and_tells_its_end_later() {
    gateway.start(ATTEMPT, "0.3");
    await().until(() -> gateway.reports(ATTEMPT).size() == 2);
    timeline
        .ask(
            () -> {
              clouds.cluster("eks-ohio").orElseThrow().partition(Duration.ofMillis(800));
              return true;
            })
        .join();
    await().until(() -> gateway.hellos.size() == 2);
    await().until(() -> gateway.reports(ATTEMPT).size() == 3);
    assertThat(gateway.reports(ATTEMPT).getLast().getPhase()).isEqualTo(Phase.PHASE_ENDED);
    assertThat(gateway.reports(ATTEMPT).getLast().getRanForMs()).isBetween(290L, 5_000L);
  }

  @Test
  void a_thousand_starts_end_within_seconds() {
    for (int round = 0; round < 20; round++) {
      for (int i = 0; i < 50; i++) {
        gateway.start(String.format("01JDZ0000000000000000%05d-1", round * 50 + i), "0.05");
      }
      int ended = (round + 1) * 50;
      await()
          .atMost(Duration.ofMinutes(1))
          .until(
              () ->
                  gateway.messages.stream()
                          .filter(m -> m.getAttempt().getPhase() == Phase.PHASE_ENDED)
                          .map(m -> m.getAttempt().getAttempt())
                          .distinct() // an end may be told twice
                          .count()
                      == ended);
    }
  }

  @Test
  void the_probe_sees_the_market_of_the_provider_that_its_account_plays() {
    CapacityProbe.Result result =
        probe().observe(Set.of(), Instant.now()).toCompletableFuture().join();
    assertThat(result.observations())
        .isNotEmpty()
        .allMatch(o -> o.key().provider().equals("aws") && o.key().account().equals("aws-demo"));
    Observation ohio =
        result.observations().stream()
            .filter(o -> o.key().text().equals("aws/aws-demo/us-east-2/use2-az1/p5.48xlarge/spot"))
            .findFirst()
            .orElseThrow();
    assertThat(ohio.availability()).isEqualTo(Availability.AVAILABLE);
    assertThat(ohio.price().orElseThrow().dollars()).isEqualByComparingTo("2.1619");
    assertThat(ohio.onDemandPrice().orElseThrow().dollars()).isEqualByComparingTo("6.88");
  }

  @Test
  void a_throttled_api_tells_the_probe_when_to_come_again() {
    timeline
        .ask(
            () -> {
              clouds
                  .cloud()
                  .injections()
                  .outage("aws-demo", Injections.OutageKind.THROTTLED, Duration.ofMinutes(1));
              return true;
            })
        .join();
    assertThatThrownBy(() -> probe().observe(Set.of(), Instant.now()).toCompletableFuture().join())
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOfSatisfying(
            ProbeException.class,
            failure -> {
              assertThat(failure.failureClass()).isEqualTo(FailureClass.THROTTLED);
              assertThat(failure.retryAfter()).contains(Duration.ofSeconds(5));
            });
  }

  @Test
  void an_account_without_an_endpoint_or_a_part_to_play_is_refused_by_name() {
    AccountSettings nothing =
        new AccountSettings(
            "demo",
            Optional.empty(),
            List.of(),
            Duration.ofSeconds(10),
            BigDecimal.ONE,
            Optional.empty(),
            Map.of("provider", "aws"));
    assertThatThrownBy(() -> new SimulatedProvider().probe(nothing))
        .hasMessageContaining("endpoint");
  }

  private CapacityProbe probe() {
    return new SimulatedProvider()
        .probe(
            new AccountSettings(
                "aws-demo",
                Optional.empty(),
                List.of(),
                Duration.ofSeconds(10),
                BigDecimal.ONE,
                Optional.of(URI.create("http://127.0.0.1:" + control.port())),
                Map.of("provider", "aws")));
  }
}
