package io.spillway.benchmark.load;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What each figure should be, and what it must be whatever the machine: {@code rangespec}, one line
 * {@code name | aim | limit} a figure. Either is {@code <= n}, {@code >= n} or a dash.
 */
final class RangeSpec {
  private final Map<String, Range> ranges = new LinkedHashMap<>();

  /** Both bounds of a figure. */
  private record Range(Bound aim, Bound limit) {}

  /** A comparison; a dash allows everything. */
  private record Bound(String text) {
    private boolean allows(double value) {
      if (text.equals("-")) {
        return true;
      }
      double bound = Double.parseDouble(text.substring(2).strip());
      return text.startsWith("<=") ? value <= bound : value >= bound;
    }
  }

  /** What is said of a figure. */
  enum Judgement {
    /** Nothing is asked of it. */
    NONE,
    MET,
    /** Not what it should be. */
    MISSED,
    /** So far off that the run fails. */
    BROKEN
  }

  static RangeSpec load() throws IOException {
    try (InputStream in = RangeSpec.class.getResourceAsStream("/rangespec")) {
      return of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  static RangeSpec of(String text) {
    RangeSpec spec = new RangeSpec();
    for (String line : text.split("\n")) {
      String[] parts = line.split("\\|");
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      if (parts.length != 3) {
        throw new IllegalArgumentException("rangespec: not 'name | aim | limit': " + line);
      }
      spec.ranges.put(parts[0].strip(), new Range(bound(parts[1]), bound(parts[2])));
    }
    return spec;
  }

  private static Bound bound(String text) {
    String bound = text.strip();
    if (!bound.matches("-|(<=|>=) *[0-9.]+")) {
      throw new IllegalArgumentException("rangespec: '" + bound + "' is no bound");
    }
    return new Bound(bound);
  }

  Judgement judge(Figure figure) {
    Range range = ranges.get(figure.name());
    if (range == null) {
      return Judgement.NONE;
    }
    if (!range.limit().allows(figure.value())) {
      return Judgement.BROKEN;
    }
    return range.aim().allows(figure.value()) ? Judgement.MET : Judgement.MISSED;
  }

  /** What the figure should be. */
  Optional<String> aim(Figure figure) {
    return Optional.ofNullable(ranges.get(figure.name()))
        .map(range -> range.aim().text())
        .filter(text -> !text.equals("-"));
  }
}
