package io.spillway.scheduler.cycle;

import io.spillway.scheduler.event.AttemptEvent.AttemptEnding;
import io.spillway.scheduler.event.JobEvent;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.AttemptState;
import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.lifecycle.JobState;
import io.spillway.scheduler.lifecycle.Reason;
import io.spillway.scheduler.lifecycle.Standing;
import io.spillway.scheduler.lifecycle.Standing.Exclusion;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.retry.Setbacks;
import java.time.Instant;

/** Ends attempts before their time: the whole gang, with time to save its work. */
final class Drains {
  private final Scene scene;
  private final Endings endings;

  Drains(Scene scene, Endings endings) {
    this.scene = scene;
    this.endings = endings;
  }

  void drain(Attempt attempt, Reason reason, Instant deadline) {
    Instant until = scene.now().plus(scene.settings().blocks().exclusion());
    drain(attempt, reason, deadline, Exclusion.of(attempt.placement().offering(), until));
  }

  /**
   * Drains an attempt that is not ended. One that is ending already only gets an earlier deadline;
   * an intended one is dropped.
   *
   * @param excluded how long the job avoids the offering, if the reason speaks against it
   */
  void drain(Attempt attempt, Reason reason, Instant deadline, Exclusion excluded) {
    Instant at = deadline.isBefore(scene.now()) ? scene.now() : deadline;
    switch (attempt.state()) {
      case AttemptState.Ended ended -> {}
      case AttemptState.Intended intended -> dropHeld(attempt, reason, excluded);
      case AttemptState.Ending ending -> {
        if (at.isBefore(ending.deadline())) {
          scene.emit(new AttemptEnding(attempt.id(), scene.now(), at, reason));
        }
      }
      default -> begin(attempt, reason, at, excluded);
    }
  }

  private void begin(Attempt attempt, Reason reason, Instant deadline, Exclusion excluded) {
    scene.emit(new AttemptEnding(attempt.id(), scene.now(), deadline, reason));
    scene
        .view()
        .job(attempt.id().job())
        .filter(Drains::canDrain)
        .ifPresent(
            job ->
                scene.emit(
                    new JobEvent.JobDraining(
                        job.id(),
                        attempt.id(),
                        scene.now(),
                        reason,
                        standing(job, attempt, reason, excluded))));
  }

  private void dropHeld(Attempt held, Reason reason, Exclusion excluded) {
    endings.drop(held, reason);
    scene
        .view()
        .job(held.id().job())
        .filter(job -> !job.state().isTerminal())
        .ifPresent(
            job ->
                scene.emit(
                    new JobEvent.StandingChanged(
                        job.id(), scene.setbacks(job).excluded(job.standing(), excluded))));
  }

  private Standing standing(Job job, Attempt attempt, Reason reason, Exclusion excluded) {
    Setbacks setbacks = scene.setbacks(job);
    OfferingId offering = attempt.placement().offering();
    int rung = attempt.placement().rung();
    Standing before = job.standing();
    if (reason == Reason.GATE_REFUSED || reason == Reason.TRANSLATION_REFUSED) {
      // No word on capacity.
      return setbacks.excluded(before, excluded);
    }
    return switch (EndVerdict.stopped(attempt, reason)) {
      case INTERRUPTED -> setbacks.interrupted(before, rung, offering, excluded.until());
      case REFUSED -> setbacks.refused(before, rung, offering, excluded.until());
      case INFRASTRUCTURE -> setbacks.excluded(setbacks.brokenDown(before), excluded);
      default -> setbacks.requeued(before);
    };
  }

  private static boolean canDrain(Job job) {
    return job.state() instanceof JobState.Launching || job.state() instanceof JobState.Running;
  }
}
