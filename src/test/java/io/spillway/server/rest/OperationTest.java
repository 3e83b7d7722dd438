package io.spillway.server.rest;

import static io.spillway.server.rest.Calls.as;
import static io.spillway.server.rest.Calls.freshQueue;
import static io.spillway.server.rest.Calls.json;
import static io.spillway.server.rest.Calls.problem;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.startsWith;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class OperationTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @Test
  void a_queue_is_paused_and_resumed() {
    String queue = freshQueue();
    String path = "/api/v1/queues/" + queue;
    as("operator")
        .post(path + ":pause")
        .then()
        .statusCode(200)
        .body("command", equalTo("pause"))
        .body("pending", is(false));
    as("viewer").get(path).then().body("paused", is(true));
    as("operator").post(path + ":resume").then().statusCode(200);
    as("viewer").get(path).then().body("paused", is(false));
    as("operator").post("/api/v1/queues/no-such:pause").then().spec(problem(404, "not-found"));
    as("red").post(path + ":pause").then().spec(problem(403, "forbidden"));
  }

  @Test
  void an_offering_is_blocked_for_a_time_and_unblocked() {
    freshQueue();
    String path = "/api/v1/offerings/" + TestPolicies.OFFERING;
    as("operator")
        .queryParam("for", "15m")
        .queryParam("reason", "bad NICs")
        .post(path + ":block")
        .then()
        .statusCode(200);
    ValidatableResponse blocked = offering();
    blocked.body("block.reason", containsString("bad NICs")).body("block.until", notNullValue());
    as("operator").post(path + ":unblock").then().statusCode(200);
    offering().body("$", not(hasKey("block")));
  }

  private static ValidatableResponse offering() {
    return as("viewer")
        .get("/api/v1/offerings")
        .then()
        .rootPath("items.find { it.id == '" + TestPolicies.OFFERING + "' }");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "?for=", "?for=soon", "?for=-1m", "?for=0s"})
  void a_block_needs_a_time(String query) {
    freshQueue();
    as("operator")
        .post("/api/v1/offerings/" + TestPolicies.OFFERING + ":block" + query)
        .then()
        .spec(problem(400, "invalid-request"))
        .body("errors[0].field", equalTo("for"));
  }

  @Test
  void an_unknown_offering_cannot_be_blocked() {
    as("operator")
        .post("/api/v1/offerings/nowhere~a~b~spot:block?for=1m")
        .then()
        .spec(problem(404, "not-found"));
    as("operator").post("/api/v1/offerings/rubbish:unblock").then().spec(problem(404, "not-found"));
    as("viewer")
        .post("/api/v1/offerings/" + TestPolicies.OFFERING + ":unblock")
        .then()
        .spec(problem(403, "forbidden"));
  }

  @Test
  void a_pool_is_cordoned_and_uncordoned() {
    freshQueue();
    as("operator").post("/api/v1/pools/test-reserved:cordon").then().statusCode(200);
    as("viewer")
        .get("/api/v1/pools")
        .then()
        .body("items.find { it.name == 'test-reserved' }.cordoned", is(true));
    as("operator").post("/api/v1/pools/test-reserved:uncordon").then().statusCode(200);
    as("viewer")
        .get("/api/v1/pools")
        .then()
        .body("items.find { it.name == 'test-reserved' }.cordoned", is(false));
    as("operator").post("/api/v1/pools/none:cordon").then().spec(problem(404, "not-found"));
  }

  @Test
  void the_system_is_paused_and_resumed_and_recovers_only_in_recovery() {
    as("operator").post("/api/v1/system:pause").then().statusCode(200);
    as("viewer").get("/api/v1/version").then().body("paused", is(true));
    as("operator").post("/api/v1/system:resume").then().statusCode(200);
    as("viewer").get("/api/v1/version").then().body("paused", is(false));
    as("operator").post("/api/v1/system:recover").then().spec(problem(409, "state-conflict"));
    as("red").post("/api/v1/system:pause").then().spec(problem(403, "forbidden"));
  }

  @Test
  void a_cluster_gets_its_token_once_and_a_new_one_on_demand() {
    String name =
        "c" + Integer.toHexString(java.util.concurrent.ThreadLocalRandom.current().nextInt());
    TestPolicies.add(TestPolicies.cluster(name));
    cluster(name).body("state", equalTo("UNREGISTERED"));
    json("admin")
        .body("{\"name\": \"" + name + "\"}")
        .post("/api/v1/clusters")
        .then()
        .statusCode(201)
        .body("token", startsWith("swa_"))
        .body("install", startsWith("helm install spillway-agent deploy/helm/spillway-agent "))
        .body("install", containsString(" --set cluster=" + name + " --set server=http://"))
        .body("install", containsString(" --set token=swa_"))
        .body("install", containsString(" --set 'namespaces={spillway-"));
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> cluster(name).body("state", equalTo("NEVER_CONNECTED")));
    json("admin")
        .body("{\"name\": \"" + name + "\"}")
        .post("/api/v1/clusters")
        .then()
        .spec(problem(409, "state-conflict"));
    as("admin")
        .post("/api/v1/clusters/" + name + ":token")
        .then()
        .statusCode(200)
        .body("token", startsWith("swa_"))
        .body("install", startsWith("helm upgrade spillway-agent "));
    as("operator")
        .post("/api/v1/clusters/" + name + ":token")
        .then()
        .spec(problem(403, "forbidden"));

    as("operator").post("/api/v1/clusters/" + name + ":cordon").then().statusCode(200);
    cluster(name).body("cordoned", is(true));
    as("operator").post("/api/v1/clusters/" + name + ":uncordon").then().statusCode(200);
    cluster(name).body("cordoned", is(false));
    as("operator").post("/api/v1/clusters/" + name + ":declare-lost").then().statusCode(200);
    cluster(name).body("declaredLost", is(true));
  }

  private static ValidatableResponse cluster(String name) {
    return as("viewer")
        .get("/api/v1/clusters")
        .then()
        .rootPath("items.find { it.name == '" + name + "' }");
  }

  @Test
  void a_cluster_outside_the_policies_is_a_404_and_a_body_without_name_a_422() {
    json("admin")
        .body("{\"name\": \"nowhere\"}")
        .post("/api/v1/clusters")
        .then()
        .spec(problem(404, "not-found"));
    json("admin").body("{}").post("/api/v1/clusters").then().spec(problem(422, "invalid-body"));
    json("admin")
        .body("{\"name\": \"A B\"}")
        .post("/api/v1/clusters")
        .then()
        .spec(problem(422, "invalid-body"));
    for (String verb : new String[] {":cordon", ":uncordon", ":declare-lost"}) {
      as("operator").post("/api/v1/clusters/nowhere" + verb).then().spec(problem(404, "not-found"));
    }
    as("admin").post("/api/v1/clusters/nowhere:token").then().spec(problem(404, "not-found"));
  }
}
