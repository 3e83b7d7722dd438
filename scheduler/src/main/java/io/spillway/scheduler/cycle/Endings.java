package io.spillway.scheduler.cycle;

import io.spillway.scheduler.event.AttemptEvent.AttemptEnded;
import io.spillway.scheduler.event.AttemptEvent.AttemptEnding;
import io.spillway.scheduler.event.AttemptEvent.AttemptLaunching;
import io.spillway.scheduler.event.AttemptEvent.LateSuccess;
import io.spillway.scheduler.event.JobEvent;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.lifecycle.JobState;
import io.spillway.scheduler.lifecycle.Outcome;
import io.spillway.scheduler.lifecycle.Reason;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.CapacityFailure;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.OfferingId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Ends attempts, and says what becomes of their jobs. */
final class Endings {
  private final Scene scene;
  private final Strays strays;
  private final NextStep next;

  Endings(Scene scene, Strays strays) {
    this.scene = scene;
    this.strays = strays;
    this.next = new NextStep(scene);
  }

  void end(Attempt attempt, EndVerdict verdict) {
    end(attempt, verdict, attempt.ran(scene.now()), Optional.empty());
  }

  /**
   * Ends an attempt that has not ended.
   *
   * @param ran how long all members ran
   */
  void end(Attempt attempt, EndVerdict verdict, Duration ran, Optional<CapacityFailure> failure) {
    scene.emit(
        new AttemptEnded(
            attempt.id(),
            attempt.placement().offering(),
            scene.now(),
            verdict.outcome(),
            verdict.reason(),
            failure,
            lostWork(attempt, verdict.outcome(), ran),
            verdict.detail()));
    current(attempt.id()).ifPresent(job -> move(job, attempt, verdict, ran));
  }

  /** Ends an intended attempt that is not to be started; its draining job may get another. */
  void drop(Attempt intended, Reason reason) {
    scene.emit(
        new AttemptEnded(
            intended.id(),
            intended.placement().offering(),
            scene.now(),
            Outcome.DROPPED,
            reason,
            Optional.empty(),
            Duration.ZERO,
            ""));
    scene
        .view()
        .job(intended.id().job())
        .filter(job -> job.state() instanceof JobState.Draining)
        .ifPresent(job -> scene.emit(new JobEvent.ReplacementSet(job.id(), Optional.empty())));
  }

  /** A fenced or lost attempt turned out to have succeeded while its job goes on. */
  void succeedLate(Attempt ended, Job job) {
    scene.emit(new LateSuccess(ended.id(), scene.now()));
    currentOf(job.state()).flatMap(scene.view()::attempt).ifPresent(this::supersede);
    dropNext(job, Reason.SUPERSEDED);
    scene.emit(new JobEvent.JobSucceeded(job.id(), scene.now(), ended.id()));
  }

  /** Drops the replacement that a draining job holds, if it holds one. */
  void dropNext(Job job, Reason reason) {
    if (job.state() instanceof JobState.Draining draining) {
      draining.next().flatMap(scene.view()::attempt).ifPresent(held -> drop(held, reason));
    }
  }

  /** The attempt on which a job is. */
  static Optional<AttemptId> currentOf(JobState state) {
    return switch (state) {
      case JobState.Launching s -> Optional.of(s.attempt());
      case JobState.Running s -> Optional.of(s.attempt());
      case JobState.Draining s -> Optional.of(s.attempt());
      case JobState.Cancelling s -> Optional.of(s.attempt());
      default -> Optional.empty();
    };
  }

  private void supersede(Attempt later) {
    if (later.state().isLive()) {
      Instant deadline = scene.now().plus(scene.settings().drain().stopGrace());
      scene.emit(new AttemptEnding(later.id(), scene.now(), deadline, Reason.SUPERSEDED));
    }
  }

  private Optional<Job> current(AttemptId id) {
    return scene.view().job(id.job()).filter(job -> currentOf(job.state()).equals(Optional.of(id)));
  }

  private void move(Job before, Attempt attempt, EndVerdict verdict, Duration ran) {
    if (!ran.isZero()) {
      scene.emit(new JobEvent.JobRan(before.id(), ran));
    }
    if (verdict.outcome() == Outcome.SUCCEEDED) {
      dropNext(before, Reason.PREDECESSOR_SUCCEEDED);
      scene.emit(new JobEvent.JobSucceeded(before.id(), scene.now(), attempt.id()));
      return;
    }
    switch (before.state()) {
      case JobState.Cancelling cancelling -> finish(before, cancelling);
      case JobState.Draining draining -> afterDrain(before, draining, attempt, verdict);
      default -> next.after(before, attempt, verdict);
    }
  }

  private void finish(Job job, JobState.Cancelling cancelling) {
    scene.emit(
        cancelling.reason() == Reason.USER_CANCELLED
            ? new JobEvent.JobCancelled(job.id(), scene.now())
            : new JobEvent.JobFailed(job.id(), scene.now(), cancelling.reason()));
  }

  /** Its setback was counted when the drain began. */
  private void afterDrain(
      Job job, JobState.Draining draining, Attempt attempt, EndVerdict verdict) {
    Optional<Attempt> held = draining.next().flatMap(scene.view()::attempt);
    if (next.isSpent(job, verdict)) {
      dropNext(job, Reason.HOLD_DROPPED);
      scene.emit(
          new JobEvent.JobFailed(job.id(), scene.now(), Reason.INFRASTRUCTURE_FAILURES_SPENT));
      return;
    }
    if (held.filter(this::canStart).isPresent() && !strays.runBeside(job)) {
      start(job, held.get());
      return;
    }
    held.ifPresent(replacement -> drop(replacement, Reason.HOLD_DROPPED));
    boolean neverRan = attempt.runningSince().isEmpty();
    scene.emit(
        new JobEvent.JobQueued(
            job.id(),
            neverRan && verdict.outcome() == Outcome.REFUSED
                ? draining.waitingSince()
                : scene.now(),
            draining.reason(),
            job.standing(),
            Optional.empty()));
  }

  private boolean canStart(Attempt held) {
    ClusterName cluster = held.placement().offering().cluster();
    return !scene.recovering() && scene.view().cluster(cluster).isHeard();
  }

  private void start(Job job, Attempt held) {
    OfferingId offering = held.placement().offering();
    Instant deadline = scene.now().plus(scene.view().catalogue().launchDeadline(offering));
    scene.emit(new AttemptLaunching(held.id(), offering, scene.now(), deadline));
    scene.emit(new JobEvent.JobLaunching(job.id(), held.id()));
  }

  /** Running time since the last checkpoint; none is lost by an end that was good. */
  private Duration lostWork(Attempt attempt, Outcome outcome, Duration ran) {
    if (outcome == Outcome.SUCCEEDED || outcome == Outcome.DROPPED) {
      return Duration.ZERO;
    }
    return scene
        .view()
        .job(attempt.id().job())
        .flatMap(job -> job.order().checkpointInterval())
        .filter(Duration::isPositive)
        .map(interval -> ran.minus(interval.multipliedBy(ran.dividedBy(interval))))
        .orElse(ran);
  }
}
