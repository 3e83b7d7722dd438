package io.spillway.server.rest;

import static io.spillway.server.rest.Calls.JOBS;
import static io.spillway.server.rest.Calls.as;
import static io.spillway.server.rest.Calls.freshQueue;
import static io.spillway.server.rest.Calls.json;
import static io.spillway.server.rest.Calls.problem;
import static io.spillway.server.rest.Calls.submitted;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;

import io.quarkus.test.junit.QuarkusTest;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class JobCommandsTest {
  private static final String UNKNOWN = "01KB3Z6Q8V4T2N7M5XW9R1C0DE";

  @Inject Pool pool;

  @Test
  void a_queued_job_is_cancelled_and_cancelling_again_is_no_error() {
    String id = submitted(freshQueue());
    as("red")
        .post(JOBS + "/" + id + ":cancel")
        .then()
        .statusCode(200)
        .body("state", equalTo("CANCELLED"))
        .body("finishedAt", notNullValue())
        .body("$", not(hasKey("pending")));
    as("red").post(JOBS + "/" + id + ":cancel").then().statusCode(200);
    as("red").delete(JOBS + "/" + id).then().statusCode(200).body("state", equalTo("CANCELLED"));
  }

  @Test
  void delete_cancels() {
    String id = submitted(freshQueue());
    as("red").delete(JOBS + "/" + id).then().statusCode(200).body("state", equalTo("CANCELLED"));
  }

  @Test
  void a_queued_job_is_held_and_released_into_its_place() {
    String id = submitted(freshQueue());
    as("red")
        .post(JOBS + "/" + id + ":hold")
        .then()
        .statusCode(200)
        .body("state", equalTo("HELD"))
        .body("reason", equalTo("USER_HELD"));
    as("red").post(JOBS + "/" + id + ":hold").then().spec(problem(409, "state-conflict"));
    as("red")
        .post(JOBS + "/" + id + ":release")
        .then()
        .statusCode(200)
        .body("state", equalTo("QUEUED"));
    as("red").post(JOBS + "/" + id + ":release").then().spec(problem(409, "state-conflict"));
    as("red").get(JOBS + "/" + id).then().body("detail.position.place", is(1));
  }

  @Test
  void a_job_that_does_not_run_cannot_be_requeued_and_an_ended_one_takes_no_command() {
    String id = submitted(freshQueue());
    as("red")
        .post(JOBS + "/" + id + ":requeue")
        .then()
        .spec(problem(409, "state-conflict"))
        .body("detail", containsString("QUEUED"));
    as("red").post(JOBS + "/" + id + ":cancel").then().statusCode(200);
    for (String verb : new String[] {":hold", ":release", ":requeue"}) {
      as("red").post(JOBS + "/" + id + verb).then().spec(problem(409, "state-conflict"));
    }
    json("red")
        .body("{\"labels\": {\"a\": \"b\"}}")
        .patch(JOBS + "/" + id)
        .then()
        .spec(problem(409, "state-conflict"));
  }

  @Test
  void a_patch_changes_class_and_labels_and_the_etag() {
    String id = submitted(freshQueue(), ", \"labels\": {\"team\": \"nlp\", \"trial\": \"1\"}");
    as("red").post(JOBS + "/" + id + ":hold").then().statusCode(200);
    String etag = as("red").get(JOBS + "/" + id).then().extract().header("ETag");
    as("red")
        .contentType("application/merge-patch+json")
        .header("If-Match", etag)
        .body("{\"priorityClass\": \"urgent\", \"labels\": {\"trial\": null, \"run\": \"2\"}}")
        .patch(JOBS + "/" + id)
        .then()
        .statusCode(200)
        .header("ETag", not(equalTo(etag)))
        .body("priorityClass", equalTo("urgent"))
        .body("labels", equalTo(java.util.Map.of("team", "nlp", "run", "2")));
    json("red")
        .header("If-Match", etag)
        .body("{\"priorityClass\": \"low\"}")
        .patch(JOBS + "/" + id)
        .then()
        .spec(problem(412, "precondition-failed"));
  }

  @Test
  void patches_one_after_the_other_leave_no_more_labels_than_a_job_may_have() {
    String id = submitted(freshQueue());
    json("red").body(labels("a", 32)).patch(JOBS + "/" + id).then().statusCode(200);
    json("red")
        .body(labels("b", 1))
        .patch(JOBS + "/" + id)
        .then()
        .spec(problem(422, "invalid-body"))
        .body("errors[0].field", equalTo("labels"));
    json("red")
        .body("{\"labels\": {\"a-0\": null, \"b-0\": \"1\"}}")
        .patch(JOBS + "/" + id)
        .then()
        .statusCode(200)
        .body("labels.size()", is(32));
  }

  @Test
  void an_attempt_that_waits_for_another_to_end_cannot_be_stopped() {
    String id = submitted(freshQueue());
    sql(
        """
        insert into attempt (job_id, number, cluster, offering, state, epoch, created_at, core,
          updated_seq)
        values ($1, 1, 'none', 'none~z~t~spot', 'INTENDED', 1, clock_timestamp(), '{}', 1)
        """,
        id);
    try {
      as("red")
          .post(JOBS + "/" + id + "/attempts/1:stop")
          .then()
          .spec(problem(409, "state-conflict"))
          .body("detail", containsString("not started"));
    } finally {
      sql("delete from attempt where job_id = $1", id);
    }
  }

  @Test
  void an_unchanged_job_is_answered_with_304() {
    String id = submitted(freshQueue());
    as("red").post(JOBS + "/" + id + ":hold").then().statusCode(200);
    String etag = as("red").get(JOBS + "/" + id).then().extract().header("ETag");
    as("red").header("If-None-Match", etag).get(JOBS + "/" + id).then().statusCode(304);
    as("red").post(JOBS + "/" + id + ":release").then().statusCode(200);
    as("red").header("If-None-Match", etag).get(JOBS + "/" + id).then().statusCode(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"deadline\": \"2026-12-02T00:00:00Z\"}",
        "{\"image\": \"other\"}",
        "{\"priorityClass\": null}",
        "{\"priorityClass\": 7}",
        "{\"labels\": null}",
        "{\"labels\": {\"a b\": \"c\"}}",
        "{\"labels\": [\"a\"]}"
      })
  void a_patch_of_anything_else_is_refused(String patch) {
    String id = submitted(freshQueue());
    json("red").body(patch).patch(JOBS + "/" + id).then().spec(problem(422, "invalid-body"));
  }

  @Test
  void a_priority_class_that_the_queue_does_not_allow_is_refused() {
    String id = submitted(freshQueue());
    json("red")
        .body("{\"priorityClass\": \"royal\"}")
        .patch(JOBS + "/" + id)
        .then()
        .spec(problem(422, "invalid-job"))
        .body("errors[0].message", containsString("low, normal, urgent"));
  }

  @Test
  void another_teams_job_is_closed_to_every_verb() {
    String id = submitted(freshQueue());
    for (String verb : new String[] {":cancel", ":hold", ":release", ":requeue"}) {
      as("blue").post(JOBS + "/" + id + verb).then().spec(problem(403, "queue-not-yours"));
    }
    as("blue").delete(JOBS + "/" + id).then().spec(problem(403, "queue-not-yours"));
    as("blue").get(JOBS + "/" + id).then().spec(problem(403, "queue-not-yours"));
    as("blue").get(JOBS + "/" + id + "/attempts").then().spec(problem(403, "queue-not-yours"));
    as("blue").get(JOBS + "/" + id + "/events").then().spec(problem(403, "queue-not-yours"));
    as("blue").get(JOBS + "/" + id + "/explain").then().spec(problem(403, "queue-not-yours"));
    as("blue")
        .post(JOBS + "/" + id + "/attempts/1:stop")
        .then()
        .spec(problem(403, "queue-not-yours"));
    json("blue").body("{}").patch(JOBS + "/" + id).then().spec(problem(403, "queue-not-yours"));
    as("red").get(JOBS + "/" + id).then().statusCode(200).body("state", equalTo("QUEUED"));
  }

  @ParameterizedTest
  @ValueSource(strings = {UNKNOWN, "not-a-ulid", "'; drop table job; --", "..%2f..%2fetc"})
  void a_job_that_does_not_exist_is_a_404(String id) {
    as("red").get(JOBS + "/{id}", id).then().spec(problem(404, "not-found"));
    as("red").get(JOBS + "/{id}/attempts", id).then().spec(problem(404, "not-found"));
    as("red").get(JOBS + "/{id}/events", id).then().spec(problem(404, "not-found"));
    as("red").get(JOBS + "/{id}/explain", id).then().spec(problem(404, "not-found"));
    as("red").post(JOBS + "/{id}:cancel", id).then().spec(problem(404, "not-found"));
    as("red").delete(JOBS + "/{id}", id).then().spec(problem(404, "not-found"));
  }

  @Test
  void an_attempt_that_does_not_exist_cannot_be_stopped() {
    String id = submitted(freshQueue());
    as("red").get(JOBS + "/" + id + "/attempts").then().statusCode(200).body("items.size()", is(0));
    as("red").post(JOBS + "/" + id + "/attempts/1:stop").then().spec(problem(404, "not-found"));
    as("red").post(JOBS + "/" + id + "/attempts/x:stop").then().spec(problem(404, "not-found"));
  }

  private static String labels(String prefix, int count) {
    return IntStream.range(0, count)
        .mapToObj(number -> "\"%s-%d\": \"1\"".formatted(prefix, number))
        .collect(Collectors.joining(", ", "{\"labels\": {", "}}"));
  }

  private void sql(String statement, Object... values) {
    pool.preparedQuery(statement)
        .execute(Tuple.from(values))
        .await()
        .atMost(Duration.ofSeconds(10));
  }
}
