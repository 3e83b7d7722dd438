package io.spillway.agent.logs;

import com.google.protobuf.ByteString;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.spillway.agent.attempt.AttemptIds;
import io.spillway.agent.attempt.Voice;
import io.spillway.agent.time.Timeline;
import io.spillway.protocol.v1.AgentMessage;
import io.spillway.protocol.v1.LogChunk;
import io.spillway.protocol.v1.LogRequest;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Logs that are being read for the control plane. A reader waits when the stream does not keep up,
 * and is given up when its stream breaks: whoever still wants the log asks again. Only from the
 * timeline.
 */
public final class Logs {
  private static final int MOST_AT_ONCE = 16;

  /** Pieces under way; more would push reports back. */
  private static final int PIECES = 16;

  private static final Duration LONGEST = Duration.ofHours(1);

  private final Timeline timeline;
  private final LogReader reader;
  private final Consumer<AgentMessage.Builder> link;
  private final Map<Long, Reading> readings = new HashMap<>();

  /** One request that is being answered. */
  private record Reading(AtomicBoolean wanted, Semaphore room) {}

  public Logs(
      Timeline timeline,
      KubernetesClient client,
      String cluster,
      Consumer<AgentMessage.Builder> link) {
    this.timeline = timeline;
    this.reader = new LogReader(client, cluster);
    this.link = link;
  }

  public void read(LogRequest request) {
    long id = request.getRequest();
    if (request.getCancel()) {
      Optional.ofNullable(readings.remove(id)).ifPresent(Logs::giveUp);
      return;
    }
    if (readings.containsKey(id)) {
      return;
    }
    if (!AttemptIds.isValid(request.getAttempt())) {
      end(id, request.getNode(), Optional.of("no such attempt"));
      return;
    }
    if (readings.size() >= MOST_AT_ONCE) {
      end(id, request.getNode(), Optional.of("too many logs are being read; later"));
      return;
    }
    Reading reading = new Reading(new AtomicBoolean(true), new Semaphore(PIECES));
    readings.put(id, reading);
    var _ = timeline.after(LONGEST, () -> giveUp(reading));
    LogReader.Wanted wanted =
        new LogReader.Wanted(
            request.getAttempt(), request.getNode(), request.getFollow(), request.getSinceMs());
    Thread.ofVirtual()
        .name("log-" + id)
        .start(
            () -> {
              Optional<String> error =
                  reader.read(
                      wanted,
                      bytes -> {
                        reading.room().acquireUninterruptibly();
                        timeline.execute(() -> piece(id, request.getNode(), reading, bytes));
                      },
                      reading.wanted()::get);
              timeline.execute(
                  () -> {
                    if (readings.remove(id, reading)) {
                      end(id, request.getNode(), error);
                    }
                  });
            });
  }

  private void piece(long id, int node, Reading reading, byte[] bytes) {
    if (reading.wanted().get()) {
      link.accept(
          AgentMessage.newBuilder()
              .setLogChunk(
                  LogChunk.newBuilder()
                      .setRequest(id)
                      .setNode(node)
                      .setData(ByteString.copyFrom(bytes))));
    } else {
      reading.room().release();
    }
  }

  private void end(long id, int node, Optional<String> error) {
    link.accept(
        AgentMessage.newBuilder()
            .setLogChunk(
                LogChunk.newBuilder()
                    .setRequest(id)
                    .setNode(node)
                    .setLast(true)
                    .setError(Voice.shortened(error.orElse("")))));
  }

  /** A piece has arrived. */
  public void acknowledged(LogChunk chunk) {
    Optional.ofNullable(readings.get(chunk.getRequest()))
        .ifPresent(reading -> reading.room().release());
  }

  /** The stream is another: nobody waits for what was asked on the old one. */
  public void giveUpAll() {
    readings.values().forEach(Logs::giveUp);
    readings.clear();
  }

  private static void giveUp(Reading reading) {
    reading.wanted().set(false);
    reading.room().release(PIECES);
  }
}
