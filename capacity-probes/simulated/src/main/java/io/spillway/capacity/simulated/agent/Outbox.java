package io.spillway.capacity.simulated.agent;

import io.spillway.protocol.v1.AgentFrame;
import io.spillway.protocol.v1.AgentMessage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Messages that the control plane has not made durable yet. Each keeps its number for ever; frames
 * are numbered anew on each stream, and what was in flight when a stream broke goes first on the
 * next. Only from the timeline.
 */
final class Outbox {
  private static final int MESSAGES_OF_FRAME = 400;
  private static final int FRAMES_IN_FLIGHT = 32;

  private final Deque<AgentMessage> pending = new ArrayDeque<>();
  private final Deque<Sent> sent = new ArrayDeque<>();
  private long seq;
  private long frame;

  /** Numbers a message and keeps it until it is acknowledged. */
  void add(AgentMessage.Builder message) {
    pending.add(message.setSeq(++seq).build());
  }

  /** A new stream: the number of its first frame's only message, which no acknowledgement needs. */
  AgentFrame hello(AgentMessage.Builder hello) {
    List<AgentMessage> again = new ArrayList<>();
    for (Sent each : sent) {
      again.addAll(each.messages);
    }
    again.addAll(pending);
    sent.clear();
    pending.clear();
    // These tell how things were; how they are is told anew at once.
    again.removeIf(m -> m.hasHeartbeat() || m.hasSweep() || m.hasNodes());
    pending.addAll(again);
    frame = 1;
    return AgentFrame.newBuilder().setFrame(frame).addMessages(hello.setSeq(++seq)).build();
  }

  /** The next frame, if there is something to say and not too much unanswered. */
  Optional<AgentFrame> next() {
    if (pending.isEmpty() || sent.size() >= FRAMES_IN_FLIGHT) {
      return Optional.empty();
    }
    AgentFrame.Builder built = AgentFrame.newBuilder().setFrame(++frame);
    List<AgentMessage> messages = new ArrayList<>();
    while (!pending.isEmpty() && messages.size() < MESSAGES_OF_FRAME) {
      messages.add(pending.poll());
    }
    sent.add(new Sent(frame, messages));
    return Optional.of(built.addAllMessages(messages).build());
  }

  /** Forgets all frames up to that one. */
  void acknowledged(long upTo) {
    while (!sent.isEmpty() && sent.peek().frame <= upTo) {
      sent.poll();
    }
  }

  int unacknowledged() {
    int count = pending.size();
    for (Sent each : sent) {
      count += each.messages.size();
    }
    return count;
  }

  private record Sent(long frame, List<AgentMessage> messages) {}
}
