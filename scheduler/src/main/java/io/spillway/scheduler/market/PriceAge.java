package io.spillway.scheduler.market;

import io.spillway.scheduler.model.CapacityType;
import java.time.Duration;

/**
 * How old a price may be before nothing is placed by it.
 *
 * @param spot of a spot price, which moves with the market several times a day
 * @param list of a list price, on demand or reserved, which moves a few times a year
 */
public record PriceAge(Duration spot, Duration list) {
  /** One hour for a market's price; 30 days for a price list. */
  public static final PriceAge DEFAULT = new PriceAge(Duration.ofHours(1), Duration.ofDays(30));

  public PriceAge {
    if (spot.isNegative() || spot.isZero() || list.isNegative() || list.isZero()) {
      throw new IllegalArgumentException(
          "a price may be older than nothing: " + spot + ", " + list);
    }
  }

  /** The limit for prices of that capacity type. */
  public Duration limit(CapacityType type) {
    return type == CapacityType.SPOT ? spot : list;
  }
}
