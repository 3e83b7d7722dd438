package io.spillway.scheduler.cycle;

import io.spillway.scheduler.input.AgentInput.GateRefused;
import io.spillway.scheduler.input.AgentInput.SymptomReported;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.AttemptState;
import io.spillway.scheduler.lifecycle.Outcome;
import io.spillway.scheduler.lifecycle.Reason;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.BlockScope;
import io.spillway.scheduler.model.CapacityFailure;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.FailureClass;
import io.spillway.scheduler.model.OfferingId;
import java.time.Instant;
import java.util.Optional;

/** Refusals by clouds and by agents' gates, and starts that run nothing in time. */
final class Refusals {
  private static final int MAX_WORDS = 300;

  private final Scene scene;
  private final Endings endings;
  private final Drains drains;
  private final BlockBook blocks;

  Refusals(Scene scene, Endings endings, Drains drains, BlockBook blocks) {
    this.scene = scene;
    this.endings = endings;
    this.drains = drains;
    this.blocks = blocks;
  }

  /** Told by an event of the provider. */
  void observed(CapacityFailure failure) {
    blocks.count(failure);
  }

  /**
   * Met by an agent. The launch concerned is taken back: its objects exist already, so that the
   * next attempt starts once they are gone. A throttled call is no refusal: the cluster's
   * autoscaler makes it again, and the capacity may well be there, in a reservation it is; only new
   * launches wait. If it never succeeds, the launch deadline ends it.
   */
  void symptom(SymptomReported symptom) {
    Optional<Instant> blocked = blocks.count(symptom.failure());
    if (symptom.failure().failureClass() == FailureClass.THROTTLED) {
      return;
    }
    symptom
        .attempt()
        .flatMap(id -> in(symptom.cluster(), id))
        .filter(Refusals::hasNotRun)
        .ifPresent(attempt -> takeBack(attempt, Reason.CAPACITY_REFUSED, blocked));
  }

  /** The launch deadline passed and its members do not run: as good as a refusal. */
  void neverRan(Attempt attempt) {
    OfferingId offering = attempt.placement().offering();
    Optional<Instant> blocked =
        scene
            .view()
            .catalogue()
            .key(offering)
            .flatMap(
                key ->
                    blocks.count(
                        new CapacityFailure(
                            FailureClass.NO_CAPACITY,
                            BlockScope.of(key),
                            scene.settings().blocks().exclusion(),
                            "launch deadline passed",
                            scene.now())));
    takeBack(attempt, Reason.LAUNCH_DEADLINE_PASSED, blocked);
  }

  /** A gate refuses before anything exists. */
  void gate(GateRefused refused) {
    in(refused.cluster(), refused.attempt())
        .ifPresentOrElse(
            attempt -> gate(attempt, refused.reason()),
            () -> scene.ignore(refused, refused.attempt(), "no such attempt"));
  }

  private void gate(Attempt attempt, String words) {
    String detail = words.length() <= MAX_WORDS ? words : words.substring(0, MAX_WORDS);
    switch (attempt.state()) {
      case AttemptState.Intended i ->
          drains.drain(
              attempt,
              Reason.GATE_REFUSED,
              scene.now(),
              scene.now().plus(scene.settings().blocks().gate()));
      case AttemptState.Launching l ->
          endings.end(attempt, new EndVerdict(Outcome.REFUSED, Reason.GATE_REFUSED, detail));
      case AttemptState.Unknown u ->
          endings.end(attempt, new EndVerdict(Outcome.REFUSED, Reason.GATE_REFUSED, detail));
      default -> scene.ignore("GateRefused", attempt.id(), attempt.state().label());
    }
  }

  private void takeBack(Attempt attempt, Reason reason, Optional<Instant> blocked) {
    Instant deadline = scene.now().plus(scene.settings().drain().stopGrace());
    Instant excluded =
        blocked.orElseGet(() -> scene.now().plus(scene.settings().blocks().exclusion()));
    drains.drain(attempt, reason, deadline, excluded);
  }

  private Optional<Attempt> in(ClusterName cluster, AttemptId id) {
    return scene
        .view()
        .attempt(id)
        .filter(attempt -> attempt.placement().offering().cluster().equals(cluster));
  }

  private static boolean hasNotRun(Attempt attempt) {
    return switch (attempt.state()) {
      case AttemptState.Launching l -> true;
      case AttemptState.Unknown u -> true;
      case AttemptState.Starting s -> true;
      default -> false;
    };
  }
}
