package io.spillway.verify.kill;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The time in which all members of an attempt ran.
 *
 * @param end empty while it runs
 */
record Run(Fact start, Optional<Fact> end) {

  String job() {
    return start.job();
  }

  long until() {
    return end.map(Fact::millis).orElse(Long.MAX_VALUE);
  }

  boolean overlaps(Run other) {
    return start.millis() < other.until() && other.start.millis() < until();
  }

  /** All members said that they did what they should. */
  boolean succeeded() {
    return end.filter(e -> !e.exitCodes().isEmpty())
        .filter(e -> e.exitCodes().stream().allMatch(code -> code == 0))
        .isPresent();
  }

  /**
   * The runs of a ledger, in the order of their starts. A start while the same attempt still runs
   * on its cluster is another run: what ends then ends the older one.
   */
  static List<Run> of(List<Fact> facts) {
    List<Run> runs = new ArrayList<>();
    Map<String, List<Integer>> open = new LinkedHashMap<>();
    for (Fact fact : facts) {
      List<Integer> running =
          open.computeIfAbsent(fact.cluster() + ' ' + fact.attempt(), key -> new ArrayList<>());
      if (fact.is("start")) {
        running.add(runs.size());
        runs.add(new Run(fact, Optional.empty()));
      } else if (fact.is("end") && !running.isEmpty()) {
        int index = running.removeFirst();
        runs.set(index, new Run(runs.get(index).start(), Optional.of(fact)));
      }
    }
    return List.copyOf(runs);
  }

  @Override
  public String toString() {
    return start.attempt()
        + " on "
        + start.cluster()
        + " ["
        + start.millis()
        + ", "
        + end.map(e -> Long.toString(e.millis())).orElse("…")
        + ")";
  }
}
