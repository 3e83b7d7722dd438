package io.spillway.verify.real;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The metrics that a query may name: Spillway's own, what the rules record, and foreign ones with
 * their exporter.
 */
record MetricNames(Set<String> own, List<Foreign> foreign) {
  private static final Pattern ROW =
      Pattern.compile("^\\| `(spillway_[a-z_]+)`", Pattern.MULTILINE);
  private static final Pattern RECORD =
      Pattern.compile("^\\s*- record: (\\S+)$", Pattern.MULTILINE);

  /**
   * A metric of another exporter.
   *
   * @param sample a sample in the exposition format; empty if the program itself writes it
   */
  record Foreign(String name, String exporter, String labels, String sample) {}

  static MetricNames read(Path root) throws IOException {
    Set<String> own = new TreeSet<>();
    Matcher rows = ROW.matcher(Files.readString(root.resolve("docs/metrics.md")));
    while (rows.find()) {
      own.add(rows.group(1));
    }
    Matcher recorded = RECORD.matcher(Files.readString(root.resolve("deploy/prometheus/gpus.yml")));
    while (recorded.find()) {
      own.add(recorded.group(1));
    }
    List<Foreign> foreign = new ArrayList<>();
    for (String line : Files.readAllLines(root.resolve("deploy/prometheus/foreign-metrics.txt"))) {
      if (!line.isBlank() && !line.startsWith("#")) {
        String[] parts = line.split("\\|", -1);
        foreign.add(
            new Foreign(parts[0].strip(), parts[1].strip(), parts[2].strip(), parts[3].strip()));
      }
    }
    return new MetricNames(own, foreign);
  }

  boolean allows(String metric) {
    return own.contains(metric) || foreign.stream().anyMatch(f -> f.name().equals(metric));
  }
}
