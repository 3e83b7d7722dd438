package io.spillway.capacity.http;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** The {@code Retry-After} and {@code Date} headers (RFC 9110). */
public final class RetryAfter {
  /** No provider's word keeps an account silent for longer. */
  public static final Duration LONGEST = Duration.ofHours(1);

  private RetryAfter() {}

  /**
   * @param value seconds or an HTTP date
   * @param sentAt by the provider's clock, which a date is compared with
   * @return at most {@link #LONGEST}; empty for what is neither
   */
  public static Optional<Duration> parse(String value, Instant sentAt) {
    String text = value.strip();
    if (text.matches("\\d{1,9}")) {
      return Optional.of(bounded(Duration.ofSeconds(Long.parseLong(text))));
    }
    return date(text).map(until -> bounded(Duration.between(sentAt, until)));
  }

  /** An HTTP date; empty for anything else. */
  public static Optional<Instant> date(String value) {
    try {
      return Optional.of(
          ZonedDateTime.parse(value.strip(), DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static Duration bounded(Duration wait) {
    if (wait.isNegative()) {
      return Duration.ZERO;
    }
    return wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
  }
}
