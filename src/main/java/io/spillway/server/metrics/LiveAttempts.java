package io.spillway.server.metrics;

import io.spillway.scheduler.event.AttemptEvent.AttemptEnded;
import io.spillway.scheduler.event.AttemptEvent.AttemptIntended;
import io.spillway.scheduler.event.AttemptEvent.AttemptRunning;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.AttemptState;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.policy.ClusterPolicy;
import io.spillway.scheduler.state.View;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What must still be known of an attempt when it ends, after its job has left the state. Kept by
 * the loop's thread alone.
 */
final class LiveAttempts {
  private final Map<AttemptId, Entry> entries = new HashMap<>();

  /** One attempt and the tags of its series. */
  record Entry(
      String queue,
      String provider,
      String region,
      Attempt.Placement placement,
      Optional<Instant> runningSince) {
    String capacityType() {
      return placement.offering().capacityType().text();
    }
  }

  void reset(View view) {
    entries.clear();
    for (Attempt attempt : view.attempts()) {
      if (!(attempt.state() instanceof AttemptState.Ended)) {
        entries.put(
            attempt.id(), entry(view, attempt.id(), attempt.placement(), attempt.runningSince()));
      }
    }
  }

  Entry intended(AttemptIntended event, View view) {
    Entry entry = entry(view, event.attempt(), event.placement(), Optional.empty());
    entries.put(event.attempt(), entry);
    return entry;
  }

  void running(AttemptRunning event) {
    entries.computeIfPresent(
        event.attempt(),
        (id, e) ->
            new Entry(e.queue(), e.provider(), e.region(), e.placement(), Optional.of(event.at())));
  }

  Optional<Entry> ended(AttemptEnded event) {
    return Optional.ofNullable(entries.remove(event.attempt()));
  }

  Collection<Entry> all() {
    return entries.values();
  }

  private static Entry entry(
      View view, AttemptId id, Attempt.Placement placement, Optional<Instant> runningSince) {
    ClusterName cluster = placement.offering().cluster();
    Optional<ClusterPolicy> policy = Optional.ofNullable(view.policies().clusters().get(cluster));
    return new Entry(
        view.job(id.job()).map(job -> job.order().queue().value()).orElse("unknown"),
        policy.map(ClusterPolicy::provider).orElse("unknown"),
        policy.map(ClusterPolicy::region).orElse("unknown"),
        placement,
        runningSince);
  }
}
