package io.spillway.scheduler.market;

import io.spillway.scheduler.state.View;
import java.util.Optional;

/** Tells prices that cannot be true. This first version believes every price. */
public final class PriceSanity {

  /**
   * Called when an observation came in, before it is adopted.
   *
   * @return why its price must not be used, if so
   */
  public Optional<String> objection(Observation observation, View view) {
    return Optional.empty();
  }
}
