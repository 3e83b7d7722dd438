package io.spillway.scheduler.model;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;

/** A price of one GPU for one hour, in micro-dollars. */
public record UsdPerGpuHour(long micros) implements Comparable<UsdPerGpuHour> {
  public static final UsdPerGpuHour ZERO = new UsdPerGpuHour(0);
  private static final BigDecimal MILLIS_PER_HOUR = BigDecimal.valueOf(3_600_000L);

  public UsdPerGpuHour {
    if (micros < 0) {
      throw new IllegalArgumentException("a price is not negative: " + micros);
    }
  }

  /**
   * Reads a decimal amount of dollars with at most four decimals.
   *
   * @throws IllegalArgumentException if it is no such amount, negative, or over a million
   */
  public static UsdPerGpuHour parse(String dollars) {
    try {
      BigDecimal amount = new BigDecimal(dollars);
      if (amount.scale() > 4
          || amount.signum() < 0
          || amount.precision() - (long) amount.scale() > 7) {
        throw new IllegalArgumentException(
            "a price has at most four decimals and is between 0 and 9999999, not '"
                + dollars
                + "'");
      }
      return new UsdPerGpuHour(amount.movePointRight(6).longValueExact());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("a price is a decimal number, not '" + dollars + "'", e);
    }
  }

  /** The price of a whole node's hour divided by its GPUs, rounded half up to a micro-dollar. */
  public static UsdPerGpuHour ofNodeHour(Usd nodeHour, int gpus) {
    return new UsdPerGpuHour(
        BigDecimal.valueOf(nodeHour.micros())
            .divide(BigDecimal.valueOf(gpus), 0, RoundingMode.HALF_UP)
            .longValueExact());
  }

  /** What that many GPUs cost for that time, rounded half up to a micro-dollar. */
  public Usd cost(int gpus, Duration time) {
    return new Usd(
        BigDecimal.valueOf(micros)
            .multiply(BigDecimal.valueOf(gpus))
            .multiply(BigDecimal.valueOf(time.toMillis()))
            .divide(MILLIS_PER_HOUR, 0, RoundingMode.HALF_UP)
            .longValueExact());
  }

  /** The price in dollars, rounded half up to four decimals. */
  public BigDecimal dollars() {
    return BigDecimal.valueOf(micros, 6).setScale(4, RoundingMode.HALF_UP);
  }

  @Override
  public int compareTo(UsdPerGpuHour other) {
    return Long.compare(micros, other.micros);
  }
}
