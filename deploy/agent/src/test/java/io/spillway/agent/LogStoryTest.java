package io.spillway.agent;

import static io.spillway.agent.world.AgentWorld.A1;
import static io.spillway.agent.world.AgentWorld.A2;
import static io.spillway.agent.world.Manifests.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.agent.world.AgentWorld;
import io.spillway.protocol.v1.AgentMessage;
import io.spillway.protocol.v1.LogChunk;
import io.spillway.protocol.v1.LogRequest;
import io.spillway.protocol.v1.Phase;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LogStoryTest {
  private final AgentWorld world = new AgentWorld();

  @AfterEach
  void end() {
    world.close();
  }

  private List<LogChunk> chunks(long request) {
    return world.plane.heard().stream()
        .filter(AgentMessage::hasLogChunk)
        .map(AgentMessage::getLogChunk)
        .filter(chunk -> chunk.getRequest() == request)
        .toList();
  }

  private List<LogChunk> read(LogRequest.Builder request) {
    world.plane.reads(request);
    world.time.until(
        "the log is at its end",
        () -> chunks(request.getRequest()).stream().anyMatch(LogChunk::getLast));
    return chunks(request.getRequest());
  }

  private static String text(List<LogChunk> chunks) {
    StringBuilder text = new StringBuilder();
    chunks.forEach(chunk -> text.append(chunk.getData().toStringUtf8()));
    return text.toString();
  }

  private void running() {
    world.plane.starts(A1, 7, job(A1, 2));
    world.time.until("it starts", () -> world.plane.report(A1, Phase.PHASE_STARTING).isPresent());
    world.runs(A1, 0, "node-a");
    world.runs(A1, 1, "node-b");
    world.time.until("it runs", () -> world.plane.report(A1, Phase.PHASE_RUNNING).isPresent());
  }

  @Test
  void a_members_log_is_sent_in_pieces_larger_than_what_fits_under_way() {
    running();
    String log = "step 1 loss 2.1\n".repeat(70_000);
    world.cluster().log(AgentWorld.pod(A1, 1), log);
    List<LogChunk> chunks =
        read(LogRequest.newBuilder().setRequest(1).setAttempt(A1).setNode(1).setSinceMs(60_000));
    assertThat(text(chunks)).isEqualTo(log);
    assertThat(chunks.size()).isGreaterThan(16);
    assertThat(chunks.getLast().getError()).isEmpty();
  }

  @Test
  void the_log_of_an_attempt_that_ended_is_read_while_its_pods_are_kept() {
    running();
    world.exits(A1, 0, 0, "");
    world.exits(A1, 1, 0, "");
    world.job(A1, "Complete", "CompletionsReached");
    world.time.until("it ended", () -> world.plane.report(A1, Phase.PHASE_ENDED).isPresent());
    world.cluster().log(AgentWorld.pod(A1, 0), "done\n");
    assertThat(text(read(LogRequest.newBuilder().setRequest(2).setAttempt(A1))))
        .isEqualTo("done\n");
  }

  @Test
  void what_is_not_there_is_said() {
    assertThat(read(LogRequest.newBuilder().setRequest(3).setAttempt(A2)).getLast().getError())
        .contains("no pod of node 0");
    assertThat(read(LogRequest.newBuilder().setRequest(4).setAttempt("../x")).getLast().getError())
        .contains("no such attempt");
  }
}
