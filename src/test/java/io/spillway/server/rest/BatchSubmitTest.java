package io.spillway.server.rest;

import static io.spillway.server.rest.Calls.JOBS;
import static io.spillway.server.rest.Calls.as;
import static io.spillway.server.rest.Calls.freshQueue;
import static io.spillway.server.rest.Calls.job;
import static io.spillway.server.rest.Calls.json;
import static io.spillway.server.rest.Calls.problem;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.is;

import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@QuarkusTest
class BatchSubmitTest {
  private static final String BATCH = "/api/v1/jobs:batch";

  @Test
  void each_item_is_accepted_or_refused_as_if_it_came_alone() {
    String queue = freshQueue();
    String body =
        """
        {"items": [{"job": %s}, {"job": {"name": "x"}}, {"job": %s}, {"idempotencyKey": "k", "job": %s},
                   {"idempotencyKey": "k", "job": %s}]}
        """
            .formatted(job(queue), job("blue"), job(queue), job(queue, ", \"args\": [\"2\"]"));
    json("red")
        .body(body)
        .post(BATCH)
        .then()
        .statusCode(200)
        .body("items.index", contains(0, 1, 2, 3, 4))
        .body("items[0].status", is(201))
        .body("items[0].job.state", equalTo("QUEUED"))
        .body("items[1].status", is(422))
        .body("items[1].problem.errors[0].field", equalTo("queue"))
        .body("items[2].status", is(403))
        .body("items[3].status", is(201))
        .body("items[4].status", is(409));
    json("red")
        .body("{\"items\": [{\"idempotencyKey\": \"k\", \"job\": %s}]}".formatted(job(queue)))
        .post(BATCH)
        .then()
        .statusCode(200)
        .body("items[0].status", is(200));
  }

  @Test
  void a_thousand_jobs_go_in_one_call_and_one_more_does_not() {
    String queue = freshQueue();
    json("red")
        .body(batch(queue, 1000))
        .post(BATCH)
        .then()
        .statusCode(200)
        .body("items.findAll { it.status == 201 }.size()", is(1000));
    as("red").get(JOBS + "?limit=500&queue=" + queue).then().body("items.size()", is(500));
    json("red")
        .body(batch(queue, 1001))
        .post(BATCH)
        .then()
        .spec(problem(422, "invalid-body"))
        .body("errors[0].message", containsString("at most 1000"));
  }

  /** All look their job up at the same time, in the context of one request. */
  @Test
  void a_batch_sent_again_is_answered_with_the_same_job_for_each_of_its_items() {
    String queue = freshQueue();
    String batch =
        IntStream.range(0, 300)
            .mapToObj(n -> "{\"idempotencyKey\": \"k%d\", \"job\": %s}".formatted(n, job(queue)))
            .collect(Collectors.joining(",", "{\"items\": [", "]}"));
    List<String> first =
        json("red").body(batch).post(BATCH).then().statusCode(200).extract().path("items.job.id");
    json("red")
        .body(batch)
        .post(BATCH)
        .then()
        .statusCode(200)
        .body("items.findAll { it.status == 200 }.size()", is(300))
        .body("items.job.id", equalTo(first));
  }

  @Test
  void a_batch_without_form_is_refused_as_a_whole() {
    json("red").body("{}").post(BATCH).then().spec(problem(422, "invalid-body"));
    json("red")
        .body("{\"items\": [{\"job\": 7, \"extra\": 1}, 3]}")
        .post(BATCH)
        .then()
        .spec(problem(422, "invalid-body"))
        .body("errors.field", contains("items[1]", "items[0].job", "items[0].extra"));
    json("red").body("{\"items\": [").post(BATCH).then().spec(problem(400, "malformed-json"));
    json("viewer").body("{\"items\": []}").post(BATCH).then().spec(problem(403, "forbidden"));
  }

  private static String batch(String queue, int count) {
    return IntStream.range(0, count)
        .mapToObj(n -> "{\"job\": " + job(queue) + "}")
        .collect(Collectors.joining(",", "{\"items\": [", "]}"));
  }
}
