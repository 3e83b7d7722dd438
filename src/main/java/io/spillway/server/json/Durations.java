package io.spillway.server.json;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as users write them: {@code 90s}, {@code 15m}, {@code 6h}, {@code 2d}. */
public final class Durations {
  private static final Pattern FORM = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");
  private static final Duration LONGEST = Duration.ofDays(3660);

  private Durations() {}

  /**
   * @throws IllegalArgumentException if the text has another form, is zero or over ten years
   */
  public static Duration parse(String text) {
    Matcher parts = FORM.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "must be a duration such as 90s, 15m, 6h or 2d, not '" + Texts.printable(text, 40) + "'");
    }
    long amount = Long.parseLong(parts.group(1));
    Duration duration =
        switch (parts.group(2)) {
          case "ms" -> Duration.ofMillis(amount);
          case "s" -> Duration.ofSeconds(amount);
          case "m" -> Duration.ofMinutes(amount);
          case "h" -> Duration.ofHours(amount);
          default -> Duration.ofDays(amount);
        };
    if (duration.isZero() || duration.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("must be more than zero and at most ten years");
    }
    return duration;
  }

  /** The shortest text that {@link #parse} reads as the same duration. */
  public static String text(Duration duration) {
    long millis = duration.toMillis();
    if (millis % 1000 != 0) {
      return millis + "ms";
    }
    long seconds = millis / 1000;
    if (seconds % 86_400 == 0) {
      return seconds / 86_400 + "d";
    }
    if (seconds % 3600 == 0) {
      return seconds / 3600 + "h";
    }
    return seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
  }
}
