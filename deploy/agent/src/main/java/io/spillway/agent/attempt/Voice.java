package io.spillway.agent.attempt;

import io.spillway.agent.link.MessageParts;
import io.spillway.agent.memory.Fate;
import io.spillway.protocol.v1.AgentMessage;
import io.spillway.protocol.v1.AttemptReport;
import io.spillway.protocol.v1.GateRefusal;
import io.spillway.protocol.v1.Phase;
import io.spillway.protocol.v1.Present;
import io.spillway.protocol.v1.Progress;
import io.spillway.protocol.v1.Sweep;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;

/** What happens to attempts, in the protocol's words. */
public final class Voice {
  private static final int MAX_BYTES = 1_024;

  private final Consumer<AgentMessage.Builder> link;

  public Voice(Consumer<AgentMessage.Builder> link) {
    this.link = link;
  }

  void phase(Tracked tracked, Phase phase, List<String> instances, long ranMillis) {
    report(
        AttemptReport.newBuilder()
            .setAttempt(tracked.attempt)
            .setAttemptEpoch(tracked.epoch())
            .setPhase(phase)
            .addAllInstances(instances)
            .setRanForMs(ranMillis));
  }

  /** Says why the attempt never starts (again), as often as it is asked. */
  void fate(String attempt, Fate fate) {
    switch (fate.kind()) {
      case REFUSED -> refusal(attempt, fate.words());
      case ENDED -> ended(attempt, fate);
      case STOPPING, ABSENT -> absent(attempt, fate.epoch());
    }
  }

  /** As {@link #fate(String, Fate)}; a refusal leaves a stop that came meanwhile unanswered. */
  void fate(Tracked tracked, Fate fate) {
    fate(tracked.attempt, fate);
    if (fate.kind() == Fate.Kind.REFUSED) {
      stopAnswered(tracked);
    }
  }

  /** Nothing of it is here, and nothing will be: said if the control plane asked for its stop. */
  void stopAnswered(Tracked tracked) {
    tracked.stopAsked().ifPresent(epoch -> absent(tracked.attempt, epoch));
  }

  void ended(String attempt, Fate fate) {
    report(
        AttemptReport.newBuilder()
            .setAttempt(attempt)
            .setAttemptEpoch(fate.epoch())
            .setPhase(Phase.PHASE_ENDED)
            .setEndCause(fate.cause())
            .addAllExitCodes(fate.exitCodes())
            .setMessage(shortened(fate.words()))
            .setRanForMs(fate.ranMillis()));
  }

  void absent(String attempt, long epoch) {
    report(
        AttemptReport.newBuilder()
            .setAttempt(attempt)
            .setAttemptEpoch(epoch)
            .setPhase(Phase.PHASE_ABSENT));
  }

  void refusal(String attempt, String reason) {
    link.accept(
        AgentMessage.newBuilder()
            .setGateRefusal(
                GateRefusal.newBuilder().setAttempt(attempt).setReason(shortened(reason))));
  }

  /** Whether it is JSON at all is for its reader to see. */
  void progress(String attempt, String json) {
    link.accept(
        AgentMessage.newBuilder()
            .setProgress(Progress.newBuilder().setAttempt(attempt).setJson(json)));
  }

  /** In several messages if it is larger than a frame; all but the last say that more follows. */
  void sweep(List<Present> present) {
    Iterator<List<Present>> parts = MessageParts.of(present).iterator();
    while (parts.hasNext()) {
      Sweep.Builder part = Sweep.newBuilder().addAllPresent(parts.next());
      link.accept(AgentMessage.newBuilder().setSweep(part.setMore(parts.hasNext())));
    }
  }

  private void report(AttemptReport.Builder report) {
    link.accept(AgentMessage.newBuilder().setAttempt(report));
  }

  /** At most 1 KB in UTF-8, and no half character. */
  public static String shortened(String text) {
    if (text.length() <= MAX_BYTES / 4) {
      return text;
    }
    ByteBuffer bytes = ByteBuffer.allocate(MAX_BYTES);
    CharBuffer chars = CharBuffer.wrap(text);
    StandardCharsets.UTF_8
        .newEncoder()
        .onMalformedInput(java.nio.charset.CodingErrorAction.REPLACE)
        .encode(chars, bytes, true);
    return text.substring(0, chars.position());
  }
}
