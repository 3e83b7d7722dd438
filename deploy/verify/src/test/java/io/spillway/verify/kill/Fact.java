package io.spillway.verify.kill;

import java.time.Instant;
import java.util.List;

/**
 * A line of the clouds' ledger.
 *
 * @param millis of the clouds' monotonic clock
 * @param event {@code hold}, {@code apply}, {@code start}, {@code stop}, {@code end}, {@code
 *     release}
 * @param exitCodes of all members, where an end knows them
 */
record Fact(
    long millis,
    Instant wall,
    String cluster,
    String attempt,
    long epoch,
    String event,
    List<Integer> exitCodes) {

  Fact {
    exitCodes = List.copyOf(exitCodes);
  }

  /** Attempts are named after their job. */
  String job() {
    return attempt.substring(0, attempt.lastIndexOf('-'));
  }

  boolean is(String name) {
    return event.equals(name);
  }
}
