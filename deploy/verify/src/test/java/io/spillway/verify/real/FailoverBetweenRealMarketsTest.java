package io.spillway.verify.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.spillway.verify.Part;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** From exhausted EC2 spot to bare metal that is reserved at OCI, as the real modules see both. */
@Tag("real")
@Part("ec2")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class FailoverBetweenRealMarketsTest {
  private static final String SPOT = "eks-oregon~usw2-az2~p5.48xlarge~spot";
  private static final String BARE_METAL = "oci-h100-baremetal";
  private static final String SHAPE = "BM.GPU.H100.8";
  private static final String RESERVATION = "ocid1.capacityreservation.oc1.eu-frankfurt-1.example";

  private RealMarkets markets;

  @BeforeAll
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void markets_that_are_observed(@TempDir Path data) throws Exception {
    markets = RealMarkets.open(data);
    assertThat(markets.offering("us-west-2", "usw2-az2", "p5.48xlarge", "spot", "").has("block"))
        .isFalse();
  }

  @AfterAll
  void all_ends() {
    if (markets != null) {
      markets.close();
    }
  }

  @Test
  void bare_metal_is_reserved_and_free_although_the_market_has_none() {
    JsonNode market =
        markets.offering("eu-frankfurt-1", "EU-FRANKFURT-1-AD-1", SHAPE, "on-demand", "");
    assertThat(market.path("availability").asText()).isEqualTo("UNAVAILABLE");
    assertThat(market.path("source").asText()).isEqualTo("capacity report: full");
    assertThat(market.path("usdPerGpuHour").asDouble()).isEqualTo(10.0);

    JsonNode pool =
        markets.offering("eu-frankfurt-1", "EU-FRANKFURT-1-AD-1", SHAPE, "reserved", RESERVATION);
    assertThat(pool.path("pool").asText()).isEqualTo(BARE_METAL);
    assertThat(pool.path("availability").asText()).isEqualTo("AVAILABLE");
    assertThat(pool.path("source").asText()).isEqualTo("capacity reservation");
  }

  @Test
  void only_questions_were_asked_of_oci_and_each_was_signed() {
    assertThat(markets.oci().asked())
        .allMatch(call -> call.endsWith(" 200"))
        .contains(
            "POST /20160918/computeCapacityReports 200",
            "GET /20160918/computeCapacityReservations/" + RESERVATION + " 200",
            "GET /20190729/services/compute/limits/gpu-h100-count/resourceAvailability 200",
            "GET /20160918/availabilityDomains 200")
        .noneMatch(call -> call.contains("/instances"));
  }

  @Test
  void a_job_leaves_exhausted_spot_in_one_decision_and_lands_on_bare_metal() throws Exception {
    forgetTheBlock();
    markets
        .world()
        .clouds()
        .control()
        .post("/refuse?provider=aws&capacityType=spot&kind=no-capacity&mode=at-once&times=1")
        .ok();
    String job = submitted("met-by-an-agent");

    JsonNode attempts = markets.get("/api/v1/jobs/" + job + "/attempts").path("items");
    assertThat(attempts).as("attempts: " + attempts).hasSize(2);
    assertThat(attempts.toString()).contains(SPOT).contains(BARE_METAL);
    explainsTheBlock(job);
  }

  @Test
  void a_job_does_not_even_try_where_cloudtrail_tells_of_a_refusal() throws Exception {
    forgetTheBlock();
    Instant told = Instant.now();
    markets.post("/api/v1/events", runInstancesRefused(told));
    await("the block")
        .atMost(Duration.ofSeconds(20))
        .until(() -> spot().path("block").path("reason").asText().contains("Insufficient"));
    assertThat(spot().path("block").path("scope").asText())
        .as("the zone by its id, which the probe learnt, and the account by its name")
        .isEqualTo("aws/prod-gpu/us-west-2/usw2-az2/p5.48xlarge/spot");

    String job = submitted("told-by-cloudtrail");

    JsonNode attempts = markets.get("/api/v1/jobs/" + job + "/attempts").path("items");
    assertThat(attempts).as("attempts: " + attempts).hasSize(1);
    assertThat(attempts.toString()).contains(BARE_METAL);
    explainsTheBlock(job);
  }

  /** Tests share the world in any order; what one learnt is nothing to the other. */
  private void forgetTheBlock() throws IOException, InterruptedException {
    markets.world().server(0).api().post("/api/v1/offerings/" + SPOT + ":unblock");
    await("no block").atMost(Duration.ofSeconds(20)).until(() -> !spot().has("block"));
  }

  private JsonNode spot() {
    return markets.offering("us-west-2", "usw2-az2", "p5.48xlarge", "spot", "");
  }

  private void explainsTheBlock(String job) throws IOException, InterruptedException {
    JsonNode explained = markets.get("/api/v1/jobs/" + job + "/explain");
    JsonNode refused = candidate(explained, SPOT);
    assertThat(refused.path("refusal").asText()).as(explained.toString()).isEqualTo("BLOCKED");
    assertThat(refused.path("detail").asText())
        .contains("NO_CAPACITY")
        .contains("InsufficientInstanceCapacity");
    assertThat(Instant.parse(refused.path("until").asText())).isAfter(Instant.now());
    assertThat(nextCandidate(explained)).contains(BARE_METAL);
  }

  /** As CloudTrail carries it through EventBridge, minutes late in life and at once here. */
  private static Map<String, Object> runInstancesRefused(Instant at) {
    Map<String, Object> event = new LinkedHashMap<>();
    event.put("version", "0");
    event.put("id", "6a7e8feb-b491-4cf7-a9f1-bf3703467718");
    event.put("detail-type", "AWS API Call via CloudTrail");
    event.put("source", "aws.ec2");
    event.put("account", "210987654321");
    event.put("time", at.toString());
    event.put("region", "us-west-2");
    event.put("resources", List.of());
    event.put(
        "detail",
        Map.of(
            "eventSource",
            "ec2.amazonaws.com",
            "eventName",
            "RunInstances",
            "errorCode",
            "Server.InsufficientInstanceCapacity",
            "errorMessage",
            "We currently do not have sufficient p5.48xlarge capacity in the Availability Zone you"
                + " requested (us-west-2a).",
            "requestParameters",
            Map.of(
                "instanceType",
                "p5.48xlarge",
                "placement",
                Map.of("availabilityZone", "us-west-2a"),
                "instanceMarketOptions",
                Map.of("marketType", "spot"))));
    return event;
  }

  /** A job's id, when it runs. */
  private String submitted(String name) throws IOException, InterruptedException {
    Map<String, Object> job = new LinkedHashMap<>();
    job.put("name", name);
    job.put("queue", "research");
    job.put("image", "registry.example/train:1");
    job.put("env", Map.of("SIM_RUN_SECONDS", "90"));
    job.put("resources", Map.of("nodes", 1, "gpusPerNode", 8, "gpu", List.of("nvidia-h100-80gb")));
    String id =
        markets
            .world()
            .server(0)
            .api()
            .post("/api/v1/jobs", job, Map.of("Idempotency-Key", name))
            .ok()
            .path("id")
            .asText();
    await(name + " runs")
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofMillis(200))
        .until(() -> markets.get("/api/v1/jobs/" + id).path("state").asText().equals("RUNNING"));
    return id;
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
}
