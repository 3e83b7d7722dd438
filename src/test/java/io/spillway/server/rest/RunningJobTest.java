package io.spillway.server.rest;

import static io.spillway.server.rest.Calls.JOBS;
import static io.spillway.server.rest.Calls.as;
import static io.spillway.server.rest.Calls.json;
import static io.spillway.server.rest.Calls.problem;
import static io.spillway.server.rest.Calls.submitted;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.oneOf;

import io.quarkus.test.junit.QuarkusTest;
import io.spillway.scheduler.input.AgentInput.AttemptReported;
import io.spillway.scheduler.input.AgentInput.Cause;
import io.spillway.scheduler.input.AgentInput.End;
import io.spillway.scheduler.input.AgentInput.GateRefused;
import io.spillway.scheduler.input.AgentInput.NodesReported;
import io.spillway.scheduler.input.AgentInput.Phase;
import io.spillway.scheduler.input.AgentInput.SessionOpened;
import io.spillway.scheduler.input.Input;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.JobId;
import io.spillway.server.inbox.Inbox;
import io.spillway.server.loop.StateReader;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/** A job that runs, on a cluster whose agent is played by its inputs. */
@QuarkusTest
class RunningJobTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @Inject Inbox inbox;
  @Inject StateReader state;

  private final ClusterName cluster =
      new ClusterName("run-" + Integer.toHexString(ThreadLocalRandom.current().nextInt()));
  private int reports;

  @Test
  void a_running_job_shows_its_attempt_and_cost_and_is_requeued_stopped_and_cancelled() {
    String queue = connectedQueue();
    String id = submitted(queue);
    awaitState(id, "LAUNCHING");
    as("red")
        .get(JOBS + "/" + id + "/attempts")
        .then()
        .statusCode(200)
        .body("items.size()", is(1))
        .body("items[0].capacityType", equalTo("spot"))
        .body("items[0].rungName", equalTo("spot"))
        .body("items[0].usdPerGpuHour.toString()", equalTo("2.41"))
        .body("items[0].cluster", equalTo(cluster.value()));
    as("red").post(JOBS + "/" + id + ":hold").then().spec(problem(409, "state-conflict"));

    report(id, 1, Phase.RUNNING, Optional.empty());
    awaitState(id, "RUNNING");
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                as("red")
                    .get(JOBS + "/" + id)
                    .then()
                    .body("detail.attempt.state", equalTo("RUNNING"))
                    .body("detail.attempt.runningSince", notNullValue())
                    .body("detail.attempt.instances", hasItem("i-0123456789abcdef0"))
                    .body("detail.cost.gpuHours.toFloat()", greaterThan(0f)));
    as("viewer").get("/api/v1/queues/" + queue).then().body("usage.gpus", is(1));
    as("red").get("/api/v1/decisions?job=" + id).then().body("items.decision", hasItem("PLACED"));

    as("red")
        .post(JOBS + "/" + id + ":requeue")
        .then()
        .statusCode(200)
        .body("state", oneOf("DRAINING", "QUEUED"));
    report(id, 1, Phase.ENDED, Optional.of(new End(List.of(), Cause.STOPPED, "")));
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> as("red").get(JOBS + "/" + id).then().body("attempts", is(2)));
    as("red")
        .post(JOBS + "/" + id + "/attempts/1:stop")
        .then()
        .spec(problem(409, "state-conflict"));

    as("red").post(JOBS + "/" + id + "/attempts/2:stop").then().statusCode(200);
    as("red")
        .post(JOBS + "/" + id + ":cancel")
        .then()
        .statusCode(200)
        .body("state", oneOf("CANCELLING", "CANCELLED"));
  }

  @Test
  void a_job_that_exits_with_zero_has_succeeded_and_takes_no_command() {
    String id = submitted(connectedQueue());
    awaitState(id, "LAUNCHING");
    report(id, 1, Phase.RUNNING, Optional.empty());
    report(id, 1, Phase.ENDED, Optional.of(new End(List.of(0), Cause.EXITED, "")));
    awaitState(id, "SUCCEEDED");
    as("red")
        .get(JOBS + "/" + id)
        .then()
        .body("finishedAt", notNullValue())
        .body("detail.attempt.outcome", equalTo("SUCCEEDED"))
        .body("detail.attempt.endedAt", notNullValue());
    as("red").post(JOBS + "/" + id + ":cancel").then().spec(problem(409, "state-conflict"));
    as("red").get(JOBS + "/" + id + "/events").then().body("items.type", hasItem("JobSucceeded"));
    as("red")
        .get(JOBS + "/" + id + "/explain")
        .then()
        .statusCode(200)
        .body("state", equalTo("SUCCEEDED"));
  }

  @Test
  void a_refused_launch_is_explained_in_the_words_of_the_refusal() {
    String id = submitted(connectedQueue());
    awaitState(id, "LAUNCHING");
    send(
        new GateRefused(
            cluster,
            new AttemptId(new JobId(id), 1),
            "CSI_DRIVER_MISSING: an S3 bucket is mounted by s3.csi.aws.com"));
    awaitState(id, "DRAINING");
    report(id, 1, Phase.ABSENT, Optional.empty());
    awaitState(id, "QUEUED");
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                as("red")
                    .get(JOBS + "/" + id + "/explain")
                    .then()
                    .body("reason", equalTo("GATE_REFUSED"))
                    .body("candidates.refusal", hasItem("EXCLUDED"))
                    .body(
                        "candidates.detail",
                        hasItem("CSI_DRIVER_MISSING: an S3 bucket is mounted by s3.csi.aws.com")));
    as("red").get(JOBS + "/" + id).then().body("attempts", is(1));
  }

  @Test
  void a_job_in_its_back_off_is_explained_by_it() {
    String id = submitted(connectedQueue());
    awaitState(id, "LAUNCHING");
    report(id, 1, Phase.RUNNING, Optional.empty());
    report(id, 1, Phase.ENDED, Optional.of(new End(List.of(), Cause.DELETED, "")));
    awaitState(id, "QUEUED");
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                as("red")
                    .get(JOBS + "/" + id + "/explain")
                    .then()
                    .body("source", equalTo("leader"))
                    .body("reason", equalTo("POD_DELETED"))
                    .body("wouldChange.cause", hasItem("BACKOFF"))
                    .body("nextLook", notNullValue()));
  }

  @Test
  void what_becomes_of_the_attempt_changes_the_etag() {
    String id = submitted(connectedQueue());
    awaitState(id, "LAUNCHING");
    String etag = as("red").get(JOBS + "/" + id).then().extract().header("ETag");
    report(id, 1, Phase.STARTING, Optional.empty());
    as("red")
        .header("If-None-Match", etag)
        .get(JOBS + "/" + id)
        .then()
        .statusCode(200)
        .body("detail.attempt.state", equalTo("STARTING"));
  }

  private String connectedQueue() {
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
    return queue;
  }

  private void report(String job, int number, Phase phase, Optional<End> end) {
    AttemptId attempt = new AttemptId(new JobId(job), number);
    long epoch =
        state
            .read(view -> view.attempt(attempt).orElseThrow().epoch())
            .toCompletableFuture()
            .join();
    send(
        new AttemptReported(
            cluster,
            1,
            ++reports,
            attempt,
            epoch,
            phase,
            List.of("i-0123456789abcdef0"),
            Optional.of(Duration.ofSeconds(5)),
            end));
  }

  private void send(Input input) {
    inbox
        .append(input.lane(), "test", List.of(input))
        .chain(key -> inbox.committed(key, PATIENCE))
        .await()
        .atMost(PATIENCE);
  }

  private static void awaitState(String id, String wanted) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> as("red").get(JOBS + "/" + id).then().body("state", equalTo(wanted)));
  }
}
