package io.spillway.server.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.spillway.scheduler.event.AttemptEvent.AttemptEnded;
import io.spillway.scheduler.event.AttemptEvent.AttemptIntended;
import io.spillway.scheduler.event.AttemptEvent.AttemptLaunching;
import io.spillway.scheduler.event.Event;
import io.spillway.scheduler.event.JobEvent.JobDraining;
import io.spillway.scheduler.input.Received;
import io.spillway.scheduler.lifecycle.Reason;
import io.spillway.scheduler.model.JobId;
import io.spillway.server.loop.CommitListener.Commit;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * How fast jobs move: from a notice, or a loss, to the held replacement, and from the old attempt's
 * end to the next one's start. A time begins when the input that caused it was made durable and
 * ends when the commit that answers it was.
 */
final class FailoverTimes {
  private final MeterRegistry registry;
  private final Map<JobId, Begun> draining = new HashMap<>();
  private final Map<JobId, Instant> ended = new HashMap<>();

  FailoverTimes(MeterRegistry registry) {
    this.registry = registry;
  }

  void reset() {
    draining.clear();
    ended.clear();
  }

  void committed(Commit commit, Instant durableAt) {
    Instant since =
        commit.inputs().received().stream()
            .map(Received::at)
            .min(Instant::compareTo)
            .orElse(commit.cycle().now());
    for (Event event : commit.events()) {
      switch (event) {
        case JobDraining e when kind(e.reason()) != null ->
            draining.put(e.job(), new Begun(kind(e.reason()), since));
        case AttemptIntended e when e.after().isPresent() ->
            record(draining.remove(e.attempt().job()), durableAt);
        case AttemptEnded e -> ended.put(e.attempt().job(), since);
        case AttemptLaunching e -> launched(e.attempt().job(), e.attempt().number(), durableAt);
        case io.spillway.scheduler.event.JobEvent.JobSucceeded e -> forget(e.job());
        case io.spillway.scheduler.event.JobEvent.JobFailed e -> forget(e.job());
        case io.spillway.scheduler.event.JobEvent.JobCancelled e -> forget(e.job());
        default -> {}
      }
    }
  }

  private void launched(JobId job, int number, Instant durableAt) {
    Instant since = ended.remove(job);
    if (since != null && number > 1) {
      record(new Begun("ended_to_start", since), durableAt);
    }
  }

  private void forget(JobId job) {
    draining.remove(job);
    ended.remove(job);
  }

  private void record(Begun begun, Instant durableAt) {
    if (begun != null) {
      Duration time = Duration.between(begun.since(), durableAt);
      registry
          .timer("spillway.failover", "kind", begun.kind())
          .record(time.isNegative() ? Duration.ZERO : time);
    }
  }

  private static String kind(Reason reason) {
    return switch (reason) {
      case INTERRUPTED, MAINTENANCE -> "notice_to_held";
      case INSTANCE_LOST, NODE_LOST -> "loss_to_held";
      default -> null;
    };
  }

  private record Begun(String kind, Instant since) {}
}
