package io.spillway.verify.real;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.spillway.standalone.Installation;
import io.spillway.standalone.StandaloneWorld;
import io.spillway.standalone.WorldPlan;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The packaged server whose modules for EC2 and OCI observe a third party's EC2 and a tenancy of
 * OCI on loopback, beside simulated clouds that run the clusters. Seen through its own API.
 */
final class RealMarkets implements AutoCloseable {
  private final List<AutoCloseable> open = new ArrayList<>();
  private final Ec2Proxy ec2;
  private final OciStub oci;
  private final StandaloneWorld world;

  private RealMarkets(Path program, Path data) throws Exception {
    try {
      Moto moto = opened(Moto.start(program));
      ec2 = opened(Ec2Proxy.before(moto.port()));
      oci = opened(OciStub.start());
      world = opened(StandaloneWorld.open(plan(data, moto)));
    } catch (Exception e) {
      close();
      throw e;
    }
  }

  /** Opens it, or says that the test cannot run here; both accounts were asked once. */
  static RealMarkets open(Path data) throws Exception {
    Optional<Path> program = Moto.program();
    assumeTrue(program.isPresent(), "moto is not there: VERIFY=ec2 make verify-programs");
    assumeTrue(Installation.find().built(), "the programs are not packaged, run the build first");
    RealMarkets markets = new RealMarkets(program.get(), data);
    for (String account : List.of("prod-gpu", "oci-prod")) {
      await("a round of the probe of " + account)
          .atMost(Duration.ofMinutes(1))
          .pollInterval(Duration.ofSeconds(1))
          .until(() -> markets.probe(account).path("state").asText().equals("HEALTHY"));
    }
    return markets;
  }

  private <T extends AutoCloseable> T opened(T part) {
    open.addFirst(part);
    return part;
  }

  private WorldPlan plan(Path data, Moto moto) {
    String aws = "spillway.providers.aws.accounts.";
    WorldPlan plan =
        WorldPlan.on(data)
            .withPolicies(
                Repository.root().resolve("deploy/verify/src/test/resources/ec2/policies"))
            .withReplicas(2)
            .withObservedForReal(Set.of("prod-gpu", "oci-prod"))
            .withServerProperty(aws + "prod-gpu.endpoint", ec2.uri().toString())
            .withServerProperty(aws + "prod-gpu.account-id", "210987654321")
            .withServerProperty(aws + "prod-gpu.regions", "us-east-2,us-west-2")
            .withServerProperty(aws + "prod-gpu.interval", "5s")
            .withServerProperty(aws + "prod-gpu.credentials.access-key-id", moto.accessKey())
            .withServerProperty(aws + "prod-gpu.credentials.secret-access-key", moto.secretKey())
            .withServerProperty(aws + "thief.endpoint", ec2.uri().toString())
            .withServerProperty(aws + "thief.regions", "us-east-2")
            .withServerProperty(aws + "thief.credentials.access-key-id", moto.accessKey())
            .withServerProperty(aws + "thief.credentials.secret-access-key", "guessed-0123456789");
    String tenancy = "spillway.providers.oci.accounts.oci-prod.";
    for (Map.Entry<String, String> setting : oci.settings().entrySet()) {
      plan = plan.withServerProperty(tenancy + setting.getKey(), setting.getValue());
    }
    return plan.withServerProperty(tenancy + "regions", "eu-frankfurt-1")
        .withServerProperty(tenancy + "interval", "5s");
  }

  Ec2Proxy ec2() {
    return ec2;
  }

  OciStub oci() {
    return oci;
  }

  StandaloneWorld world() {
    return world;
  }

  JsonNode get(String path) throws IOException, InterruptedException {
    return world.server(0).api().get(path).ok();
  }

  JsonNode post(String path, Object body) throws IOException, InterruptedException {
    return world.server(0).api().post(path, body, Map.of()).ok();
  }

  /** How the probe of that account fares; missing until it is known. */
  JsonNode probe(String account) throws IOException, InterruptedException {
    return probe(0, account);
  }

  /** The same as that replica tells it. */
  JsonNode probe(int replica, String account) throws IOException, InterruptedException {
    JsonNode providers = world.server(replica).api().get("/api/v1/providers").ok();
    for (JsonNode provider : providers.path("items")) {
      if (provider.path("account").asText().equals(account)
          && !provider.path("provider").asText().equals("simulated")) {
        return provider.path("probe");
      }
    }
    return MissingNode.getInstance();
  }

  /**
   * That line of the board. A round is well before all of it is told: observations are inputs like
   * others, in several rows, and what policies name is asked from the round after they are loaded.
   */
  JsonNode offering(
      String region, String zone, String type, String capacityType, String reservation) {
    return await(region + " " + zone + " " + type + " " + capacityType + " " + reservation)
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(300))
        .until(
            () -> line(region, zone, type, capacityType, reservation), item -> item.has("source"));
  }

  private JsonNode line(
      String region, String zone, String type, String capacityType, String reservation)
      throws IOException, InterruptedException {
    for (JsonNode item : get("/api/v1/offerings").path("items")) {
      if (item.path("region").asText().equals(region)
          && item.path("zone").asText().equals(zone)
          && item.path("instanceType").asText().equals(type)
          && item.path("capacityType").asText().equals(capacityType)
          && item.path("reservationId").asText().equals(reservation)) {
        return item;
      }
    }
    return MissingNode.getInstance();
  }

  /** Ends every part, also after one that could not be ended. */
  @Override
  public void close() {
    IllegalStateException failure = null;
    for (AutoCloseable part : open) {
      try {
        part.close();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (Exception e) {
        failure = new IllegalStateException(part.getClass().getSimpleName() + " did not end", e);
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
