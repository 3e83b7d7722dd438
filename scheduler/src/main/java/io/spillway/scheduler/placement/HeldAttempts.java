package io.spillway.scheduler.placement;

import io.spillway.scheduler.cycle.Cycle;
import io.spillway.scheduler.event.AttemptEvent;
import io.spillway.scheduler.event.JobEvent;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.AttemptState;
import io.spillway.scheduler.lifecycle.Outcome;
import io.spillway.scheduler.lifecycle.Reason;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.plan.EventSink;
import io.spillway.scheduler.state.View;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Replacements that are intended and wait for their predecessor's end. One whose place was blocked,
 * cordoned or cut off meanwhile would be refused when its turn comes, so it is dropped now and the
 * job looks elsewhere while there is time.
 */
final class HeldAttempts {
  private final View view;
  private final Cycle cycle;
  private final EventSink sink;

  HeldAttempts(View view, Cycle cycle, EventSink sink) {
    this.view = view;
    this.cycle = cycle;
    this.sink = sink;
  }

  /** Drops those that lost their place among the touched offerings. */
  void drop(Touched touched, Board board, Offerings offerings) {
    Collection<Offering> doubtful = touched.doubtful();
    Set<ClusterName> clusters = new TreeSet<>();
    doubtful.forEach(offering -> clusters.add(offering.id().cluster()));
    List<Attempt> lost = new ArrayList<>();
    for (ClusterName cluster : clusters) {
      for (AttemptId id : view.usage().on(cluster)) {
        view.attempt(id)
            .filter(HeldAttempts::isHeld)
            .filter(attempt -> hasLostItsPlace(attempt, board, offerings))
            .ifPresent(lost::add);
      }
    }
    for (Attempt attempt : lost) {
      drop(attempt);
      touched.freed(attempt.placement().offering());
      offerings.find(attempt.placement().offering()).ifPresent(board::forget);
    }
  }

  private void drop(Attempt attempt) {
    sink.emit(
        new AttemptEvent.AttemptEnded(
            attempt.id(),
            attempt.placement().offering(),
            cycle.now(),
            Outcome.DROPPED,
            Reason.HOLD_DROPPED,
            Optional.empty(),
            Duration.ZERO,
            ""));
    sink.emit(new JobEvent.ReplacementSet(attempt.id().job(), Optional.empty()));
  }

  private static boolean isHeld(Attempt attempt) {
    return attempt.state() instanceof AttemptState.Intended intended
        && intended.after().isPresent();
  }

  private static boolean hasLostItsPlace(Attempt attempt, Board board, Offerings offerings) {
    return offerings
        .find(attempt.placement().offering())
        .flatMap(offering -> board.condition(offering).refusal())
        .map(
            refusal ->
                switch (refusal.reason()) {
                  case CLUSTER_UNREGISTERED,
                      CLUSTER_CUT_OFF,
                      CLUSTER_CORDONED,
                      POOL_CORDONED,
                      POOL_OVER,
                      BLOCKED,
                      AT_RISK ->
                      true;
                  default -> false;
                })
        .orElse(false);
  }
}
