package io.spillway.server.rest;

import static io.spillway.server.rest.Calls.JOBS;
import static io.spillway.server.rest.Calls.as;
import static io.spillway.server.rest.Calls.freshQueue;
import static io.spillway.server.rest.Calls.json;
import static io.spillway.server.rest.Calls.problem;
import static io.spillway.server.rest.Calls.submitted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;

import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@QuarkusTest
class ListJobsTest {

  @Test
  void pages_go_from_the_newest_to_the_oldest_without_gap_or_double() {
    String queue = freshQueue();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      expected.add(submitted(queue));
    }
    Collections.reverse(expected);
    List<String> seen = new ArrayList<>();
    String cursor = "";
    do {
      var page =
          as("red")
              .get(JOBS + "?limit=3&queue=" + queue + (cursor.isEmpty() ? "" : "&cursor=" + cursor))
              .then()
              .statusCode(200)
              .extract();
      seen.addAll(page.path("items.id"));
      cursor = page.path("nextCursor");
    } while (cursor != null);
    assertThat(seen).isEqualTo(expected);
  }

  @Test
  void filters_by_state_and_labels_hold_together() {
    String queue = freshQueue();
    String both = submitted(queue, ", \"labels\": {\"team\": \"nlp\", \"x.io/run\": \"7\"}");
    submitted(queue, ", \"labels\": {\"team\": \"nlp\"}");
    submitted(queue);
    as("red")
        .queryParam("queue", queue)
        .queryParam("label", "team=nlp")
        .queryParam("label", "x.io/run=7")
        .queryParam("state", "QUEUED")
        .queryParam("state", "RUNNING")
        .get(JOBS)
        .then()
        .statusCode(200)
        .body("items.id", contains(both))
        .body("nextCursor", nullValue());
    as("red")
        .queryParam("queue", queue)
        .queryParam("state", "FAILED")
        .get(JOBS)
        .then()
        .body("items.size()", is(0));
  }

  @Test
  void a_submitter_sees_its_own_queues_only() {
    String queue = freshQueue();
    submitted(queue);
    TestPolicies.add(TestPolicies.queue("blue", ""));
    json("blue").body(Calls.job("blue")).post(JOBS).then().statusCode(201);
    as("blue").get(JOBS).then().statusCode(200).body("items.queue", everyItem(equalTo("blue")));
    as("blue-viewer").get(JOBS).then().body("items.queue", everyItem(equalTo("blue")));
    as("blue").get(JOBS + "?queue=" + queue).then().spec(problem(403, "queue-not-yours"));
    as("viewer").get(JOBS + "?queue=" + queue).then().statusCode(200).body("items.size()", is(1));
  }

  @ParameterizedTest
  @CsvSource({
    "limit=0, limit",
    "limit=501, limit",
    "cursor=xyz, cursor",
    "state=SLEEPING, state",
    "label=team, label",
    "label=a b=c, label",
    "queue=No!, queue"
  })
  void a_bad_parameter_is_named(String query, String field) {
    as("operator")
        .get(JOBS + "?" + query)
        .then()
        .spec(problem(400, "invalid-request"))
        .body("errors[0].field", equalTo(field));
  }

  @Test
  void a_limit_that_is_no_number_is_a_bad_request_and_not_a_missing_page() {
    for (String limit : new String[] {"many", "9999999999"}) {
      as("operator")
          .get(JOBS + "?limit=" + limit)
          .then()
          .spec(problem(400, "invalid-request"))
          .body("detail", containsString(limit));
    }
  }
}
