package io.spillway.scheduler.cycle;

import io.spillway.scheduler.event.JobEvent;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.lifecycle.JobState;
import io.spillway.scheduler.lifecycle.Outcome;
import io.spillway.scheduler.lifecycle.Reason;
import io.spillway.scheduler.lifecycle.Standing;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.policy.QueuePolicy;
import io.spillway.scheduler.retry.Backoff;
import io.spillway.scheduler.retry.Setbacks;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Where a job goes whose attempt ended unasked while LAUNCHING or RUNNING. */
final class NextStep {
  private final Scene scene;

  NextStep(Scene scene) {
    this.scene = scene;
  }

  void after(Job job, Attempt attempt, EndVerdict verdict) {
    Setbacks setbacks = scene.setbacks(job);
    Standing before = job.standing();
    OfferingId offering = attempt.placement().offering();
    int rung = attempt.placement().rung();
    Instant excluded = scene.now().plus(scene.settings().blocks().exclusion());
    switch (verdict.outcome()) {
      case FAILED -> failed(job, setbacks.failed(before));
      case INFRASTRUCTURE -> brokenDown(job, verdict.reason(), setbacks.brokenDown(before));
      case INTERRUPTED ->
          queued(job, verdict.reason(), setbacks.interrupted(before, rung, offering, excluded));
      case REFUSED ->
          refused(job, verdict.reason(), setbacks.refused(before, rung, offering, excluded));
      case FENCED, STOPPED -> queued(job, verdict.reason(), setbacks.requeued(before));
      case SUCCEEDED, DROPPED ->
          throw new IllegalStateException(attempt.id() + " leaves its job nothing to do next");
    }
  }

  /** Whether a drained job's last end was one failure of infrastructure too many. */
  boolean isSpent(Job drained, EndVerdict verdict) {
    return verdict.outcome() == Outcome.INFRASTRUCTURE
        && drained.standing().infrastructureFailures() > retry(drained).infrastructureFailures();
  }

  private void failed(Job job, Standing standing) {
    QueuePolicy.Retry retry = retry(job);
    if (standing.userFailures() > retry.userFailures()) {
      scene.emit(new JobEvent.JobFailed(job.id(), scene.now(), Reason.USER_FAILURES_SPENT));
    } else {
      Duration wait = backoff(standing.userFailures(), retry);
      queued(job, Reason.EXITED_NONZERO, standing, wait);
    }
  }

  private void brokenDown(Job job, Reason reason, Standing standing) {
    QueuePolicy.Retry retry = retry(job);
    if (standing.infrastructureFailures() > retry.infrastructureFailures()) {
      scene.emit(
          new JobEvent.JobFailed(job.id(), scene.now(), Reason.INFRASTRUCTURE_FAILURES_SPENT));
    } else {
      queued(job, reason, standing, backoff(standing.infrastructureFailures(), retry));
    }
  }

  private void refused(Job job, Reason reason, Standing standing) {
    Instant since =
        job.state() instanceof JobState.Launching launching
            ? launching.waitingSince()
            : scene.now();
    scene.emit(new JobEvent.JobQueued(job.id(), since, reason, standing, Optional.empty()));
  }

  private void queued(Job job, Reason reason, Standing standing) {
    scene.emit(new JobEvent.JobQueued(job.id(), scene.now(), reason, standing, Optional.empty()));
  }

  private void queued(Job job, Reason reason, Standing standing, Duration wait) {
    Optional<Instant> notBefore =
        wait.isZero() ? Optional.empty() : Optional.of(scene.now().plus(wait));
    scene.emit(new JobEvent.JobQueued(job.id(), scene.now(), reason, standing, notBefore));
  }

  private Duration backoff(int failures, QueuePolicy.Retry retry) {
    return Backoff.after(failures, retry.backoff(), scene.settings().maxBackoff());
  }

  private QueuePolicy.Retry retry(Job job) {
    return scene
        .queue(job.order().queue())
        .map(QueuePolicy::retry)
        .orElse(QueuePolicy.Retry.DEFAULT);
  }
}
