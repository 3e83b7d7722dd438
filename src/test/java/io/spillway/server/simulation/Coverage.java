package io.spillway.server.simulation;

import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.JobId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What all seeds together met: faults by attempt state, transitions by their ends. */
final class Coverage {
  static final List<String> ATTEMPT_STATES =
      List.of("INTENDED", "LAUNCHING", "STARTING", "RUNNING", "UNKNOWN", "ENDING");

  /**
   * Every edge of semantics §4 but DRAINING > HELD: a budget's hold of a draining job is its only
   * cause, and there are no budgets yet.
   */
  static final List<String> TRANSITIONS =
      List.of(
          "job QUEUED > HELD",
          "job QUEUED > LAUNCHING",
          "job QUEUED > SUCCEEDED",
          "job QUEUED > CANCELLED",
          "job QUEUED > FAILED",
          "job HELD > QUEUED",
          "job HELD > SUCCEEDED",
          "job HELD > CANCELLED",
          "job HELD > FAILED",
          "job LAUNCHING > RUNNING",
          "job LAUNCHING > QUEUED",
          "job LAUNCHING > DRAINING",
          "job LAUNCHING > SUCCEEDED",
          "job LAUNCHING > CANCELLING",
          "job LAUNCHING > FAILED",
          "job RUNNING > SUCCEEDED",
          "job RUNNING > FAILED",
          "job RUNNING > DRAINING",
          "job RUNNING > QUEUED",
          "job RUNNING > CANCELLING",
          "job DRAINING > LAUNCHING",
          "job DRAINING > QUEUED",
          "job DRAINING > SUCCEEDED",
          "job DRAINING > FAILED",
          "job DRAINING > CANCELLING",
          "job CANCELLING > CANCELLED",
          "job CANCELLING > SUCCEEDED",
          "job CANCELLING > FAILED",
          "attempt INTENDED > LAUNCHING",
          "attempt INTENDED > ENDED",
          "attempt LAUNCHING > STARTING",
          "attempt LAUNCHING > RUNNING",
          "attempt LAUNCHING > UNKNOWN",
          "attempt LAUNCHING > ENDING",
          "attempt LAUNCHING > ENDED",
          "attempt UNKNOWN > STARTING",
          "attempt UNKNOWN > RUNNING",
          "attempt UNKNOWN > ENDING",
          "attempt UNKNOWN > ENDED",
          "attempt STARTING > RUNNING",
          "attempt STARTING > ENDING",
          "attempt STARTING > ENDED",
          "attempt RUNNING > ENDING",
          "attempt RUNNING > ENDED",
          "attempt ENDING > ENDED");

  private final Map<String, Integer> transitions = new TreeMap<>();
  private final Map<String, Integer> faults = new TreeMap<>();
  private final Map<Object, String> origin = new HashMap<>();

  void from(JobId job, String state) {
    origin.put(job, state);
  }

  void from(AttemptId attempt, String state) {
    origin.put(attempt, state);
  }

  void to(JobId job, String state) {
    moved("job ", job, state);
  }

  void to(AttemptId attempt, String state) {
    moved("attempt ", attempt, state);
  }

  private void moved(String what, Object subject, String state) {
    String from = origin.put(subject, state);
    if (from != null && !from.equals(state)) {
      transitions.merge(what + from + " > " + state, 1, Integer::sum);
    }
  }

  void fault(Fault fault, String attemptState) {
    faults.merge(fault + " x " + attemptState, 1, Integer::sum);
  }

  /** Subjects are forgotten between two seeds, counts are not. */
  void nextSeed() {
    origin.clear();
  }

  void add(Coverage other) {
    other.transitions.forEach((edge, count) -> transitions.merge(edge, count, Integer::sum));
    other.faults.forEach((pair, count) -> faults.merge(pair, count, Integer::sum));
  }

  int transition(String edge) {
    return transitions.getOrDefault(edge, 0);
  }

  int fault(String pair) {
    return faults.getOrDefault(pair, 0);
  }

  String table() {
    StringBuilder text = new StringBuilder("transitions\n");
    transitions.forEach((edge, count) -> text.append(String.format("  %-32s %d%n", edge, count)));
    text.append("faults by the state of the attempts that they met\n");
    faults.forEach((pair, count) -> text.append(String.format("  %-34s %d%n", pair, count)));
    return text.toString();
  }
}
