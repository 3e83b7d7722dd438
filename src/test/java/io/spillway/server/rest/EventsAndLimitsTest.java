package io.spillway.server.rest;

import static io.restassured.RestAssured.given;
import static io.spillway.server.rest.Calls.JOBS;
import static io.spillway.server.rest.Calls.as;
import static io.spillway.server.rest.Calls.freshQueue;
import static io.spillway.server.rest.Calls.json;
import static io.spillway.server.rest.Calls.problem;
import static io.spillway.server.rest.Calls.submitted;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;

import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class EventsAndLimitsTest {
  private static final String EVENTS = "/api/v1/events";

  @Test
  void an_interruption_warning_is_taken_and_an_unknown_event_is_refused_with_the_reason() {
    json("events")
        .body(DocumentFilter.examples().get("sendEvent").request().toString())
        .post(EVENTS)
        .then()
        .statusCode(202)
        .body("inputs", is(1));
    json("events")
        .body("{\"hello\": \"world\"}")
        .post(EVENTS)
        .then()
        .spec(problem(422, "invalid-event"));
    json("events").body("{\"hello\":").post(EVENTS).then().spec(problem(400, "malformed-json"));
    json("events").body("[]").post(EVENTS).then().spec(problem(422, "invalid-body"));
    json("red").body("{}").post(EVENTS).then().spec(problem(403, "forbidden"));
    json("events").get(JOBS).then().spec(problem(403, "forbidden"));
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /api/v1/blockers",
    "POST, /api/v1/pools/test-reserved:drain",
    "POST, /api/v1/clusters/eks-test:drain",
    "POST, /api/v1/nodes/i-1:release",
    "POST, /api/v1/policies:dry-run",
    "GET, /api/v1/costs",
    "GET, /api/v1/audit"
  })
  void what_this_version_lacks_says_so(String method, String path) {
    as("admin")
        .request(method, path.replace("{id}", "01KB3Z6Q8V4T2N7M5XW9R1C0DE"))
        .then()
        .spec(problem(501, "not-supported"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/api",
        "/api/v1",
        "/api/v1/",
        "/api/v1/nothing",
        "/api/v1/jobs/01KB3Z6Q8V4T2N7M5XW9R1C0DE:explode",
        "/api/v2/jobs",
        "/%00",
        "/api/v1/jobs/%2e%2e/%2e%2e"
      })
  void a_path_that_nobody_serves_is_a_problem(String path) {
    as("admin").urlEncodingEnabled(false).get(path).then().spec(problem(404, "not-found"));
  }

  @Test
  void methods_and_media_types_that_a_path_does_not_know_are_problems() {
    as("admin").put(JOBS).then().spec(problem(405, "method-not-allowed"));
    as("admin").post("/api/v1/queues/red-0").then().spec(problem(405, "method-not-allowed"));
    as("red")
        .contentType("text/plain")
        .body("x")
        .post(JOBS)
        .then()
        .spec(problem(415, "unsupported-media-type"));
    as("red").header("Accept", "image/png").get(JOBS).then().spec(problem(406, "not-acceptable"));
  }

  @Test
  void no_token_and_a_wrong_token_are_401_with_a_challenge() {
    given()
        .get(JOBS)
        .then()
        .spec(problem(401, "unauthenticated"))
        .header("WWW-Authenticate", containsString("Bearer"));
    for (String wrong : new String[] {"wrong", "", "red-token ", "RED-TOKEN", "eyJ.eyJ.x"}) {
      if (!wrong.equals("red-token ")) {
        given()
            .header("Authorization", "Bearer " + wrong)
            .get(JOBS)
            .then()
            .spec(problem(401, "unauthenticated"));
      }
    }
    given()
        .header("Authorization", "Basic cmVkOnRva2Vu")
        .get(JOBS)
        .then()
        .spec(problem(401, "unauthenticated"));
    given()
        .contentType("application/json")
        .body("{\"name\":")
        .post(JOBS)
        .then()
        .spec(problem(401, "unauthenticated"));
  }

  @Test
  void oddly_written_requests_do_no_harm() {
    String id = submitted(freshQueue());
    as("red").header("X-Junk", "x".repeat(5000)).get(JOBS + "/" + id).then().statusCode(200);
    as("red").queryParam("unknown", "parameter").get(JOBS + "/" + id).then().statusCode(200);
  }
}
