package io.spillway.scheduler.cycle;

import io.spillway.scheduler.event.AttemptEvent.StopConfirmed;
import io.spillway.scheduler.event.ClusterEvent.StrayFound;
import io.spillway.scheduler.event.ClusterEvent.StrayGone;
import io.spillway.scheduler.event.ClusterEvent.StrayStopped;
import io.spillway.scheduler.event.ClusterEvent.SweepTaken;
import io.spillway.scheduler.input.AgentInput.AttemptReported;
import io.spillway.scheduler.input.AgentInput.Phase;
import io.spillway.scheduler.input.AgentInput.Present;
import io.spillway.scheduler.input.AgentInput.Swept;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.AttemptState;
import io.spillway.scheduler.lifecycle.Reason;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.state.Memo.Stray;
import io.spillway.scheduler.state.Usage;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Compares both ways what a cluster runs with what should run there (semantics §15). Absence is the
 * weakest evidence and counts only against what the agent reported before; a workload that no
 * attempt accounts for is stopped after two sweeps at least a minute apart.
 */
final class Sweeps {
  private final Scene scene;
  private final Reports reports;
  private final Endings endings;
  private final Drains drains;
  private final Recovery recovery;

  Sweeps(Scene scene, Reports reports, Endings endings, Drains drains, Recovery recovery) {
    this.scene = scene;
    this.reports = reports;
    this.endings = endings;
    this.drains = drains;
    this.recovery = recovery;
  }

  void take(Swept sweep) {
    Set<AttemptId> present = new HashSet<>();
    sweep.present().forEach(workload -> present.add(workload.attempt()));
    for (AttemptId id : List.copyOf(scene.view().usage().on(sweep.cluster()))) {
      if (!present.contains(id) && reports.isNews(id, sweep.agentEpoch(), sweep.seq())) {
        scene.view().attempt(id).ifPresent(this::missing);
      }
    }
    sweep.present().forEach(workload -> present(sweep, workload));
    for (Stray stray : scene.view().strays(sweep.cluster())) {
      if (!present.contains(stray.attempt()) || isAccountedFor(sweep, stray.attempt())) {
        scene.emit(new StrayGone(sweep.cluster(), stray.attempt()));
        recovery.letGo(stray.attempt());
      }
    }
    scene.emit(new SweepTaken(sweep.cluster(), sweep.agentEpoch(), sweep.seq(), scene.now()));
    recovery.endIfAllMatched();
  }

  private void missing(Attempt attempt) {
    switch (attempt.state()) {
      case AttemptState.Intended s -> {}
      case AttemptState.Launching s -> {}
      case AttemptState.Unknown unknown -> askToStop(attempt, unknown);
      case AttemptState.Starting s -> endings.end(attempt, EndVerdict.absent(attempt));
      case AttemptState.Running s -> endings.end(attempt, EndVerdict.absent(attempt));
      case AttemptState.Ending s -> {
        if (ran(attempt)) {
          endings.end(attempt, EndVerdict.absent(attempt));
        }
      }
      case AttemptState.Ended s -> {
        if (ran(attempt)) {
          scene.emit(new StopConfirmed(attempt.id(), scene.now()));
        }
      }
    }
  }

  /**
   * A sweep may have waited longer than the start that it does not show. So the launch is not taken
   * for one that never happened: it is stopped, and the agent's answer to that by name counts.
   */
  private void askToStop(Attempt attempt, AttemptState.Unknown unknown) {
    boolean longAgo =
        !unknown.since().plus(scene.settings().silence().straySweeps()).isAfter(scene.now());
    if (longAgo) {
      Instant deadline = scene.now().plus(scene.settings().drain().stopGrace());
      drains.drain(attempt, Reason.LAUNCH_NEVER_HAPPENED, deadline);
    }
  }

  /**
   * An attempt that the agent never said to run may be missing because its start was still on the
   * way when the sweep was taken; that it was held before proves nothing. Its stop is answered by
   * name, and that answer counts.
   */
  private static boolean ran(Attempt attempt) {
    return attempt.runningSince().isPresent();
  }

  private void present(Swept sweep, Present workload) {
    if (isAccountedFor(sweep, workload.attempt())) {
      join(sweep, workload);
    } else if (workload.phase() == Phase.STARTING || workload.phase() == Phase.RUNNING) {
      if (!(scene.recovering() && recovery.adopt(asReport(sweep, workload)))) {
        stray(sweep, workload);
      }
    }
  }

  /** An end is told by a report of its own, with its evidence. */
  private void join(Swept sweep, Present workload) {
    if (workload.phase() != Phase.ENDED && workload.phase() != Phase.ABSENT) {
      reports.take(asReport(sweep, workload));
    }
  }

  private boolean isAccountedFor(Swept sweep, AttemptId id) {
    return scene
        .view()
        .attempt(id)
        .filter(a -> a.placement().offering().cluster().equals(sweep.cluster()))
        .filter(Usage::occupies)
        .isPresent();
  }

  private void stray(Swept sweep, Present workload) {
    Optional<Stray> known =
        scene.view().strays(sweep.cluster()).stream()
            .filter(stray -> stray.attempt().equals(workload.attempt()))
            .findFirst();
    if (known.isEmpty()) {
      scene.emit(
          new StrayFound(
              sweep.cluster(), workload.attempt(), workload.attemptEpoch(), scene.now(), 1));
      return;
    }
    boolean longAgo =
        !known.get().seenAt().plus(scene.settings().silence().straySweeps()).isAfter(scene.now());
    if (longAgo && !scene.recovering()) {
      scene.emit(
          new StrayStopped(
              sweep.cluster(), workload.attempt(), workload.attemptEpoch(), scene.now()));
    }
  }

  private static AttemptReported asReport(Swept sweep, Present workload) {
    return new AttemptReported(
        sweep.cluster(),
        sweep.agentEpoch(),
        sweep.seq(),
        workload.attempt(),
        workload.attemptEpoch(),
        workload.phase(),
        workload.instances(),
        Optional.empty(),
        Optional.empty());
  }
}
