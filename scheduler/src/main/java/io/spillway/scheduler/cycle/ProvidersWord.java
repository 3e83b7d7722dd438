package io.spillway.scheduler.cycle;

import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.market.CapacityNotice.Kind;
import io.spillway.scheduler.state.View;
import java.time.Instant;

/** What providers said of instances, as far as it is remembered. */
record ProvidersWord(View view) {

  /** Whether the provider said of every instance of the attempt that it is gone. */
  boolean isGone(Attempt attempt) {
    Instant from = attempt.runningSince().orElse(Instant.EPOCH);
    return !attempt.instances().isEmpty()
        && attempt.instances().stream().allMatch(instance -> isGone(instance, from));
  }

  /** A loss before that was of an earlier life of the same machine. */
  private boolean isGone(String instance, Instant from) {
    return view.noticesNaming(instance).stream()
        .flatMap(id -> view.notice(id).stream())
        .filter(known -> known.notice().kind() == Kind.LOSS)
        .anyMatch(known -> !known.at().isBefore(from));
  }
}
