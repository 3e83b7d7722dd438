package io.spillway.scheduler.event;

import io.spillway.scheduler.lifecycle.Reason;
import io.spillway.scheduler.lifecycle.Standing;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.JobId;
import io.spillway.scheduler.model.JobOrder;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** What happened to a job. */
public sealed interface JobEvent extends Event {
  JobId job();

  /** The loop took a submitted job. */
  record JobTaken(JobId job, JobOrder order, Instant submittedAt) implements JobEvent {}

  /** Back in its place in the queue; {@code notBefore} is a back-off. */
  record JobQueued(
      JobId job, Instant at, Reason reason, Standing standing, Optional<Instant> notBefore)
      implements JobEvent {}

  /** Its back-off is over: it may be placed from now on. */
  record BackoffEnded(JobId job) implements JobEvent {}

  record JobHeld(JobId job, Instant at, Reason reason) implements JobEvent {}

  /** An attempt's start was committed for it. */
  record JobLaunching(JobId job, AttemptId attempt) implements JobEvent {}

  record JobRunning(JobId job, AttemptId attempt, Instant at) implements JobEvent {}

  /** Its attempt is ending early. */
  record JobDraining(JobId job, AttemptId attempt, Instant at, Reason reason, Standing standing)
      implements JobEvent {}

  /** The replacement of a draining job changed: intended, or dropped when empty. */
  record ReplacementSet(JobId job, Optional<AttemptId> next) implements JobEvent {}

  record JobCancelling(JobId job, AttemptId attempt, Instant at, Reason reason)
      implements JobEvent {}

  record JobSucceeded(JobId job, Instant at, AttemptId attempt) implements JobEvent {}

  record JobCancelled(JobId job, Instant at) implements JobEvent {}

  record JobFailed(JobId job, Instant at, Reason reason) implements JobEvent {}

  /** An ended attempt's running time counts towards the job's time-out. */
  record JobRan(JobId job, Duration time) implements JobEvent {}

  /** Ladder, budgets or exclusions changed while the state did not. */
  record StandingChanged(JobId job, Standing standing) implements JobEvent {}

  record PriorityChanged(JobId job, String priorityClass) implements JobEvent {}

  record LabelsChanged(JobId job, Map<String, String> labels) implements JobEvent {
    public LabelsChanged {
      labels = java.util.Collections.unmodifiableMap(new java.util.TreeMap<>(labels));
    }
  }

  /** A command came when the job's state no longer allowed it. */
  record CommandRefused(JobId job, String writer, long seq, String command, String state)
      implements JobEvent {}
}
