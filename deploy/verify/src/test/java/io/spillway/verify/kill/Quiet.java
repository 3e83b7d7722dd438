package io.spillway.verify.kill;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;

/**
 * Waits until no job of a run moves and those that wait had their time.
 *
 * @param had what waiting jobs are given
 * @param atMost after that the run counts as stuck
 */
record Quiet(Api api, String run, Duration had, Duration atMost) {
  /** Stops that are under way may end. */
  private static final int SETTLE_MILLIS = 2_000;

  /** Answers how many seconds it took. */
  long await() throws InterruptedException {
    long from = System.nanoTime();
    Awaitility.await("nothing moves")
        .atMost(atMost)
        .pollInterval(Duration.ofSeconds(1))
        // Who was thawed a moment ago may be slow to answer.
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(
            () ->
                none(List.of("LAUNCHING", "RUNNING", "DRAINING", "CANCELLING"))
                    && (none(List.of("QUEUED")) || System.nanoTime() - from > had.toNanos()));
    Pace.millis(SETTLE_MILLIS);
    return (System.nanoTime() - from) / 1_000_000_000;
  }

  private boolean none(List<String> states) throws IOException, InterruptedException {
    for (String state : states) {
      if (!api.jobs("run=" + run, Optional.of(state)).isEmpty()) {
        return false;
      }
    }
    return true;
  }
}
