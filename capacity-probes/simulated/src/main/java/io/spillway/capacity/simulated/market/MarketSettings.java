package io.spillway.capacity.simulated.market;

import java.time.Duration;

/**
 * How lively the market is.
 *
 * @param seed of all courses that are not traces
 * @param spotNodes most nodes of a spot line
 * @param onDemandNodes nodes of an on-demand line, always
 * @param volatility 0 (nothing ever moves) to 1
 * @param step market time between two moves
 * @param speed market seconds per real second; a trace with ten-minute rows at 300 moves every two
 *     seconds
 */
public record MarketSettings(
    long seed, int spotNodes, int onDemandNodes, double volatility, Duration step, double speed) {

  public MarketSettings {
    if (spotNodes < 0 || onDemandNodes < 0 || step.isNegative() || step.isZero()) {
      throw new IllegalArgumentException("a market has nodes and a step");
    }
    if (volatility < 0 || volatility > 1 || speed <= 0) {
      throw new IllegalArgumentException("volatility is 0 to 1 and speed is positive");
    }
  }

  /** Plenty of everything, nothing moves. */
  public static MarketSettings calm(long seed) {
    return new MarketSettings(seed, 16, 16, 0, Duration.ofMinutes(10), 1);
  }
}
