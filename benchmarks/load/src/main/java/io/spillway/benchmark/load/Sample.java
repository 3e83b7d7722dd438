package io.spillway.benchmark.load;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;

/** Measured times in milliseconds and their quantiles. */
final class Sample {
  private final long[] sorted;

  private Sample(long[] values) {
    this.sorted = values;
    Arrays.sort(sorted);
  }

  static Sample of(List<Long> values) {
    return new Sample(values.stream().mapToLong(Long::longValue).toArray());
  }

  /** Of those jobs for which the time is known, that is not negative. */
  static Sample of(List<Course> courses, ToLongFunction<Course> time) {
    return new Sample(courses.stream().mapToLong(time).filter(millis -> millis >= 0).toArray());
  }

  int size() {
    return sorted.length;
  }

  /**
   * The value that this share of all does not exceed.
   *
   * @param share between 0 and 1
   * @return NaN if nothing was measured
   */
  double quantile(double share) {
    if (sorted.length == 0) {
      return Double.NaN;
    }
    int rank = (int) Math.ceil(share * sorted.length);
    return sorted[Math.clamp(rank - 1, 0, sorted.length - 1)];
  }

  double mean() {
    return Arrays.stream(sorted).average().orElse(Double.NaN);
  }

  /** Median and p99 under a common name. */
  List<Figure> figures(String name) {
    return List.of(
        Figure.millis(name + ".p50", quantile(0.5)), Figure.millis(name + ".p99", quantile(0.99)));
  }
}
