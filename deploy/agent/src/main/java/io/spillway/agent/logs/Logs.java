package io.spillway.agent.logs;

import com.google.protobuf.ByteString;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.spillway.agent.attempt.AttemptIds;
import io.spillway.agent.attempt.Voice;
import io.spillway.agent.time.Timeline;
import io.spillway.protocol.v1.AgentMessage;
import io.spillway.protocol.v1.LogChunk;
import io.spillway.protocol.v1.LogRequest;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Logs that are being read for the control plane. A reader waits when the stream does not keep up,
 * and is given up when its stream breaks: whoever still wants the log asks again. Only from the
 * timeline.
 */
public final class Logs {
  private static final Logger LOG = Logger.getLogger(Logs.class.getName());
  private static final int MOST_AT_ONCE = 16;

  /** Pieces under way; more would push reports back. */
  private static final int PIECES = 16;

  private static final Duration LONGEST = Duration.ofHours(1);

  private final Timeline timeline;
  private final LogReader reader;
  private final Consumer<AgentMessage.Builder> link;
  private final Map<Long, Reading> readings = new HashMap<>();

  /** One request that is being answered. Its reader's thread waits for room, or for the log. */
  private static final class Reading {
    private final Semaphore room = new Semaphore(PIECES);
    private Optional<Closeable> log = Optional.empty();
    private boolean wanted = true;

    synchronized boolean wanted() {
      return wanted;
    }

    synchronized void opened(Closeable opened) {
      log = Optional.of(opened);
      if (!wanted) {
        close(opened);
      }
    }

    /** A container may be silent for hours: its reader would wait for it, and hold a place. */
    synchronized void giveUp() {
      wanted = false;
      room.release(PIECES);
      log.ifPresent(Reading::close);
    }

    /** Not by the timeline: closing speaks to the API server. */
    private static void close(Closeable log) {
      Thread.ofVirtual()
          .name("log-close")
          .start(
              () -> {
                try {
                  log.close();
                } catch (IOException e) {
                  LOG.log(Level.FINE, e, () -> "a log that nobody reads was not closed");
                }
              });
    }
  }

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
      Optional.ofNullable(readings.remove(id)).ifPresent(Reading::giveUp);
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
    Reading reading = new Reading();
    readings.put(id, reading);
    Timeline.Timer longest = timeline.after(LONGEST, reading::giveUp);
    LogReader.Wanted wanted =
        new LogReader.Wanted(
            request.getAttempt(), request.getNode(), request.getFollow(), request.getSinceMs());
    Thread.ofVirtual()
        .name("log-" + id)
        .start(
            () -> {
              Optional<String> error =
                  reader.read(wanted, listener(id, request.getNode(), reading));
              timeline.execute(
                  () -> {
                    longest.cancel();
                    if (readings.remove(id, reading)) {
                      end(id, request.getNode(), error);
                    }
                  });
            });
  }

  private LogReader.Listener listener(long id, int node, Reading reading) {
    return new LogReader.Listener() {
      @Override
      public void opened(Closeable log) {
        reading.opened(log);
      }

      @Override
      public void piece(byte[] bytes) {
        reading.room.acquireUninterruptibly();
        timeline.execute(() -> Logs.this.piece(id, node, reading, bytes));
      }

      @Override
      public boolean goesOn() {
        return reading.wanted();
      }
    };
  }

  private void piece(long id, int node, Reading reading, byte[] bytes) {
    if (reading.wanted()) {
      link.accept(
          AgentMessage.newBuilder()
              .setLogChunk(
                  LogChunk.newBuilder()
                      .setRequest(id)
                      .setNode(node)
                      .setData(ByteString.copyFrom(bytes))));
    } else {
      reading.room.release();
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
        .ifPresent(reading -> reading.room.release());
  }

  /** The stream is another: nobody waits for what was asked on the old one. */
  public void giveUpAll() {
    readings.values().forEach(Reading::giveUp);
    readings.clear();
  }
}
