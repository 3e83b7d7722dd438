package io.spillway.scheduler.cycle;

import io.spillway.scheduler.event.AttemptEvent.LaunchNotAdmitted;
import io.spillway.scheduler.event.AttemptEvent.LaunchUntranslatable;
import io.spillway.scheduler.input.AgentInput.GateRefused;
import io.spillway.scheduler.input.AgentInput.SymptomReported;
import io.spillway.scheduler.input.AgentInput.TranslationRefused;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.AttemptState;
import io.spillway.scheduler.lifecycle.Reason;
import io.spillway.scheduler.lifecycle.Standing.Exclusion;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.BlockScope;
import io.spillway.scheduler.model.CapacityFailure;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.FailureClass;
import io.spillway.scheduler.model.Grounds;
import io.spillway.scheduler.model.OfferingId;
import java.time.Instant;
import java.util.Optional;

/** Refusals by clouds and by agents' gates, and starts that run nothing in time. */
final class Refusals {
  private static final int MAX_WORDS = 300;

  private final Scene scene;
  private final Drains drains;
  private final BlockBook blocks;

  Refusals(Scene scene, Drains drains, BlockBook blocks) {
    this.scene = scene;
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

  /**
   * A gate refuses before anything exists, and remembers that before it says so. But a memory can
   * be lost while a copy of the start is still on its way: so the launch is stopped, and the
   * agent's answer to that by name counts. Said of what is being stopped already it changes
   * nothing, since it may be older than the stop.
   */
  void gate(GateRefused refused) {
    in(refused.cluster(), refused.attempt())
        .filter(Refusals::isAboutToStart)
        .ifPresentOrElse(
            attempt -> {
              OfferingId offering = attempt.placement().offering();
              scene.emit(
                  new LaunchNotAdmitted(
                      attempt.id(), offering, scene.now(), shortened(refused.reason())));
              drains.drain(
                  attempt,
                  Reason.GATE_REFUSED,
                  stopDeadline(),
                  Exclusion.of(offering, gateLasts()));
            },
            () -> scene.ignore(refused, refused.attempt(), "it is not about to start"));
  }

  /**
   * The server has no words for the launch. That proves nothing of what another stream of the
   * cluster was told before, under other policies: so it is stopped, and the agent's answer by name
   * counts.
   */
  void translation(TranslationRefused refused) {
    in(refused.cluster(), refused.attempt())
        .filter(Refusals::isAboutToStart)
        .ifPresentOrElse(
            attempt -> {
              OfferingId offering = attempt.placement().offering();
              scene.emit(
                  new LaunchUntranslatable(
                      attempt.id(), offering, scene.now(), shortened(refused.reason())));
              drains.drain(
                  attempt,
                  Reason.TRANSLATION_REFUSED,
                  stopDeadline(),
                  away(offering, refused.grounds()));
            },
            () -> scene.ignore(refused, refused.attempt(), "it is not about to start"));
  }

  /** Grounds that are gone already exclude nothing for long: the next asking may well succeed. */
  private Exclusion away(OfferingId offering, Grounds grounds) {
    boolean hold =
        grounds.stillHold(
            scene.view().policies().version(), scene.view().abilities(offering.cluster()));
    return hold
        ? new Exclusion(offering, gateLasts(), Optional.of(grounds))
        : Exclusion.of(offering, scene.now().plus(scene.settings().blocks().doubt()));
  }

  private Instant gateLasts() {
    return scene.now().plus(scene.settings().blocks().gate());
  }

  private Instant stopDeadline() {
    return scene.now().plus(scene.settings().drain().stopGrace());
  }

  private static String shortened(String words) {
    return words.length() <= MAX_WORDS ? words : words.substring(0, MAX_WORDS);
  }

  private void takeBack(Attempt attempt, Reason reason, Optional<Instant> blocked) {
    Instant until =
        blocked.orElseGet(() -> scene.now().plus(scene.settings().blocks().exclusion()));
    drains.drain(
        attempt, reason, stopDeadline(), Exclusion.of(attempt.placement().offering(), until));
  }

  private Optional<Attempt> in(ClusterName cluster, AttemptId id) {
    return scene
        .view()
        .attempt(id)
        .filter(attempt -> attempt.placement().offering().cluster().equals(cluster));
  }

  private static boolean isAboutToStart(Attempt attempt) {
    return switch (attempt.state()) {
      case AttemptState.Intended i -> true;
      case AttemptState.Launching l -> true;
      case AttemptState.Unknown u -> true;
      default -> false;
    };
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
