package io.spillway.verify.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.spillway.standalone.Installation;
import io.spillway.standalone.StandaloneWorld;
import io.spillway.standalone.WorldPlan;
import io.spillway.verify.Part;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The packaged server observes a third party's EC2, seen through its own API. */
@Tag("real")
@Part("ec2")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class Ec2IsReadTest {
  private static final String P5 = "p5.48xlarge";

  private final List<AutoCloseable> open = new ArrayList<>();
  private Ec2Proxy proxy;
  private StandaloneWorld world;

  @BeforeAll
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void moto_and_a_world_that_observes_it(@TempDir Path data) throws Exception {
    Optional<Path> program = Moto.program();
    assumeTrue(program.isPresent(), "moto is not there: VERIFY=ec2 make verify-programs");
    assumeTrue(Installation.find().built(), "the programs are not packaged, run the build first");
    Moto moto = Moto.start(program.get());
    open.addFirst(moto);
    proxy = Ec2Proxy.before(moto.port());
    open.addFirst(proxy);
    world = StandaloneWorld.open(plan(data, moto));
    open.addFirst(world);
    await("a round of the probe")
        .atMost(Duration.ofMinutes(1))
        .pollInterval(Duration.ofSeconds(1))
        .until(() -> probe("prod-gpu").path("state").asText().equals("HEALTHY"));
  }

  private WorldPlan plan(Path data, Moto moto) {
    String account = "spillway.providers.aws.accounts.prod-gpu.";
    String thief = "spillway.providers.aws.accounts.thief.";
    return WorldPlan.on(data)
        .withPolicies(Repository.root().resolve("deploy/verify/src/test/resources/ec2/policies"))
        .withObservedForReal(Set.of("prod-gpu"))
        .withServerProperty(account + "endpoint", proxy.uri().toString())
        .withServerProperty(account + "account-id", "210987654321")
        .withServerProperty(account + "regions", "us-east-2,us-west-2")
        .withServerProperty(account + "interval", "5s")
        .withServerProperty(account + "credentials.access-key-id", moto.accessKey())
        .withServerProperty(account + "credentials.secret-access-key", moto.secretKey())
        .withServerProperty(thief + "endpoint", proxy.uri().toString())
        .withServerProperty(thief + "regions", "us-east-2")
        .withServerProperty(thief + "credentials.access-key-id", moto.accessKey())
        .withServerProperty(thief + "credentials.secret-access-key", "guessed-0123456789");
  }

  @AfterAll
  void all_ends() throws Exception {
    for (AutoCloseable part : open) {
      part.close();
    }
  }

  @Test
  void a_constant_price_of_2006_is_quarantined_with_its_reason() throws Exception {
    JsonNode spot = offering("us-east-2", "use2-az1", P5, "spot", "");

    assertThat(spot.path("priceNotUsed").path("reason").asText()).isEqualTo("PRICE_QUARANTINED");
    assertThat(spot.path("priceNotUsed").path("detail").asText())
        .contains("is outside")
        .contains("nvidia-h100-80gb");
    assertThat(spot.path("source").asText()).isEqualTo("DescribeSpotPriceHistory");
    assertThat(spot.path("gpusPerNode").asInt()).isEqualTo(8);
  }

  @Test
  void a_price_that_can_be_true_is_used_and_compared_with_the_list() throws Exception {
    JsonNode spot = offering("us-west-2", "usw2-az2", P5, "spot", "");
    assertThat(spot.path("usdPerGpuHour").asDouble()).isEqualTo(2.24);
    assertThat(spot.path("onDemandUsdPerGpuHour").asDouble()).isEqualTo(6.88);
    assertThat(spot.has("priceNotUsed")).isFalse();

    JsonNode onDemand = offering("us-east-2", "use2-az2", P5, "on-demand", "");
    assertThat(onDemand.path("usdPerGpuHour").asDouble()).isEqualTo(6.88);
    assertThat(onDemand.path("trust").asText()).isEqualTo("LISTED");
  }

  @Test
  void reservations_of_both_pages_are_seen_with_what_is_free_and_their_end() throws Exception {
    JsonNode pool = offering("us-east-2", "use2-az1", P5, "reserved", "cr-0123456789abcdef0");
    assertThat(pool.path("pool").asText()).isEqualTo("ec2-p5-reserved");
    assertThat(pool.path("availability").asText()).isEqualTo("AVAILABLE");
    assertThat(pool.path("source").asText()).contains("3 of 4 free");

    JsonNode block = offering("us-east-2", "use2-az2", P5, "reserved", "cr-0block00000000001");
    assertThat(block.path("launchable").asBoolean()).isFalse();
    assertThat(block.has("usdPerGpuHour")).isFalse();
    assertThat(block.path("source").asText()).contains("ends 2099-01-01T11:30:00Z");

    JsonNode sold = offering("us-east-2", "use2-az2", P5, "reserved", "capacity-block-for-sale");
    assertThat(sold.path("usdPerGpuHour").asDouble()).isEqualTo(5.16);
  }

  @Test
  void shapes_and_zones_are_those_that_moto_recorded_of_the_real_ec2() throws Exception {
    assertThat(offering("us-east-2", "use2-az3", "p6-b200.48xlarge", "on-demand", "").path("gpu"))
        .hasToString("\"nvidia-b200-180gb\"");
    assertThat(offering("us-west-2", "usw2-az3", "p5e.48xlarge", "on-demand", "").path("gpu"))
        .hasToString("\"nvidia-h200-141gb\"");
    assertThat(offering("us-east-2", "use2-az1", "p4d.24xlarge", "on-demand", "").path("trust"))
        .as("moto's regions know no list price; the shipped one is shown as such")
        .hasToString("\"FALLBACK\"");
  }

  @Test
  void a_stolen_key_id_without_its_secret_opens_nothing_and_slows_nobody() throws Exception {
    await("the thief's round")
        .atMost(Duration.ofMinutes(1))
        .until(() -> probe("thief").path("state").asText().equals("FAILING"));

    assertThat(probe("thief").toString()).contains("AuthFailure").doesNotContain("guessed");
    assertThat(probe("prod-gpu").path("state").asText()).isEqualTo("HEALTHY");
  }

  @Test
  void only_questions_were_asked_and_moto_found_their_signatures_right() {
    assertThat(proxy.asked())
        .allMatch(call -> call.startsWith("Describe") || call.startsWith("GetProducts"))
        .contains(
            "DescribeSpotPriceHistory us-east-2 moto 200",
            "DescribeInstanceTypes us-west-2 moto 200",
            "DescribeInstanceTypeOfferings us-east-2 moto 200",
            "DescribeAvailabilityZones us-east-2 moto 200")
        .noneMatch(call -> call.endsWith("moto 500"));
  }

  @Test
  @Timeout(value = 3, unit = TimeUnit.MINUTES)
  void a_job_leaves_exhausted_spot_in_one_decision_and_lands_on_bare_metal() throws Exception {
    world
        .clouds()
        .control()
        .post("/refuse?provider=aws&capacityType=spot&kind=no-capacity&mode=at-once&times=100")
        .ok();
    String job = submit();

    await("the job runs")
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofMillis(200))
        .until(() -> get("/api/v1/jobs/" + job).path("state").asText().equals("RUNNING"));

    JsonNode attempts = get("/api/v1/jobs/" + job + "/attempts").path("items");
    assertThat(attempts).as("attempts: " + attempts).hasSize(2);
    assertThat(attempts.toString())
        .contains("eks-oregon~usw2-az2~p5.48xlarge~spot")
        .contains("oci-h100-baremetal");
    JsonNode explained = get("/api/v1/jobs/" + job + "/explain");
    JsonNode spot = candidate(explained, "eks-oregon~usw2-az2~p5.48xlarge~spot");
    assertThat(spot.path("refusal").asText()).as(explained.toString()).isEqualTo("BLOCKED");
    assertThat(spot.path("detail").asText()).contains("NO_CAPACITY");
    assertThat(Instant.parse(spot.path("until").asText())).isAfter(Instant.now());
    assertThat(nextCandidate(explained)).contains("oci-h100-baremetal");
  }

  private String submit() throws IOException, InterruptedException {
    Map<String, Object> job = new LinkedHashMap<>();
    job.put("name", "train");
    job.put("queue", "research");
    job.put("image", "registry.example/train:1");
    job.put("env", Map.of("SIM_RUN_SECONDS", "90"));
    job.put("resources", Map.of("nodes", 1, "gpusPerNode", 8, "gpu", List.of("nvidia-h100-80gb")));
    return world
        .server(0)
        .api()
        .post("/api/v1/jobs", job, Map.of("Idempotency-Key", "train"))
        .ok()
        .path("id")
        .asText();
  }

  private static JsonNode candidate(JsonNode explained, String offering) {
    for (JsonNode candidate : explained.path("candidates")) {
      if (candidate.path("offering").asText().equals(offering)) {
        return candidate;
      }
    }
    return MissingNode.getInstance();
  }

  private static String nextCandidate(JsonNode explained) {
    for (JsonNode candidate : explained.path("candidates")) {
      if (candidate.path("rank").asInt() == 1) {
        return candidate.path("offering").asText();
      }
    }
    return "none: " + explained;
  }

  private JsonNode get(String path) throws IOException, InterruptedException {
    return world.server(0).api().get(path).ok();
  }

  private JsonNode probe(String account) throws IOException, InterruptedException {
    for (JsonNode provider : world.server(0).api().get("/api/v1/providers").ok().path("items")) {
      if (provider.path("account").asText().equals(account)
          && provider.path("provider").asText().equals("aws")) {
        return provider.path("probe");
      }
    }
    return MissingNode.getInstance();
  }

  /**
   * That line of the board. A round is well before all of it is told: observations are inputs like
   * others, in several rows, and what policies name is asked from the round after they are loaded.
   */
  private JsonNode offering(
      String region, String zone, String type, String capacityType, String reservation) {
    return await(region + " " + zone + " " + type + " " + capacityType + " " + reservation)
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(300))
        .until(
            () -> line(region, zone, type, capacityType, reservation),
            item -> !item.isMissingNode());
  }

  private JsonNode line(
      String region, String zone, String type, String capacityType, String reservation)
      throws IOException, InterruptedException {
    for (JsonNode item : world.server(0).api().get("/api/v1/offerings").ok().path("items")) {
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
}
