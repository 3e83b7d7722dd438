package io.spillway.server.gateway;

import io.spillway.protocol.v1.ControlFrame;
import io.spillway.server.loop.CrashPoint;
import io.spillway.server.loop.CrashPoints;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.WriteStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/**
 * What is written to a stream, in order, no faster than the agent reads. What waits is bounded by
 * what can be under way in a cluster. Belongs to one stream and its thread.
 */
final class Outbox {
  private final WriteStream<Buffer> wire;
  private final LongSupplier head;
  private final Deque<ControlFrame.Builder> waiting = new ArrayDeque<>();
  private long generation;
  private long saidHead;
  private boolean ending;
  private boolean ended;

  Outbox(WriteStream<Buffer> wire, LongSupplier head) {
    this.wire = wire;
    this.head = head;
    wire.drainHandler(drained -> flush());
    // A broken connection is reported to the reading side too; there the stream ends.
    wire.exceptionHandler(broken -> ended = true);
  }

  /** The session's, and the head that it was opened at. */
  void opened(long ofSession, long atHead) {
    generation = ofSession;
    saidHead = atHead;
  }

  void send(ControlFrame.Builder frame) {
    if (!ending) {
      waiting.add(frame);
      flush();
    }
  }

  /** Takes back what is not on its way yet: it is of a time that may be gone. */
  void withdrawCommands() {
    waiting.removeIf(
        frame -> frame.hasStart() || frame.hasStop() || frame.hasHold() || frame.hasRelease());
  }

  /** Says one last word instead of what waits, and ends the stream. */
  void end(ControlFrame.Builder lastWord) {
    if (!ending) {
      waiting.clear();
      waiting.add(lastWord);
      ending = true;
      flush();
    }
  }

  /** Ends the stream as it is. */
  void end() {
    ending = true;
    waiting.clear();
    flush();
  }

  private void flush() {
    while (!ended && !waiting.isEmpty() && !wire.writeQueueFull()) {
      write(waiting.poll());
    }
    if (ending && waiting.isEmpty() && !ended) {
      ended = true;
      wire.end();
    }
  }

  private void write(ControlFrame.Builder frame) {
    saidHead = Math.max(saidHead, head.getAsLong());
    boolean start = frame.hasStart();
    byte[] bytes =
        frame
            .setGeneration(generation)
            .setStoreHead(Math.max(frame.getStoreHead(), saidHead))
            .build()
            .toByteArray();
    wire.write(Buffer.buffer(bytes))
        .onSuccess(
            written -> {
              if (start) {
                CrashPoints.reached(CrashPoint.LAUNCH_SENT);
              }
            });
  }
}
