package io.spillway.scheduler.retry;

import java.time.Duration;

/** How long a job waits after a failure. */
public final class Backoff {
  private Backoff() {}

  /**
   * The first wait, doubled with each failure after the first.
   *
   * @param failures of the kind, at least 1
   */
  public static Duration after(int failures, Duration first, Duration longest) {
    Duration wait = first;
    for (int i = 1; i < failures && wait.compareTo(longest) < 0; i++) {
      wait = wait.multipliedBy(2);
    }
    return wait.compareTo(longest) < 0 ? wait : longest;
  }
}
