package io.spillway.scheduler.market;

import io.spillway.scheduler.state.View;
import java.util.Optional;

/** Tells prices that cannot be true, by the band of their GPU model. */
public final class PriceSanity {

  /**
   * Called when an observation came in, before it is adopted.
   *
   * @return why its price must not be used, if so
   */
  public Optional<String> objection(Observation observation, View view) {
    return objection(observation);
  }

  /** Why the observation's price is not believed; empty when there is none or it is in band. */
  static Optional<String> objection(Observation seen) {
    PriceBand band = PriceBand.of(seen.shape().gpu());
    return seen.price()
        .filter(price -> !band.holds(price))
        .map(
            price ->
                price.dollars()
                    + " USD per GPU-hour is outside "
                    + band.text()
                    + " for "
                    + seen.shape().gpu());
  }
}
