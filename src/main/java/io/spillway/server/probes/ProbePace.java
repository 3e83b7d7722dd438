package io.spillway.server.probes;

import io.spillway.scheduler.model.FailureClass;
import java.time.Duration;
import java.util.Optional;
import java.util.function.DoubleSupplier;

/**
 * When an account is asked again. After a success at its interval. After a failure as the SPI
 * promises: a throttled account is left alone for as long as its provider says, one in trouble is
 * tried again soon and then ever less often, one whose credentials are refused hourly; whatever
 * else, at the next interval.
 */
final class ProbePace {
  /** Where the back-off begins; it doubles. */
  private static final Duration FIRST = Duration.ofSeconds(5);

  /** Where the back-off ends, unless the interval is longer. */
  private static final Duration LONGEST = Duration.ofMinutes(15);

  /** Refused credentials do not heal by asking. */
  private static final Duration REFUSED = Duration.ofHours(1);

  /** A provider's own word is kept up to here; more is a mistake in a header. */
  private static final Duration LONGEST_WORD = Duration.ofHours(24);

  private static final double SPREAD = 0.2;
  private static final int ENOUGH_DOUBLINGS = 20;

  private final Duration interval;
  private final DoubleSupplier random;

  /**
   * @param random from 0 to 1, so that accounts that failed together do not come back together
   */
  ProbePace(Duration interval, DoubleSupplier random) {
    this.interval = interval;
    this.random = random;
  }

  Duration afterSuccess() {
    return interval;
  }

  /**
   * @param inARow failures since the last success, this one included
   */
  Duration afterFailure(FailureClass kind, Optional<Duration> retryAfter, int inARow) {
    return switch (kind) {
      case AUTH -> longer(REFUSED, interval);
      case TRANSIENT -> backOff(inARow);
      // A provider that says "now" a hundred times is believed less each time.
      case THROTTLED -> longer(word(retryAfter), backOff(inARow));
      default -> interval;
    };
  }

  private static Duration word(Optional<Duration> retryAfter) {
    return retryAfter
        .map(word -> word.compareTo(LONGEST_WORD) > 0 ? LONGEST_WORD : word)
        .orElse(Duration.ZERO);
  }

  private Duration backOff(int inARow) {
    Duration doubled = FIRST.multipliedBy(1L << Math.min(inARow - 1, ENOUGH_DOUBLINGS));
    Duration most = longer(LONGEST, interval);
    Duration capped = doubled.compareTo(most) > 0 ? most : doubled;
    double factor = 1 - SPREAD + 2 * SPREAD * random.getAsDouble();
    return Duration.ofMillis(Math.round(capped.toMillis() * factor));
  }

  private static Duration longer(Duration a, Duration b) {
    return a.compareTo(b) >= 0 ? a : b;
  }
}
