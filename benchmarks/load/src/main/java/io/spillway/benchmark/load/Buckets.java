package io.spillway.benchmark.load;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * A histogram of a Prometheus page: counts of what was at most so many seconds, summed over labels.
 */
final class Buckets {
  private final NavigableMap<Double, Double> counts;

  private Buckets(NavigableMap<Double, Double> counts) {
    this.counts = counts;
  }

  static Buckets read(String page, String metric) {
    TreeMap<Double, Double> counts = new TreeMap<>();
    for (String line : page.split("\n")) {
      int le = line.indexOf("le=\"");
      if (line.startsWith(metric + "_bucket") && le > 0) {
        String bound = line.substring(le + 4, line.indexOf('"', le + 4));
        double seconds =
            bound.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(bound);
        counts.merge(
            seconds, Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)), Double::sum);
      }
    }
    return new Buckets(counts);
  }

  Buckets since(Buckets before) {
    TreeMap<Double, Double> difference = new TreeMap<>(counts);
    before.counts.forEach((bound, count) -> difference.merge(bound, -count, Double::sum));
    return new Buckets(difference);
  }

  double count() {
    return counts.isEmpty() ? 0 : counts.lastEntry().getValue();
  }

  /**
   * Milliseconds that this share did not exceed, interpolated inside its bucket as Prometheus does.
   *
   * @return NaN if nothing was counted
   */
  double quantileMillis(double share) {
    double wanted = share * count();
    double below = 0;
    double from = 0;
    for (Map.Entry<Double, Double> bucket : counts.entrySet()) {
      double upTo = bucket.getValue();
      if (upTo >= wanted && upTo > below) {
        double width = Double.isInfinite(bucket.getKey()) ? 0 : bucket.getKey() - from;
        return 1_000 * (from + width * (wanted - below) / (upTo - below));
      }
      below = upTo;
      from = Double.isInfinite(bucket.getKey()) ? from : bucket.getKey();
    }
    return Double.NaN;
  }
}
