package io.spillway.server.inbox;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Wakes the leader after a batch: in memory when it is in this process, else by NOTIFY, at most 100
 * a second, since each one serialises the database's commits. What is left out, the leader's slow
 * poll finds.
 */
public final class InboxBell {
  /** The channel of the leaders. */
  public static final String CHANNEL = "spillway_inbox";

  private static final long NANOS_BETWEEN = 10_000_000L;

  private final AtomicReference<Runnable> local = new AtomicReference<>();
  private final AtomicLong lastNotify = new AtomicLong(System.nanoTime() - NANOS_BETWEEN);

  /** The leader is in this process: from now on it is woken by the call. */
  public void leaderIsHere(Runnable wake) {
    local.set(wake);
  }

  public void leaderIsElsewhere() {
    local.set(null);
  }

  /** Whether the batch being written shall notify. */
  boolean notifyNow() {
    if (local.get() != null) {
      return false;
    }
    long now = System.nanoTime();
    long last = lastNotify.get();
    return now - last >= NANOS_BETWEEN && lastNotify.compareAndSet(last, now);
  }

  void ring() {
    Runnable wake = local.get();
    if (wake != null) {
      wake.run();
    }
  }
}
