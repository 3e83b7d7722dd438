package io.spillway.scheduler.cycle;

import io.spillway.scheduler.event.AttemptEvent.AttemptUnknown;
import io.spillway.scheduler.event.JobEvent;
import io.spillway.scheduler.event.MarketEvent;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.AttemptState;
import io.spillway.scheduler.lifecycle.JobState;
import io.spillway.scheduler.lifecycle.Outcome;
import io.spillway.scheduler.lifecycle.Reason;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.BlockScope;
import io.spillway.scheduler.model.JobId;
import io.spillway.scheduler.state.Timers.Timer;

/**
 * Works off what time alone changes. A deadline whose verdict needs that we could have heard
 * otherwise stays due until we could: see {@link Patience}.
 */
final class DueTimers {
  private final Scene scene;
  private final Endings endings;
  private final Refusals refusals;
  private final Commands commands;
  private final ProvidersWord provider;
  private final Patience patience;

  DueTimers(Scene scene, Endings endings, Refusals refusals, Commands commands) {
    this.scene = scene;
    this.endings = endings;
    this.refusals = refusals;
    this.commands = commands;
    this.provider = new ProvidersWord(scene.view());
    this.patience = new Patience(scene.view(), scene.now(), scene.settings());
  }

  void run() {
    scene
        .view()
        .timers()
        .due(scene.now(), scene.settings().maxTimers(), patience::isRipe)
        .forEach(this::fire);
  }

  private void fire(Timer timer) {
    switch (timer.kind()) {
      case QUEUE_TTL -> expire((JobId) timer.subject());
      case BACKOFF -> ready((JobId) timer.subject());
      case ATTEMPT_DEADLINE ->
          scene.view().attempt((AttemptId) timer.subject()).ifPresent(this::deadline);
      case TIMEOUT -> timeOut((AttemptId) timer.subject());
      case NOTICE ->
          scene.emit(new MarketEvent.NoticeExpired((String) timer.subject(), scene.now()));
      case BLOCK_FORGOTTEN ->
          scene.emit(new MarketEvent.BlockLifted((BlockScope) timer.subject(), scene.now()));
      case CLASS -> throw new IllegalStateException("the placer wakes " + timer.subject());
    }
  }

  /** A timer that was due with it may have ended the job. */
  private void ready(JobId id) {
    scene
        .view()
        .job(id)
        .filter(job -> job.state() instanceof JobState.Queued)
        .ifPresent(job -> scene.emit(new JobEvent.BackoffEnded(id)));
  }

  private void expire(JobId id) {
    scene
        .view()
        .job(id)
        .filter(
            job -> job.state() instanceof JobState.Queued || job.state() instanceof JobState.Held)
        .ifPresent(
            job -> scene.emit(new JobEvent.JobFailed(id, scene.now(), Reason.QUEUE_TTL_EXPIRED)));
  }

  private void timeOut(AttemptId id) {
    scene
        .view()
        .job(id.job())
        .filter(job -> job.state() instanceof JobState.Running)
        .ifPresent(job -> commands.cancel(job, id, Reason.TIMEOUT_REACHED));
  }

  private void deadline(Attempt attempt) {
    switch (attempt.state()) {
      case AttemptState.Launching s ->
          scene.emit(new AttemptUnknown(attempt.id(), attempt.placement().offering(), scene.now()));
      case AttemptState.Starting s -> refusals.neverRan(attempt);
      case AttemptState.Ending ending -> giveUp(attempt, ending);
      default -> {}
    }
  }

  /** Ended if the provider said that every instance is gone; otherwise without proof. */
  private void giveUp(Attempt attempt, AttemptState.Ending ending) {
    if (provider.isGone(attempt)) {
      Outcome outcome = EndVerdict.stopped(attempt, ending.reason());
      endings.end(attempt, new EndVerdict(outcome, Reason.INSTANCE_LOST, ""));
    } else {
      boolean draining = EndVerdict.stopped(attempt, ending.reason()) != Outcome.STOPPED;
      Reason reason = draining ? Reason.DRAIN_DEADLINE_PASSED : Reason.STOP_DEADLINE_PASSED;
      endings.end(attempt, new EndVerdict(Outcome.FENCED, reason, ""));
    }
  }
}
