package io.spillway.server.gateway;

import io.spillway.protocol.v1.Capabilities;
import io.spillway.protocol.v1.ControlFrame;
import io.spillway.scheduler.input.AgentInput;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.server.gateway.ManifestSource.Answer.Unsayable;
import java.util.Optional;

/**
 * Something that an agent is to be told of an attempt.
 *
 * @param offering empty for a stray, which is on none that the store knows
 * @param seq journal row that caused it; of two commands of one attempt the later counts
 * @param refusal why it cannot be put into the cluster's words; then it is not told
 */
record Command(
    ClusterName cluster,
    AttemptId attempt,
    Optional<OfferingId> offering,
    long seq,
    ControlFrame frame,
    Optional<Unsayable> refusal) {

  Command(
      ClusterName cluster,
      AttemptId attempt,
      Optional<OfferingId> offering,
      long seq,
      ControlFrame frame) {
    this(cluster, attempt, offering, seq, frame, Optional.empty());
  }

  /**
   * Whether it can be told to an agent that said this of its cluster. Not if it brings no objects
   * to one that applies them: it was put into words while the cluster's stream was another, or
   * none, and is read again for this one.
   */
  boolean fits(Optional<Capabilities> said) {
    boolean bare =
        frame.hasStart()
            ? frame.getStart().getManifestsCount() == 0
            : frame.hasHold() && frame.getHold().getManifestsCount() == 0;
    return refusal.isPresent()
        || !bare
        || !said.map(Capabilities::getAppliesManifests).orElse(false);
  }

  Command refused(Unsayable why) {
    return new Command(cluster, attempt, offering, seq, frame, Optional.of(why));
  }

  /** What the core is told instead of the agent, of one that is refused. */
  AgentInput.TranslationRefused untold() {
    Unsayable unsayable = refusal.orElseThrow();
    return new AgentInput.TranslationRefused(
        cluster, attempt, AgentText.clean(unsayable.why(), AgentText.MESSAGE), unsayable.grounds());
  }
}
