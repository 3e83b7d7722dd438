package io.spillway.verify.kill;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waiting between two things that one does to a running system; never for a result. */
final class Pace {
  private static final CountDownLatch NEVER = new CountDownLatch(1);

  private Pace() {}

  static void millis(long millis) throws InterruptedException {
    if (NEVER.await(millis, TimeUnit.MILLISECONDS)) {
      throw new IllegalStateException("never came");
    }
  }
}
