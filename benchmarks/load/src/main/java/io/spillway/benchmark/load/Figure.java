package io.spillway.benchmark.load;

import java.util.Locale;

/**
 * One measured value.
 *
 * @param name dotted, the scenario first; also its key in the range specification
 * @param unit what the value counts, as it is printed
 */
record Figure(String name, double value, String unit) {
  static Figure millis(String name, double value) {
    return new Figure(name, value, "ms");
  }

  static Figure seconds(String name, long millis) {
    return new Figure(name, millis / 1_000.0, "s");
  }

  static Figure count(String name, double value) {
    return new Figure(name, value, "");
  }

  /** The value with as many digits as say something. */
  String text() {
    double size = Math.abs(value);
    int digits = size >= 100 || value == Math.rint(value) ? 0 : size >= 10 ? 1 : 2;
    return String.format(Locale.ROOT, "%,." + digits + "f", value);
  }
}
