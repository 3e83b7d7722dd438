package io.spillway.scheduler.placement;

import io.spillway.scheduler.cycle.Cycle;
import io.spillway.scheduler.event.AttemptEvent;
import io.spillway.scheduler.event.JobEvent;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.lifecycle.JobState;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.JobShape;
import io.spillway.scheduler.plan.Evaluation;
import io.spillway.scheduler.plan.EventSink;
import java.util.Optional;

/** Says in events that a job's next attempt goes onto a choice; the price is fixed here. */
final class Launcher {
  private final Cycle cycle;
  private final EventSink sink;

  Launcher(Cycle cycle, EventSink sink) {
    this.cycle = cycle;
    this.sink = sink;
  }

  Evaluation.Placed launch(Job job, Choice choice, String rungName) {
    AttemptId attempt = new AttemptId(job.id(), job.attempts() + 1);
    Attempt.Placement placement = placement(job.order().shape(), choice, rungName);
    if (job.state() instanceof JobState.Draining draining) {
      sink.emit(
          new AttemptEvent.AttemptIntended(
              attempt, placement, Optional.of(draining.attempt()), cycle.now(), cycle.epoch()));
      sink.emit(new JobEvent.ReplacementSet(job.id(), Optional.of(attempt)));
    } else {
      sink.emit(
          new AttemptEvent.AttemptIntended(
              attempt, placement, Optional.empty(), cycle.now(), cycle.epoch()));
      sink.emit(
          new AttemptEvent.AttemptLaunching(
              attempt,
              choice.offering().id(),
              cycle.now(),
              cycle.now().plus(choice.offering().spec().launchDeadline())));
      sink.emit(new JobEvent.JobLaunching(job.id(), attempt));
    }
    return new Evaluation.Placed(attempt, choice.offering().id());
  }

  private static Attempt.Placement placement(JobShape shape, Choice choice, String rungName) {
    return new Attempt.Placement(
        choice.offering().id(),
        choice.rung(),
        rungName,
        choice.price().price(),
        choice.price().onDemand(),
        shape.nodes(),
        shape.gpusPerNode());
  }
}
