package io.spillway.agent.link;

import io.spillway.protocol.v1.AgentFrame;
import io.spillway.protocol.v1.AgentMessage;
import io.spillway.protocol.v1.Phase;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Messages that are not acknowledged yet. Each keeps its number; frames are numbered anew on each
 * stream, and what was in flight when one broke goes first on the next. So that hours without a
 * control plane fit in memory, a newer word about the same thing takes the place of an older one
 * that was not sent, and of the symptoms only the latest are kept. Only from the timeline.
 */
final class Outbox {
  private static final int MESSAGES_OF_FRAME = 400;
  private static final int BYTES_OF_FRAME = 3 << 20;
  private static final int FRAMES_IN_FLIGHT = 32;
  private static final int MAX_SYMPTOMS = 2_000;

  private final Map<String, AgentMessage> pending = new LinkedHashMap<>();
  private final Deque<Sent> sent = new ArrayDeque<>();
  private final Deque<String> symptoms = new ArrayDeque<>();
  private long seq;
  private long frame;

  private record Sent(long frame, List<AgentMessage> messages) {}

  /** Numbers a message and keeps it. */
  void add(AgentMessage.Builder message) {
    AgentMessage numbered = message.setSeq(++seq).build();
    put(topic(numbered), numbered);
  }

  private void put(String topic, AgentMessage message) {
    // Behind everything else, as its number says.
    pending.remove(topic);
    pending.put(topic, message);
    if (message.hasSymptom()) {
      symptoms.add(topic);
      if (symptoms.size() > MAX_SYMPTOMS) {
        pending.remove(symptoms.remove());
      }
    }
  }

  private static String topic(AgentMessage message) {
    return switch (message.getBodyCase()) {
      case ATTEMPT -> {
        Phase phase = message.getAttempt().getPhase();
        boolean last = phase == Phase.PHASE_ENDED || phase == Phase.PHASE_ABSENT;
        yield (last ? "end " : "attempt ") + message.getAttempt().getAttempt();
      }
      case GATE_REFUSAL -> "gate " + message.getGateRefusal().getAttempt();
      case PROGRESS -> "progress " + message.getProgress().getAttempt();
      case HEARTBEAT -> "heartbeat";
      case CAPABILITIES -> "capabilities";
      default -> "message " + message.getSeq();
    };
  }

  /**
   * A new stream. What told how things are is left out: that is told anew at once.
   *
   * @return the first frame
   */
  AgentFrame hello(AgentMessage.Builder hello) {
    List<AgentMessage> again = new ArrayList<>();
    sent.forEach(each -> again.addAll(each.messages()));
    again.addAll(pending.values());
    sent.clear();
    pending.clear();
    symptoms.clear();
    for (AgentMessage message : again) {
      switch (message.getBodyCase()) {
        case HEARTBEAT, SWEEP, NODES, CAPABILITIES, LOG_CHUNK -> {}
        default -> put(topic(message), message);
      }
    }
    frame = 1;
    return AgentFrame.newBuilder().setFrame(frame).addMessages(hello.setSeq(++seq)).build();
  }

  /** The next frame, if there is something to say and not too much unanswered. */
  Optional<AgentFrame> next() {
    if (pending.isEmpty() || sent.size() >= FRAMES_IN_FLIGHT) {
      return Optional.empty();
    }
    List<AgentMessage> messages = new ArrayList<>();
    int bytes = 0;
    var waiting = pending.entrySet().iterator();
    while (waiting.hasNext() && messages.size() < MESSAGES_OF_FRAME) {
      AgentMessage message = waiting.next().getValue();
      bytes += message.getSerializedSize();
      if (!messages.isEmpty() && bytes > BYTES_OF_FRAME) {
        break;
      }
      messages.add(message);
      waiting.remove();
    }
    sent.add(new Sent(++frame, messages));
    return Optional.of(AgentFrame.newBuilder().setFrame(frame).addAllMessages(messages).build());
  }

  /** Forgets all frames up to that one. */
  void acknowledged(long upTo, Consumer<AgentMessage> each) {
    while (!sent.isEmpty() && sent.peek().frame() <= upTo) {
      sent.remove().messages().forEach(each);
    }
  }

  /** Whether the control plane may still not know of an end, or of a refusal. */
  boolean keepsLastWords() {
    return pending.values().stream().anyMatch(Outbox::isLastWord)
        || sent.stream().anyMatch(each -> each.messages().stream().anyMatch(Outbox::isLastWord));
  }

  private static boolean isLastWord(AgentMessage message) {
    return message.hasGateRefusal()
        || (message.hasAttempt() && message.getAttempt().getPhase() == Phase.PHASE_ENDED);
  }

  int unacknowledged() {
    return pending.size() + sent.stream().mapToInt(each -> each.messages().size()).sum();
  }
}
