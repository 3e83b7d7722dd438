package io.spillway.policies.read;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as policies and jobs write them: {@code 90s}, {@code 15m}, {@code 6h}, {@code 2d}. */
public final class DurationText {
  private static final Pattern FORM = Pattern.compile("([0-9]{1,6})([smhd])");

  private DurationText() {}

  /**
   * Reads a duration of zero to 999,999 units.
   *
   * @throws IllegalArgumentException for any other text
   */
  public static Duration parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "a duration is a number and s, m, h or d, for example 90s or 2d, not '" + text + "'");
    }
    long amount = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      case "h" -> Duration.ofHours(amount);
      default -> Duration.ofDays(amount);
    };
  }

  /** The shortest text that {@link #parse} reads as that duration, cut to whole seconds. */
  public static String of(Duration duration) {
    long seconds = duration.toSeconds();
    if (seconds % 86_400 == 0 && seconds > 0) {
      return seconds / 86_400 + "d";
    }
    if (seconds % 3_600 == 0 && seconds > 0) {
      return seconds / 3_600 + "h";
    }
    return seconds % 60 == 0 && seconds > 0 ? seconds / 60 + "m" : seconds + "s";
  }
}
