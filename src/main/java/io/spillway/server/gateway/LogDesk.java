package io.spillway.server.gateway;

import io.spillway.protocol.v1.LogChunk;
import io.spillway.protocol.v1.LogRequest;
import io.spillway.server.gateway.AgentLogs.Piece;
import io.vertx.core.buffer.Buffer;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/** Which log is being read for whom. A chunk counts only on the stream that was asked. */
final class LogDesk {
  private final AtomicLong numbers = new AtomicLong();
  private final ConcurrentMap<Long, Reading> readings = new ConcurrentHashMap<>();

  private record Reading(AgentStream stream, OpenLog log) {}

  OpenLog open(AgentStream stream, AgentLogs.Wanted wanted) {
    long number = numbers.incrementAndGet();
    OpenLog log = new OpenLog(() -> leave(number));
    readings.put(number, new Reading(stream, log));
    stream.ask(
        LogRequest.newBuilder()
            .setRequest(number)
            .setAttempt(wanted.attempt().toString())
            .setNode(wanted.node())
            .setFollow(wanted.follow())
            .setSinceMs(wanted.since().toMillis())
            .build(),
        () -> end(number, "the agent's stream is closed, or in RECOVERY"));
    return log;
  }

  void took(AgentStream stream, LogChunk chunk) {
    Reading reading = readings.get(chunk.getRequest());
    if (reading == null || reading.stream() != stream) {
      return;
    }
    if (chunk.getLast()) {
      readings.remove(chunk.getRequest());
    }
    Optional<String> trouble =
        Optional.of(AgentText.clean(chunk.getError(), AgentText.MESSAGE)).filter(t -> !t.isEmpty());
    reading
        .log()
        .took(
            new Piece(
                Buffer.buffer(chunk.getData().toByteArray()),
                chunk.getLast(),
                trouble.filter(t -> chunk.getLast())));
  }

  /** Nothing more comes on that stream. */
  void closed(AgentStream stream) {
    for (Map.Entry<Long, Reading> entry : readings.entrySet()) {
      if (entry.getValue().stream() == stream) {
        end(entry.getKey(), "the agent's stream was lost; read again");
      }
    }
  }

  private void end(long number, String trouble) {
    Reading reading = readings.remove(number);
    if (reading != null) {
      reading.log().took(new Piece(Buffer.buffer(), true, Optional.of(trouble)));
    }
  }

  private void leave(long number) {
    Reading reading = readings.remove(number);
    if (reading != null) {
      reading.stream()
          .ask(LogRequest.newBuilder().setRequest(number).setCancel(true).build(), () -> {});
    }
  }
}
