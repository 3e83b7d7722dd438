package io.spillway.verify.kill;

import io.spillway.verify.kill.Killer.Kill;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What the audit did and saw, for people. */
final class Table {
  private final StringBuilder text = new StringBuilder();

  Table row(String name, Object value) {
    text.append(String.format(Locale.ROOT, "  %-34s %s%n", name, value));
    return this;
  }

  /** Kills by point, with how long their successors took to be ready. */
  Table kills(List<Kill> kills) {
    Map<String, List<Kill>> byPoint =
        kills.stream()
            .collect(
                Collectors.groupingBy(
                    kill -> kill.where() + " (" + kill.replicas() + ")",
                    TreeMap::new,
                    Collectors.toList()));
    text.append(
        String.format(
            Locale.ROOT,
            "  %-34s %5s %8s %14s%n",
            "killed at (replicas)",
            "kills",
            "as meant",
            "ready after, s"));
    byPoint.forEach(
        (point, its) ->
            text.append(
                String.format(
                    Locale.ROOT,
                    "  %-34s %5d %8d %14s%n",
                    point,
                    its.size(),
                    its.stream().filter(Kill::asMeant).count(),
                    its.stream()
                        .flatMap(kill -> kill.ready().stream())
                        .map(Table::seconds)
                        .collect(Collectors.joining(" ")))));
    return this;
  }

  private static String seconds(Duration time) {
    return String.format(Locale.ROOT, "%.1f", time.toMillis() / 1_000.0);
  }

  /** Jobs by their state, attempts by their outcome. */
  Table jobs(List<Seen> jobs) {
    row("jobs", count(jobs.stream().map(Seen::state).toList()));
    row(
        "attempts",
        count(
            jobs.stream()
                .flatMap(job -> job.attempts().stream())
                .map(attempt -> attempt.outcome().isEmpty() ? attempt.state() : attempt.outcome())
                .toList()));
    return this;
  }

  private static String count(List<String> names) {
    Map<String, Long> counts =
        names.stream()
            .collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting()));
    return names.size() + " " + counts;
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
