package io.spillway.benchmark.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;

/** Submits jobs at a steady pace, whether or not the answers keep up. */
record Pace(int perSecond, int seconds) {
  private static final int BATCH = 50;

  String text() {
    return String.format("%,d jobs/s for %d s in batches of %d", perSecond, seconds, BATCH);
  }

  /**
   * Submits all.
   *
   * @param eachSecond called with the seconds that passed, on this thread
   */
  List<CompletableFuture<List<Course>>> submit(Lab lab, IntConsumer eachSecond)
      throws InterruptedException {
    List<CompletableFuture<List<Course>>> calls = new ArrayList<>();
    long began = System.nanoTime();
    long between = 1_000_000_000L * BATCH / perSecond;
    int told = 0;
    for (int batch = 0; batch < perSecond * seconds / BATCH; batch++) {
      List<Load> loads = new ArrayList<>(BATCH);
      for (int i = 0; i < BATCH; i++) {
        loads.add(Sustained.job(batch * BATCH + i));
      }
      Until.nanos(began + batch * between);
      calls.add(lab.submitter().submit(loads));
      int second = (int) (batch * between / 1_000_000_000L);
      if (second > told) {
        told = second;
        eachSecond.accept(second);
      }
    }
    return calls;
  }
}
