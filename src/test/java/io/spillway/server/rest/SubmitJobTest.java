package io.spillway.server.rest;

import static io.spillway.server.rest.Calls.JOBS;
import static io.spillway.server.rest.Calls.as;
import static io.spillway.server.rest.Calls.freshQueue;
import static io.spillway.server.rest.Calls.job;
import static io.spillway.server.rest.Calls.json;
import static io.spillway.server.rest.Calls.problem;
import static io.spillway.server.rest.Calls.submitted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.notNullValue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@QuarkusTest
class SubmitJobTest {

  @Test
  void an_accepted_job_has_a_location_and_is_readable_at_once() {
    String queue = freshQueue();
    ValidatableResponse created =
        json("red")
            .body(job(queue, ", \"labels\": {\"team\": \"nlp\"}"))
            .post(JOBS)
            .then()
            .statusCode(201)
            .body("id", matchesPattern("[0-9A-HJKMNP-TV-Z]{26}"))
            .body("state", equalTo("QUEUED"))
            .body("priorityClass", equalTo("normal"))
            .body("submittedBy", equalTo("red"))
            .body("policyVersion", notNullValue());
    String id = created.extract().path("id");
    assertThat(created.extract().header("Location")).endsWith("/api/v1/jobs/" + id);

    as("red")
        .get(JOBS + "/" + id)
        .then()
        .statusCode(200)
        .header("ETag", notNullValue())
        .body("queue", equalTo(queue))
        .body("labels.team", equalTo("nlp"))
        .body("submittedAt", notNullValue())
        .body("detail.spec.preemptible", is(true))
        .body("detail.spec.resources.nodes", is(1))
        .body("detail.spec.framework", equalTo("single"))
        .body("detail.spec.network.rdma", equalTo("none"))
        .body("detail.etaReason", notNullValue());
  }

  @Test
  void a_repeat_with_the_same_key_and_body_is_the_same_job() {
    String queue = freshQueue();
    String key = UUID.randomUUID().toString();
    String first =
        json("red")
            .header("Idempotency-Key", key)
            .body(job(queue))
            .post(JOBS)
            .then()
            .statusCode(201)
            .extract()
            .path("id");
    json("red")
        .header("Idempotency-Key", key)
        // The same job written another way: order of members, an explicit default, white space.
        .body(
            """
            {"resources": {"nodes": 1, "gpu": ["nvidia-h100-80gb"]}, "preemptible": true,
               "image": "registry.example/train:1", "name": "train", "queue": "%s"}
            """
                .formatted(queue))
        .post(JOBS)
        .then()
        .statusCode(200)
        .header("Location", endsWith("/api/v1/jobs/" + first))
        .body("id", equalTo(first));
  }

  @Test
  void a_key_with_another_body_is_a_conflict_and_other_queues_do_not_share_keys() {
    String queue = freshQueue();
    String key = UUID.randomUUID().toString();
    json("red").header("Idempotency-Key", key).body(job(queue)).post(JOBS).then().statusCode(201);
    json("red")
        .header("Idempotency-Key", key)
        .body(job(queue, ", \"args\": [\"--other\"]"))
        .post(JOBS)
        .then()
        .spec(problem(409, "idempotency-conflict"));
    json("red")
        .header("Idempotency-Key", key)
        .body(job(freshQueue()))
        .post(JOBS)
        .then()
        .statusCode(201);
  }

  @Test
  void from_many_threads_at_once_a_key_still_is_one_job() throws Exception {
    String queue = freshQueue();
    String key = UUID.randomUUID().toString();
    try (ExecutorService threads = Executors.newFixedThreadPool(16)) {
      List<Future<String>> ids =
          IntStream.range(0, 64)
              .mapToObj(
                  n ->
                      threads.submit(
                          () ->
                              json("red")
                                  .header("Idempotency-Key", key)
                                  .body(job(queue))
                                  .post(JOBS)
                                  .then()
                                  .statusCode(org.hamcrest.Matchers.oneOf(200, 201))
                                  .extract()
                                  .<String>path("id")))
              .toList();
      Set<String> distinct = ids.stream().map(SubmitJobTest::get).collect(Collectors.toSet());
      assertThat(distinct).hasSize(1);
    }
  }

  @Test
  void an_idempotency_key_has_a_form() {
    json("red")
        .header("Idempotency-Key", "has spaces")
        .body(job(freshQueue()))
        .post(JOBS)
        .then()
        .spec(problem(400, "invalid-request"))
        .body("errors[0].field", equalTo("Idempotency-Key"));
  }

  @Test
  void an_unknown_queue_is_named_with_the_nearest_one_and_another_teams_queue_is_forbidden() {
    String queue = freshQueue();
    json("operator")
        .body(job(queue + "x"))
        .post(JOBS)
        .then()
        .spec(problem(422, "invalid-job"))
        .body("errors[0].field", equalTo("queue"))
        .body("errors[0].message", org.hamcrest.Matchers.containsString("nearest: " + queue));
    json("blue").body(job(queue)).post(JOBS).then().spec(problem(403, "queue-not-yours"));
    json("operator").body(job(queue)).post(JOBS).then().statusCode(201);
  }

  @Test
  void the_queues_limits_hold() {
    String small = freshQueue("  limits: {maxNodesPerJob: 2}");
    json("red")
        .body(
            """
            {"name": "wide", "queue": "%s", "image": "a", "priorityClass": "royal",
             "resources": {"nodes": 3, "gpu": ["nvidia-h100-80gb"]},
             "constraints": {"clusters": ["eks-tset"], "pools": ["test-reserve"]}}
            """
                .formatted(small))
        .post(JOBS)
        .then()
        .spec(problem(422, "invalid-job"))
        .body(
            "errors.field",
            org.hamcrest.Matchers.containsInAnyOrder(
                "priorityClass",
                "resources.nodes",
                "constraints.clusters[0]",
                "constraints.pools[0]"));
  }

  @Test
  void a_full_queue_answers_429_and_takes_again_once_there_is_room() {
    String queue = freshQueue("  limits: {maxPending: 2}");
    String key = UUID.randomUUID().toString();
    String first =
        json("red")
            .header("Idempotency-Key", key)
            .body(job(queue))
            .post(JOBS)
            .then()
            .statusCode(201)
            .extract()
            .path("id");
    submitted(queue);
    json("red")
        .body(job(queue))
        .post(JOBS)
        .then()
        .spec(problem(429, "queue-full"))
        .header("Retry-After", matchesPattern("[1-9][0-9]*"));
    // A repeat of an accepted call is no new job.
    json("red")
        .header("Idempotency-Key", key)
        .body(job(queue))
        .post(JOBS)
        .then()
        .statusCode(200)
        .body("id", equalTo(first));

    as("red").post(JOBS + "/" + first + ":cancel").then().statusCode(200);
    org.awaitility.Awaitility.await()
        .atMost(java.time.Duration.ofSeconds(10))
        .until(() -> json("red").body(job(queue)).post(JOBS).statusCode() == 201);
  }

  @Test
  void a_queues_submit_rate_is_kept() {
    String queue = freshQueue("  limits: {submitRatePerSecond: 1}");
    submitted(queue);
    json("red")
        .body(job(queue))
        .post(JOBS)
        .then()
        .spec(problem(429, "rate-exceeded"))
        .header("Retry-After", equalTo("1"));
  }

  @Test
  void a_dry_run_is_said_to_be_unsupported_and_stores_nothing() {
    String queue = freshQueue();
    json("red")
        .body(job(queue))
        .post(JOBS + "?dryRun=true")
        .then()
        .spec(problem(501, "not-supported"));
    for (String wish : new String[] {"?dryRun", "?dryRun=", "?dryRun=1", "?dryRun=yes"}) {
      int status = json("red").body(job(queue)).post(JOBS + wish).statusCode();
      assertThat(status).as(wish).isIn(400, 501);
    }
    as("red").get(JOBS + "?queue=" + queue).then().body("items.size()", is(0));
    json("red").body(job(queue)).post(JOBS + "?dryRun=false").then().statusCode(201);
  }

  private static String get(Future<String> id) {
    try {
      return id.get();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
