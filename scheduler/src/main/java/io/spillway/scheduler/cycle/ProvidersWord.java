package io.spillway.scheduler.cycle;

import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.market.CapacityNotice.Kind;
import io.spillway.scheduler.state.View;

/** What providers said of instances, as far as it is remembered. */
record ProvidersWord(View view) {

  /** Whether the provider said of every instance of the attempt that it is gone. */
  boolean isGone(Attempt attempt) {
    return !attempt.instances().isEmpty() && attempt.instances().stream().allMatch(this::isGone);
  }

  private boolean isGone(String instance) {
    return view.noticesNaming(instance).stream()
        .flatMap(id -> view.notice(id).stream())
        .anyMatch(known -> known.notice().kind() == Kind.LOSS);
  }
}
