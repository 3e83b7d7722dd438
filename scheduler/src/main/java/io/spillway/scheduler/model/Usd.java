package io.spillway.scheduler.model;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** An amount of money in micro-dollars. */
public record Usd(long micros) implements Comparable<Usd> {
  public static final Usd ZERO = new Usd(0);

  public Usd plus(Usd other) {
    return new Usd(Math.addExact(micros, other.micros));
  }

  public Usd minus(Usd other) {
    return new Usd(Math.subtractExact(micros, other.micros));
  }

  /** The amount in dollars, rounded half up to four decimals. */
  public BigDecimal dollars() {
    return BigDecimal.valueOf(micros, 6).setScale(4, RoundingMode.HALF_UP);
  }

  @Override
  public int compareTo(Usd other) {
    return Long.compare(micros, other.micros);
  }
}
