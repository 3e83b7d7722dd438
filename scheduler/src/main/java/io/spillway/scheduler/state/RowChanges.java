package io.spillway.scheduler.state;

import io.spillway.scheduler.event.AttemptEvent;
import io.spillway.scheduler.event.JobEvent;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.AttemptState;
import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.lifecycle.JobState;
import io.spillway.scheduler.lifecycle.Reason;
import io.spillway.scheduler.lifecycle.Standing;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.JobId;
import io.spillway.scheduler.model.JobOrder;
import io.spillway.scheduler.policy.PolicySet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Applies events to jobs, attempts and policies; reads nothing but the event and these rows. */
final class RowChanges {
  private final Tables tables;
  private final Interning interning = new Interning();

  RowChanges(Tables tables) {
    this.tables = tables;
  }

  void load(Rows rows) {
    tables.policies.put(Tables.ONLY, rows.policies());
    rows.jobs().forEach(job -> tables.jobs.put(job.id(), job.with(interning.of(job.order()))));
    rows.attempts().forEach(attempt -> tables.attempts.put(attempt.id(), attempt));
  }

  void adopt(PolicySet policies) {
    tables.policies.put(Tables.ONLY, policies);
  }

  void apply(JobEvent event) {
    switch (event) {
      case JobEvent.JobTaken e -> take(e);
      case JobEvent.JobQueued e ->
          move(
              e,
              job ->
                  job.in(JobMoves.queued(job, e.at(), e.reason(), e.notBefore()))
                      .with(e.standing()));
      case JobEvent.BackoffEnded e -> move(e, job -> job.in(JobMoves.readied(job)));
      case JobEvent.JobHeld e -> move(e, job -> job.in(JobMoves.held(job, e.at(), e.reason())));
      case JobEvent.JobLaunching e -> move(e, job -> job.in(JobMoves.launching(job, e.attempt())));
      case JobEvent.JobRunning e -> move(e, job -> job.in(JobMoves.running(job, e.at())));
      case JobEvent.JobDraining e ->
          move(e, job -> job.in(JobMoves.draining(job, e.at(), e.reason())).with(e.standing()));
      case JobEvent.ReplacementSet e -> move(e, job -> job.in(JobMoves.holding(job, e.next())));
      case JobEvent.JobCancelling e ->
          move(e, job -> job.in(JobMoves.cancelling(job, e.at(), e.reason())));
      case JobEvent.JobSucceeded e -> move(e, job -> job.in(JobMoves.succeeded(job, e.at())));
      case JobEvent.JobCancelled e -> move(e, job -> job.in(JobMoves.cancelled(job, e.at())));
      case JobEvent.JobFailed e -> move(e, job -> job.in(JobMoves.failed(job, e.at(), e.reason())));
      case JobEvent.JobRan e -> move(e, job -> job.ranMore(e.time()));
      case JobEvent.StandingChanged e -> move(e, job -> job.with(e.standing()));
      case JobEvent.PriorityChanged e ->
          move(e, job -> job.with(reclassed(job.order(), e.priorityClass())));
      case JobEvent.LabelsChanged e -> {}
      case JobEvent.CommandRefused e -> {}
    }
  }

  void apply(AttemptEvent event) {
    switch (event) {
      case AttemptEvent.AttemptIntended e -> intend(e);
      case AttemptEvent.AttemptLaunching e ->
          move(e, a -> a.in(AttemptMoves.launching(a, e.at(), e.deadline())));
      case AttemptEvent.HoldConfirmed e ->
          move(e, a -> a.in(AttemptMoves.held(a)).on(e.instances()));
      case AttemptEvent.AttemptStarting e ->
          move(e, a -> a.in(AttemptMoves.starting(a, e.at(), e.deadline())));
      case AttemptEvent.AttemptRunning e ->
          move(e, a -> a.in(AttemptMoves.running(a, e.at())).on(e.instances()).ranFrom(e.at()));
      case AttemptEvent.AttemptUnknown e -> move(e, a -> a.in(AttemptMoves.unknown(a, e.at())));
      case AttemptEvent.AttemptEnding e -> move(e, a -> a.in(AttemptMoves.ending(a, e)));
      case AttemptEvent.AttemptEnded e -> move(e, a -> a.in(AttemptMoves.ended(a, e)));
      case AttemptEvent.LaunchNotAdmitted e -> {}
      case AttemptEvent.LaunchUntranslatable e -> {}
      case AttemptEvent.LateSuccess e -> move(e, a -> a.in(AttemptMoves.succeededLate(a)));
      case AttemptEvent.StopConfirmed e -> move(e, a -> a.in(AttemptMoves.settled(a)));
      case AttemptEvent.AttemptReachable e -> move(e, a -> a.withUnreachable(!e.reachable()));
    }
  }

  private void take(JobEvent.JobTaken taken) {
    JobState queued = new JobState.Queued(taken.submittedAt(), Reason.SUBMITTED, Optional.empty());
    tables.jobs.put(
        taken.job(),
        new Job(
            taken.job(),
            interning.of(taken.order()),
            taken.submittedAt(),
            queued,
            Standing.FRESH,
            0,
            Duration.ZERO));
  }

  private void intend(AttemptEvent.AttemptIntended e) {
    tables.attempts.put(
        e.attempt(),
        new Attempt(
            e.attempt(),
            e.placement(),
            new AttemptState.Intended(e.after(), e.at(), false),
            e.epoch(),
            false,
            List.of(),
            Optional.empty()));
    Job job = job(e.attempt().job());
    tables.jobs.put(job.id(), job.withAttempts(e.attempt().number()));
  }

  private JobOrder reclassed(JobOrder order, String priorityClass) {
    return interning.of(
        new JobOrder(
            order.name(),
            order.queue(),
            priorityClass,
            order.preemptible(),
            order.shape(),
            order.checkpointInterval(),
            order.timeout(),
            order.queueTtl()));
  }

  private void move(JobEvent event, Function<Job, Job> change) {
    Job next = change.apply(job(event.job()));
    if (next.state().isTerminal()) {
      leave(next);
    } else {
      tables.jobs.put(next.id(), next);
    }
  }

  /** A terminal job leaves memory, with those of its attempts of which nothing can run. */
  private void leave(Job job) {
    for (Attempt attempt : attemptsOf(job)) {
      if (!Usage.occupies(attempt)) {
        tables.attempts.remove(attempt.id());
        tables.leftAttempts.put(attempt.id(), attempt);
      }
    }
    tables.jobs.remove(job.id());
    tables.leftJobs.put(job.id(), job);
  }

  private void move(AttemptEvent event, Function<Attempt, Attempt> change) {
    AttemptId id = event.attempt();
    Attempt before =
        tables
            .attempts
            .get(id)
            .or(() -> tables.leftAttempts.get(id))
            .orElseThrow(() -> new IllegalTransition(id, "nothing", event.toString()));
    Attempt next = change.apply(before);
    if (Usage.occupies(next) || tables.jobs.has(id.job())) {
      tables.attempts.put(id, next);
    } else {
      tables.attempts.remove(id);
      tables.leftAttempts.put(id, next);
    }
  }

  private List<Attempt> attemptsOf(Job job) {
    List<Attempt> attempts = new ArrayList<>(job.attempts());
    for (int number = 1; number <= job.attempts(); number++) {
      tables.attempts.get(new AttemptId(job.id(), number)).ifPresent(attempts::add);
    }
    return attempts;
  }

  private Job job(JobId id) {
    return tables
        .jobs
        .get(id)
        .orElseThrow(() -> new IllegalTransition(id, "nothing", "an event's state"));
  }
}
