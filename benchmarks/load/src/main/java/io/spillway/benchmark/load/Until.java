package io.spillway.benchmark.load;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Waiting for something in other processes. */
final class Until {
  private static final long LOOK_MILLIS = 20;

  private Until() {}

  /** Something that holds or does not. */
  interface Condition {
    boolean holds() throws IOException, InterruptedException;
  }

  /**
   * Looks every 20 ms.
   *
   * @throws IOException if it did not hold in time
   */
  static void holds(String what, Duration patience, Condition condition)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() > deadline) {
        throw new IOException("after " + patience.toSeconds() + " s still not: " + what);
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
  }

  /** Sleeps to that moment of {@link System#nanoTime()}. */
  static void nanos(long moment) throws InterruptedException {
    long left = moment - System.nanoTime();
    if (left > 0) {
      TimeUnit.NANOSECONDS.sleep(left);
    }
  }
}
