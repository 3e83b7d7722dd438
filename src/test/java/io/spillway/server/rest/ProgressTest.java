package io.spillway.server.rest;

import static io.spillway.server.rest.Calls.JOBS;
import static io.spillway.server.rest.Calls.as;
import static io.spillway.server.rest.Calls.json;
import static io.spillway.server.rest.Calls.problem;
import static io.spillway.server.rest.Calls.submitted;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import io.quarkus.test.junit.QuarkusTest;
import io.spillway.scheduler.input.AgentInput.NodesReported;
import io.spillway.scheduler.input.AgentInput.SessionOpened;
import io.spillway.scheduler.input.Input;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.server.inbox.Inbox;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said of a job's progress by the call. */
@QuarkusTest
class ProgressTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @Inject Inbox inbox;

  private final ClusterName cluster =
      new ClusterName("prog-" + Integer.toHexString(ThreadLocalRandom.current().nextInt()));

  @Test
  void a_jobs_progress_is_kept_and_shown_and_the_newest_counts() {
    String job = running();
    as("red").get(JOBS + "/" + job).then().body("detail.progress", nullValue());
    report(job, "{\"step\": 1, \"steps\": 8, \"values\": {\"loss\": 2.5}, \"attempt\": 1}")
        .then()
        .statusCode(200)
        .body("attempt", is(1))
        .body("source", equalTo("CALL"))
        .body("reportedAt", notNullValue())
        .body("fraction.toString()", equalTo("0.125"))
        .body("values.loss.toString()", equalTo("2.5"));
    report(job, "{\"fraction\": 0.5, \"message\": \"half way\"}").then().statusCode(200);
    as("viewer")
        .get(JOBS + "/" + job)
        .then()
        .statusCode(200)
        .body("detail.progress.fraction.toString()", equalTo("0.5"))
        .body("detail.progress.message", equalTo("half way"))
        .body("detail.progress.step", nullValue())
        .body("detail.progress.attempt", is(1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"fraction\": 2}                  | fraction  | from 0 to 1",
        "{\"fraction\": \"half\"}           | fraction  | must be a number",
        "{\"step\": 9, \"steps\": 8}        | step      | beyond",
        "{\"step\": 1.5}                    | step      | whole number",
        "{\"message\": [\"a\"]}             | message   | must be text",
        "{\"values\": {\"loss\": \"low\"}}  | values.loss | must be a number",
        "{\"fractoin\": 0.5}                | fractoin  | did you mean fraction",
        "{\"attempt\": 0}                   | attempt   | from 1",
        "{}                                 | ''        | says nothing"
      })
  void a_report_that_cannot_be_is_refused_by_field(String body, String field, String words) {
    report(submitted(Calls.freshQueue()), body)
        .then()
        .spec(problem(422, "invalid-body"))
        .body("errors[0].field", equalTo(field))
        .body("errors[0].message", containsString(words));
  }

  @Test
  void what_is_no_report_at_all_is_told_apart() {
    String job = submitted(Calls.freshQueue());
    report(job, "{\"fraction\": ").then().spec(problem(400, "malformed-json"));
    report(job, "[0.5]").then().spec(problem(422, "invalid-body"));
    report(job, "{\"message\": \"" + "x".repeat(5_000) + "\"}")
        .then()
        .spec(problem(413, "body-too-large"));
    as("red")
        .contentType("text/plain")
        .body("0.5")
        .post(JOBS + "/" + job + "/progress")
        .then()
        .spec(problem(415, "unsupported-media-type"));
  }

  @Test
  void only_the_attempt_that_runs_has_progress() {
    report(submitted(Calls.freshQueue()), "{\"fraction\": 0.5}")
        .then()
        .spec(problem(409, "state-conflict"))
        .body("detail", containsString("QUEUED"));
    report(running(), "{\"fraction\": 0.5, \"attempt\": 2}")
        .then()
        .spec(problem(409, "state-conflict"))
        .body("detail", containsString("attempt 1 is the one that runs"));
    report("01KB3Z6Q8V4T2N7M5XW9R1C0DE", "{\"fraction\": 0.5}")
        .then()
        .spec(problem(404, "not-found"));
  }

  @Test
  void progress_is_for_those_to_say_who_may_command_the_job() {
    String path = JOBS + "/" + submitted(Calls.freshQueue()) + "/progress";
    String body = "{\"fraction\": 0.5}";
    json("blue").body(body).post(path).then().spec(problem(403, "queue-not-yours"));
    json("viewer").body(body).post(path).then().spec(problem(403, "forbidden"));
    json("events").body(body).post(path).then().spec(problem(403, "forbidden"));
    io.restassured.RestAssured.given()
        .contentType("application/json")
        .body(body)
        .post(path)
        .then()
        .spec(problem(401, "unauthenticated"));
    json("operator").body(body).post(path).then().spec(problem(409, "state-conflict"));
  }

  private static io.restassured.response.Response report(String job, String body) {
    return json("red").body(body).post(JOBS + "/" + job + "/progress");
  }

  /** A job that launches, on a cluster whose agent is played by its inputs. */
  private String running() {
    TestPolicies.add(TestPolicies.cluster(cluster.value()));
    String queue = Calls.freshQueueOn(cluster.value());
    json("admin")
        .body("{\"name\": \"" + cluster + "\"}")
        .post("/api/v1/clusters")
        .then()
        .statusCode(201);
    send(new SessionOpened(cluster, 1, 1));
    send(new NodesReported(cluster, true, List.of(), List.of()));
    send(SpotMarket.seen());
    String job = submitted(queue);
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> as("red").get(JOBS + "/" + job).then().body("state", equalTo("LAUNCHING")));
    return job;
  }

  private void send(Input input) {
    inbox
        .append(input.lane(), "test", List.of(input))
        .chain(key -> inbox.committed(key, PATIENCE))
        .await()
        .atMost(PATIENCE);
  }
}
