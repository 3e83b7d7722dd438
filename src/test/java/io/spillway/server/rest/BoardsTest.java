package io.spillway.server.rest;

import static io.spillway.server.rest.Calls.as;
import static io.spillway.server.rest.Calls.freshQueue;
import static io.spillway.server.rest.Calls.problem;
import static io.spillway.server.rest.Calls.submitted;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.startsWith;

import io.quarkus.test.junit.QuarkusTest;
import io.spillway.scheduler.input.Lane;
import io.spillway.scheduler.input.MarketInput.ObservationChanged;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.NodeShape;
import io.spillway.scheduler.model.Trust;
import io.spillway.scheduler.model.UsdPerGpuHour;
import io.spillway.server.inbox.Inbox;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

@QuarkusTest
class BoardsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @Inject Inbox inbox;

  @Test
  void a_queues_board_shows_depth_limits_and_ladder() {
    String queue = freshQueue("  limits: {maxPending: 77}");
    submitted(queue);
    submitted(queue);
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                as("red")
                    .get("/api/v1/queues/" + queue)
                    .then()
                    .statusCode(200)
                    .body("name", equalTo(queue))
                    .body("jobs.QUEUED", is(2))
                    .body("paused", is(false))
                    .body("oldestWaiting", notNullValue())
                    .body("maxPending", is(77))
                    .body("ladder[0].name", equalTo("spot"))
                    .body("usage.gpus", is(0)));
    as("viewer").get("/api/v1/queues").then().body("items.name", hasItem(queue));
    as("red").get("/api/v1/queues").then().body("items.name", everyItem(startsWith("red-")));
    as("blue").get("/api/v1/queues/" + queue).then().spec(problem(403, "queue-not-yours"));
    as("viewer").get("/api/v1/queues/no-such-queue").then().spec(problem(404, "not-found"));
    as("viewer").get("/api/v1/queues/No_Label").then().spec(problem(404, "not-found"));
  }

  @Test
  void the_market_board_shows_prices_with_age_and_what_cannot_be_launched() {
    freshQueue();
    observe("us-east-2", "use2-az1", "p5.48xlarge", 2_410_000);
    observe("us-east-2", "use2-az3", "p4d.24xlarge", 1_310_000);
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                as("viewer")
                    .get("/api/v1/offerings")
                    .then()
                    .statusCode(200)
                    .rootPath("items.find { it.id == '" + TestPolicies.OFFERING + "' }")
                    .body("launchable", is(true))
                    .body("gpu", equalTo("nvidia-h100-80gb"))
                    .body("usdPerGpuHour.toString()", equalTo("2.41"))
                    .body("trust", equalTo("OFFERED"))
                    .body("priceAgeSeconds", notNullValue())
                    .body("maxNodes", is(32))
                    .noRootPath()
                    .rootPath("items.find { it.instanceType == 'p4d.24xlarge' }")
                    .body("launchable", is(false))
                    .body("notLaunchable.use", startsWith("add p4d.24xlarge")));
    as("viewer")
        .get("/api/v1/providers")
        .then()
        .statusCode(200)
        .rootPath("items.find { it.account == 'test-account' }")
        .body("provider", equalTo("aws"))
        .body("module", is(true))
        .body("clusters", hasItem(TestPolicies.CLUSTER));
  }

  @Test
  void pools_nodes_and_clusters_are_shown() {
    freshQueue();
    as("viewer")
        .get("/api/v1/pools")
        .then()
        .statusCode(200)
        .rootPath("items.find { it.name == 'test-reserved' }")
        .body("nodes", is(4))
        .body("accounting", equalTo("Sunk"))
        .body("usedNodes", is(0));
    as("viewer").get("/api/v1/nodes").then().statusCode(200).body("items", notNullValue());
    as("viewer")
        .get("/api/v1/clusters")
        .then()
        .statusCode(200)
        .body("items.name", hasItem(TestPolicies.CLUSTER));
  }

  @Test
  void gpu_models_come_with_memory_form_and_aliases() {
    as("red")
        .get("/api/v1/gpus")
        .then()
        .statusCode(200)
        .rootPath("items.find { it.name == 'nvidia-h100-80gb' }")
        .body("memoryGb", is(80))
        .body("form", equalTo("sxm"))
        .body("aliases", notNullValue());
  }

  @Test
  void the_version_names_the_build_and_the_policies_in_force() {
    freshQueue();
    String version = as("admin").get("/api/v1/policies").then().extract().path("version");
    as("viewer")
        .get("/api/v1/version")
        .then()
        .statusCode(200)
        .body("version", notNullValue())
        .body("policyVersion", equalTo(version))
        .body("leading", is(true))
        .body("drift", is(0));
  }

  private void observe(String region, String zone, String type, long micros) {
    Instant now = Instant.now();
    MarketKey key =
        new MarketKey(
            "aws", "test-account", region, zone, type, CapacityType.SPOT, Optional.empty());
    GpuModel gpu = new GpuModel(type.startsWith("p5") ? "nvidia-h100-80gb" : "nvidia-a100-40gb");
    Observation seen =
        new Observation(
            key,
            new NodeShape(gpu, 8, 192, 2048),
            Optional.of(new UsdPerGpuHour(micros)),
            Optional.of(new UsdPerGpuHour(6_880_000)),
            Observation.Availability.AVAILABLE,
            Trust.OFFERED,
            now,
            now,
            "test");
    inbox
        .append(Lane.OBSERVATIONS, "test", List.of(new ObservationChanged(seen)))
        .await()
        .atMost(PATIENCE);
  }
}
