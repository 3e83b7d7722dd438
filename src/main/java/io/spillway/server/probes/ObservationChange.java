package io.spillway.server.probes;

import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.model.UsdPerGpuHour;
import java.time.Duration;
import java.util.Optional;

/**
 * Whether an observation says something new. Small price moves are not worth a commit, but an
 * observation whose silence would age out of use is repeated in time.
 */
final class ObservationChange {
  /** A price within this share of the last one is the same price (semantics §2). */
  private static final double PRICE_STEP = 0.005;

  private final Duration repeatAfter;

  /**
   * @param repeatAfter age of the last one at which an unchanged one is told again; well under the
   *     age at which the core distrusts a price
   */
  ObservationChange(Duration repeatAfter) {
    this.repeatAfter = repeatAfter;
  }

  boolean matters(Optional<Observation> last, Observation seen) {
    return last.map(known -> differs(known, seen)).orElse(true);
  }

  private boolean differs(Observation known, Observation seen) {
    return known.availability() != seen.availability()
        || known.trust() != seen.trust()
        || !known.shape().equals(seen.shape())
        || moved(known.price(), seen.price())
        || moved(known.onDemandPrice(), seen.onDemandPrice())
        || seen.observedAt().isAfter(known.observedAt().plus(repeatAfter));
  }

  private static boolean moved(Optional<UsdPerGpuHour> before, Optional<UsdPerGpuHour> after) {
    if (before.isEmpty() || after.isEmpty()) {
      return before.isPresent() != after.isPresent();
    }
    long from = before.get().micros();
    long to = after.get().micros();
    return Math.abs(to - from) > from * PRICE_STEP;
  }
}
