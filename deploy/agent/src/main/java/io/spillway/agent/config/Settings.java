package io.spillway.agent.config;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Reads typed values by name and gathers what is wrong with them. */
final class Settings {
  private final Map<String, String> values;
  private final List<String> wrong = new ArrayList<>();

  Settings(Map<String, String> values) {
    this.values = values;
  }

  /** Empty when absent or blank: charts write empty strings for what nobody set. */
  Optional<String> text(String name) {
    return Optional.ofNullable(values.get(name)).map(String::strip).filter(v -> !v.isEmpty());
  }

  String required(String name, String what) {
    Optional<String> value = text(name);
    if (value.isEmpty()) {
      wrong(name, "is not set; it is " + what);
    }
    return value.orElse("");
  }

  Optional<Path> file(String name) {
    Optional<Path> path = text(name).map(Path::of);
    path.filter(p -> !Files.isReadable(p))
        .ifPresent(p -> wrong(name, "names a file that cannot be read: " + p));
    return path;
  }

  boolean flag(String name, boolean otherwise) {
    return parsed(
        name,
        otherwise,
        text ->
            switch (text.toLowerCase(Locale.ROOT)) {
              case "true" -> true;
              case "false" -> false;
              default -> throw new IllegalArgumentException("is true or false");
            });
  }

  int number(String name, int otherwise, int least, int most) {
    return parsed(
        name,
        otherwise,
        text -> {
          int value;
          try {
            value = Integer.parseInt(text);
          } catch (NumberFormatException e) {
            throw new IllegalArgumentException("is a whole number", e);
          }
          if (value < least || value > most) {
            throw new IllegalArgumentException("is from " + least + " to " + most);
          }
          return value;
        });
  }

  /** {@code 90s}, {@code 15m}, {@code 6h}, {@code 2d}, or ISO-8601. */
  Duration duration(String name, Duration otherwise) {
    return parsed(name, otherwise, Settings::duration);
  }

  private static Duration duration(String text) {
    try {
      long count = text.length() < 2 ? -1 : Long.parseLong(text, 0, text.length() - 1, 10);
      Duration value =
          switch (text.charAt(text.length() - 1)) {
            case 's' -> Duration.ofSeconds(count);
            case 'm' -> Duration.ofMinutes(count);
            case 'h' -> Duration.ofHours(count);
            case 'd' -> Duration.ofDays(count);
            default -> Duration.parse(text);
          };
      if (!value.isPositive()) {
        throw new IllegalArgumentException("is a time above zero");
      }
      return value;
    } catch (NumberFormatException | DateTimeParseException e) {
      throw new IllegalArgumentException("is a time like 90s, 15m, 6h", e);
    }
  }

  <T> T parsed(String name, T otherwise, Function<String, T> parse) {
    Optional<String> text = text(name);
    if (text.isEmpty()) {
      return otherwise;
    }
    try {
      return parse.apply(text.get());
    } catch (IllegalArgumentException e) {
      wrong(name, e.getMessage() + ", not '" + text.get() + "'");
      return otherwise;
    }
  }

  void wrong(String name, String what) {
    wrong.add(name + " " + what);
  }

  void throwIfWrong() throws WrongSettingsException {
    if (!wrong.isEmpty()) {
      throw new WrongSettingsException(wrong);
    }
  }
}
