package io.spillway.server.rest;

import static io.spillway.server.rest.Calls.JOBS;
import static io.spillway.server.rest.Calls.as;
import static io.spillway.server.rest.Calls.freshQueue;
import static io.spillway.server.rest.Calls.problem;
import static io.spillway.server.rest.Calls.submitted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.spillway.server.sse.LiveFeed;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.net.URI;
import java.net.URL;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

@QuarkusTest
class JobHistoryTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @TestHTTPResource("/")
  URL server;

  @Inject LiveFeed feed;
  @Inject Pool pool;

  @Test
  void a_jobs_events_tell_its_story_page_by_page() {
    String id = heldAndReleased();
    List<String> all =
        as("red")
            .get(JOBS + "/" + id + "/events")
            .then()
            .statusCode(200)
            .body("nextCursor", nullValue())
            .body("items.type", hasItems("JobTaken", "JobHeld", "JobQueued"))
            .body("items.id", everyItem(notNullValue()))
            .body("items.findAll { it.type == 'JobHeld' }.data.reason", hasItem("USER_HELD"))
            .extract()
            .path("items.id");
    String second =
        as("red")
            .get(JOBS + "/" + id + "/events?limit=1")
            .then()
            .body("items.id", equalTo(all.subList(0, 1)))
            .extract()
            .path("nextCursor");
    as("red")
        .get(JOBS + "/" + id + "/events?after=" + second)
        .then()
        .body("items.id", equalTo(all.subList(1, all.size())));
  }

  @Test
  void the_stream_goes_on_where_the_last_event_id_left_off() throws Exception {
    String id = submitted(freshQueue());
    await().atMost(PATIENCE).until(() -> eventCount(id) > 0);
    String last;
    try (SseClient client = follow(JOBS + "/" + id + "/events", "")) {
      await().atMost(PATIENCE).until(() -> client.types().contains("JobTaken"));
      as("red").post(JOBS + "/" + id + ":hold").then().statusCode(200);
      await().atMost(PATIENCE).until(() -> client.types().contains("JobHeld"));
      await().atMost(PATIENCE).until(() -> client.comments() > 1);
      last = client.ids().getLast();
    }
    as("red").post(JOBS + "/" + id + ":release").then().statusCode(200);
    try (SseClient again = follow(JOBS + "/" + id + "/events", last)) {
      await().atMost(PATIENCE).until(() -> again.types().contains("JobQueued"));
      as("red").post(JOBS + "/" + id + ":cancel").then().statusCode(200);
      await().atMost(PATIENCE).until(() -> again.types().contains("JobCancelled"));
      assertThat(again.types()).doesNotContain("JobTaken", "JobHeld").doesNotHaveDuplicates();
    }
  }

  @Test
  void a_stream_tells_also_what_this_replica_learnt_by_loading_its_state_anew() throws Exception {
    String id = submitted(freshQueue());
    await().atMost(PATIENCE).until(() -> eventCount(id) > 0);
    long far = 60_000_000;
    try (SseClient client = follow(JOBS + "/" + id + "/events", "")) {
      await().atMost(PATIENCE).until(() -> client.types().contains("JobTaken"));
      await().atMost(PATIENCE).until(() -> client.comments() > 1);
      // Another led meanwhile: no listener here was told of its commit.
      sql(
          """
          insert into journal (cell, seq, epoch, cycle, now, seed, core_version, policy, plan_hash,
            digest, format, inputs, events)
          values ('main', $1, 0, 0, clock_timestamp(), 0, '', '', '', 0, 1, '[]', $2)
          """,
          far,
          "[{\"@\":\"JobHeld\",\"job\":\"" + id + "\",\"reason\":\"USER_HELD\"}]");
      feed.reset(false, null);
      await().atMost(PATIENCE).until(() -> client.ids().contains(far + ".0"));
      assertThat(client.ids()).doesNotHaveDuplicates();
    } finally {
      sql("delete from journal where seq = $1", far);
    }
  }

  @Test
  void a_stream_of_another_teams_job_holds_the_problem_and_ends() {
    String id = submitted(freshQueue());
    try (SseClient client = follow(JOBS + "/" + id + "/events", "", "blue")) {
      await().atMost(PATIENCE).until(() -> client.data().contains("queue-not-yours"));
      assertThat(client.types()).containsExactly("problem");
    }
  }

  @Test
  void too_many_streams_are_turned_away_and_give_their_places_back() throws Exception {
    String events = JOBS + "/" + submitted(freshQueue()) + "/events";
    List<SseClient> open = new ArrayList<>();
    try {
      for (int i = 0; i < 40; i++) {
        open.add(follow(events, ""));
      }
      await().atMost(PATIENCE).until(() -> open.stream().anyMatch(c -> c.status() == 503));
      assertThat(open).anyMatch(c -> c.status() == 200);
    } finally {
      open.forEach(SseClient::close);
    }
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              try (SseClient client = follow(events, "")) {
                await().atMost(PATIENCE).until(() -> client.status() != 0);
                return client.status() == 200;
              }
            });
  }

  @Test
  void decisions_are_listed_and_streamed() throws Exception {
    try (SseClient client = follow("/api/v1/decisions:stream", "", "viewer")) {
      await().atMost(PATIENCE).until(() -> client.comments() > 0);
      String id = heldAndReleased();
      as("red")
          .get("/api/v1/decisions?job=" + id)
          .then()
          .statusCode(200)
          .body("items.job", everyItem(equalTo(id)))
          .body("items.decision", hasItems("HELD", "QUEUED"));
      await().atMost(PATIENCE).until(() -> client.data().contains(id));
    }
    as("viewer")
        .get("/api/v1/decisions?limit=1")
        .then()
        .statusCode(200)
        .body("items.size()", is(1))
        .body("nextCursor", notNullValue());
  }

  @Test
  void a_submitter_asks_for_the_decisions_on_one_of_its_jobs() {
    as("red").get("/api/v1/decisions").then().spec(problem(400, "invalid-request"));
    as("red").get("/api/v1/decisions:stream").then().spec(problem(403, "forbidden"));
    as("viewer").get("/api/v1/decisions?after=x").then().spec(problem(400, "invalid-request"));
    as("viewer").get("/api/v1/decisions?limit=0").then().spec(problem(400, "invalid-request"));
  }

  @Test
  void bad_positions_and_limits_of_events_are_named() {
    String id = submitted(freshQueue());
    as("red")
        .get(JOBS + "/" + id + "/events?after=7")
        .then()
        .spec(problem(400, "invalid-request"))
        .body("errors[0].field", equalTo("after"));
    as("red")
        .get(JOBS + "/" + id + "/events?limit=5000")
        .then()
        .spec(problem(400, "invalid-request"));
    as("red")
        .header("Accept", "text/event-stream")
        .header("Last-Event-ID", "x")
        .get(JOBS + "/" + id + "/events")
        .then()
        .spec(problem(400, "invalid-request"));
  }

  @Test
  void the_leader_explains_a_waiting_job() {
    String queue = freshQueue();
    String first = submitted(queue);
    String second = submitted(queue);
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                as("red")
                    .get(JOBS + "/" + second + "/explain")
                    .then()
                    .statusCode(200)
                    .body("job", equalTo(second))
                    .body("state", equalTo("QUEUED"))
                    .body("source", equalTo("leader"))
                    .body("truncated", is(false))
                    .body("position.place", is(2))
                    .body("position.exact", is(true)));
    as("red").post(JOBS + "/" + first + ":cancel").then().statusCode(200);
    as("red")
        .get(JOBS + "/" + first + "/explain")
        .then()
        .statusCode(200)
        .body("state", equalTo("CANCELLED"));
    as("red").get(JOBS + "/" + second).then().body("detail.position.place", is(1));
  }

  private int eventCount(String id) {
    return as("red").get(JOBS + "/" + id + "/events").then().extract().path("items.size()");
  }

  private static String heldAndReleased() {
    String id = submitted(freshQueue());
    as("red").post(JOBS + "/" + id + ":hold").then().statusCode(200);
    as("red").post(JOBS + "/" + id + ":release").then().statusCode(200);
    return id;
  }

  private SseClient follow(String path, String lastId) {
    return follow(path, lastId, "red");
  }

  private SseClient follow(String path, String lastId, String as) {
    return SseClient.open(URI.create(server.toString()).resolve(path), as + "-token", lastId);
  }

  private void sql(String statement, Object... values) {
    pool.preparedQuery(statement).execute(Tuple.from(values)).await().atMost(PATIENCE);
  }
}
