package io.spillway.capacity.simulated.market;

import io.spillway.scheduler.model.UsdPerGpuHour;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A made-up course: plenty at the start, then shortages and price moves by hash of (seed, line,
 * step), so that any instant can be asked without walking there and two runs with one seed agree.
 *
 * <p>Half of the steps have no shortage and one in eight has nothing left at volatility 1: the mean
 * of two uniform numbers, mapped linearly from (0.5, 0.75) to (0, 1).
 */
final class SeededCourse implements Course {
  /** Prices never leave this share of the on-demand price, as on the real spot markets. */
  private static final double FLOOR = 0.05;

  private static final double PRICE_SWING = 0.30;

  private final long seed;
  private final Instant start;
  private final Duration step;
  private final int most;
  private final double volatility;
  private final UsdPerGpuHour typical;
  private final Optional<UsdPerGpuHour> onDemand;

  SeededCourse(MarketSettings settings, Instant start, Listing listing) {
    this.typical = listing.spot().orElseThrow();
    this.onDemand = listing.onDemand();
    this.seed = settings.seed() ^ fnv(listing.zone() + '/' + listing.instanceType());
    this.start = start;
    this.step = settings.step();
    this.most = settings.spotNodes();
    this.volatility = settings.volatility();
  }

  @Override
  public int nodes(Instant at) {
    long k = stepOf(at);
    if (k <= 0) {
      return most;
    }
    double mean = (uniform(k) + uniform(k - 1)) / 2;
    double shortage = Math.clamp((mean - 0.5) * 4, 0, 1);
    return (int) Math.round(most * (1 - volatility * shortage));
  }

  @Override
  public UsdPerGpuHour price(Instant at) {
    long k = stepOf(at);
    if (k <= 0) {
      return typical;
    }
    double move = 1 + volatility * PRICE_SWING * (2 * uniform(-k) - 1);
    double micros = typical.micros() * move;
    double most = onDemand.map(p -> (double) p.micros()).orElse(Double.MAX_VALUE);
    double least = onDemand.map(p -> p.micros() * FLOOR).orElse(0.0);
    return new UsdPerGpuHour(Math.round(Math.clamp(micros, least, most)));
  }

  private long stepOf(Instant at) {
    return Duration.between(start, at).dividedBy(step);
  }

  private double uniform(long k) {
    return (mix(seed + k * 0x9E3779B97F4A7C15L) >>> 11) * 0x1.0p-53;
  }

  /** The finaliser of SplitMix64 (Steele, Lea, Flood 2014). */
  private static long mix(long z) {
    long a = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    long b = (a ^ (a >>> 27)) * 0x94D049BB133111EBL;
    return b ^ (b >>> 31);
  }

  private static long fnv(String text) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
    }
    return hash;
  }
}
