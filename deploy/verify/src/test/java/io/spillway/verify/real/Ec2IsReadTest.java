package io.spillway.verify.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.spillway.verify.Part;
import java.nio.file.Path;
import java.time.Duration;
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

  private RealMarkets markets;

  @BeforeAll
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void moto_and_a_world_that_observes_it(@TempDir Path data) throws Exception {
    markets = RealMarkets.open(data);
  }

  @AfterAll
  void all_ends() {
    if (markets != null) {
      markets.close();
    }
  }

  @Test
  void a_constant_price_of_2006_is_quarantined_with_its_reason() throws Exception {
    JsonNode spot = markets.offering("us-east-2", "use2-az1", P5, "spot", "");

    assertThat(spot.path("priceNotUsed").path("reason").asText()).isEqualTo("PRICE_QUARANTINED");
    assertThat(spot.path("priceNotUsed").path("detail").asText())
        .contains("is outside")
        .contains("nvidia-h100-80gb");
    assertThat(spot.path("source").asText()).isEqualTo("DescribeSpotPriceHistory");
    assertThat(spot.path("gpusPerNode").asInt()).isEqualTo(8);
  }

  @Test
  void a_price_that_can_be_true_is_used_and_compared_with_the_list() throws Exception {
    JsonNode spot = markets.offering("us-west-2", "usw2-az2", P5, "spot", "");
    assertThat(spot.path("usdPerGpuHour").asDouble()).isEqualTo(2.24);
    assertThat(spot.path("onDemandUsdPerGpuHour").asDouble()).isEqualTo(6.88);
    assertThat(spot.has("priceNotUsed")).isFalse();

    JsonNode onDemand = markets.offering("us-east-2", "use2-az2", P5, "on-demand", "");
    assertThat(onDemand.path("usdPerGpuHour").asDouble()).isEqualTo(6.88);
    assertThat(onDemand.path("trust").asText()).isEqualTo("LISTED");
  }

  @Test
  void reservations_of_both_pages_are_seen_with_what_is_free_and_their_end() throws Exception {
    JsonNode pool =
        markets.offering("us-east-2", "use2-az1", P5, "reserved", "cr-0123456789abcdef0");
    assertThat(pool.path("pool").asText()).isEqualTo("ec2-p5-reserved");
    assertThat(pool.path("availability").asText()).isEqualTo("AVAILABLE");
    assertThat(pool.path("source").asText()).contains("3 of 4 free");

    JsonNode block =
        markets.offering("us-east-2", "use2-az2", P5, "reserved", "cr-0block00000000001");
    assertThat(block.path("launchable").asBoolean()).isFalse();
    assertThat(block.has("usdPerGpuHour")).isFalse();
    assertThat(block.path("source").asText()).contains("ends 2099-01-01T11:30:00Z");

    JsonNode sold =
        markets.offering("us-east-2", "use2-az2", P5, "reserved", "capacity-block-for-sale");
    assertThat(sold.path("usdPerGpuHour").asDouble()).isEqualTo(5.16);
  }

  @Test
  void shapes_and_zones_are_those_that_moto_recorded_of_the_real_ec2() throws Exception {
    assertThat(
            markets
                .offering("us-east-2", "use2-az3", "p6-b200.48xlarge", "on-demand", "")
                .path("gpu"))
        .hasToString("\"nvidia-b200-180gb\"");
    assertThat(
            markets.offering("us-west-2", "usw2-az3", "p5e.48xlarge", "on-demand", "").path("gpu"))
        .hasToString("\"nvidia-h200-141gb\"");
    assertThat(
            markets
                .offering("us-east-2", "use2-az1", "p4d.24xlarge", "on-demand", "")
                .path("trust"))
        .as("moto's regions know no list price; the shipped one is shown as such")
        .hasToString("\"FALLBACK\"");
  }

  @Test
  void a_stolen_key_id_without_its_secret_opens_nothing_and_slows_nobody() throws Exception {
    await("the thief's round")
        .atMost(Duration.ofMinutes(1))
        .until(() -> markets.probe("thief").path("state").asText().equals("FAILING"));

    assertThat(markets.probe("thief").toString()).contains("AuthFailure").doesNotContain("guessed");
    assertThat(markets.probe("prod-gpu").path("state").asText()).isEqualTo("HEALTHY");
  }

  /** Probes run on the leader only; without its word the other would show accounts that wait. */
  @Test
  void a_replica_that_does_not_lead_shows_how_the_leaders_probes_fare() throws Exception {
    for (int replica = 0; replica < 2; replica++) {
      JsonNode probe = markets.probe(replica, "prod-gpu");
      assertThat(probe.path("state").asText()).as(probe.toString()).isEqualTo("HEALTHY");
      assertThat(probe.has("nextRun")).as(probe.toString()).isTrue();
      assertThat(probe.path("lastObservations").asInt()).isPositive();
    }
  }

  @Test
  void only_questions_were_asked_and_moto_found_their_signatures_right() {
    assertThat(markets.ec2().asked())
        .allMatch(call -> call.startsWith("Describe") || call.startsWith("GetProducts"))
        .contains(
            "DescribeSpotPriceHistory us-east-2 moto 200",
            "DescribeInstanceTypes us-west-2 moto 200",
            "DescribeInstanceTypeOfferings us-east-2 moto 200",
            "DescribeAvailabilityZones us-east-2 moto 200")
        .noneMatch(call -> call.endsWith("moto 500"));
  }
}
