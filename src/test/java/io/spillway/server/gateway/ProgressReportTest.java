package io.spillway.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spillway.protocol.v1.AgentMessage;
import io.spillway.protocol.v1.FrameAck;
import io.spillway.protocol.v1.LogChunk;
import io.spillway.protocol.v1.Phase;
import io.spillway.protocol.v1.Progress;
import io.spillway.scheduler.input.AgentInput;
import io.spillway.scheduler.lifecycle.AttemptState;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.ClusterName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What agents say of jobs' progress. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProgressReportTest {
  private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
  private GatewayWorld world;
  private GatewayWorld.Replica replica;

  @BeforeAll
  void open() {
    world = new GatewayWorld();
    replica = world.replica("one", FixedConfig.PATIENT);
  }

  @AfterAll
  void close() {
    world.close();
  }

  @Test
  void progress_is_kept_past_the_inbox_and_logs_that_nobody_reads_are_dropped() {
    ClusterName cluster = world.cluster("progress", "aws");
    AttemptId attempt = running(cluster);
    try (FakeAgent agent = replica.agent(cluster, 1)) {
      FrameAck ack =
          agent.acked(
              agent.send(
                  progress(attempt, "{\"step\": 1, \"steps\": 4, \"anything\": [{}]}"),
                  progress(attempt, "{\"step\": 3, \"steps\": 4, \"message\": \"epoch 3\"}"),
                  AgentMessage.newBuilder().setLogChunk(LogChunk.newBuilder().setLast(true))));
      assertThat(ack.getRefusedList()).isEmpty();
      assertThat(of(cluster, AgentInput.class)).hasSize(1);
      await()
          .atMost(Duration.ofSeconds(10))
          .untilAsserted(
              () ->
                  assertThat(
                          world.store.query(
                              "select body::text from job_progress where job_id = $1 and attempt = 1"
                                  + " and source = 'AGENT'",
                              attempt.job().value()))
                      .singleElement()
                      .extracting(row -> row.getString(0))
                      .asString()
                      .contains("\"step\": 3", "0.75", "epoch 3"));
    }
  }

  @Test
  void hostile_progress_costs_itself_alone() {
    ClusterName theirs = world.cluster("progress-theirs", "aws");
    ClusterName ours = world.cluster("progress-ours", "aws");
    AttemptId foreign = running(theirs);
    AttemptId own = running(ours);
    try (FakeAgent agent = replica.agent(ours, 1)) {
      FrameAck ack =
          agent.acked(
              agent.send(
                  progress(foreign, "{}"),
                  progress(own, "[1]"),
                  progress(own, "{\"a\":".repeat(40)),
                  progress(own, "{\"message\": \"" + "x".repeat(5_000) + "\"}"),
                  AgentMessage.newBuilder().setProgress(Progress.newBuilder().setJson("{}")),
                  FakeAgent.report(own.toString(), Phase.PHASE_RUNNING)));
      assertThat(ack.getRefusedList())
          .extracting(refused -> refused.getSeq())
          .containsExactly(2L, 3L, 4L, 5L, 6L);
      assertThat(of(ours, AgentInput.AttemptReported.class)).hasSize(1);
      assertThat(
              world.store.count(
                  "select count(*) from job_progress where job_id in ($1, $2)",
                  foreign.job().value(),
                  own.job().value()))
          .isZero();
    }
  }

  private static AgentMessage.Builder progress(AttemptId attempt, String json) {
    return AgentMessage.newBuilder()
        .setProgress(Progress.newBuilder().setAttempt(attempt.toString()).setJson(json));
  }

  private AttemptId running(ClusterName cluster) {
    return world.attempt(cluster, new AttemptState.Running(NOW), null);
  }

  private <T extends AgentInput> List<T> of(ClusterName cluster, Class<T> type) {
    return world.inputs(type).stream().filter(input -> input.cluster().equals(cluster)).toList();
  }
}
