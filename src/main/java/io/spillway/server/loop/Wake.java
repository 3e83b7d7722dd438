package io.spillway.server.loop;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** What the loop sleeps on. A call while it works makes the next sleep end at once. */
public final class Wake {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition called = lock.newCondition();
  private boolean pending;

  /** There is something; any thread. */
  public void call() {
    lock.lock();
    try {
      pending = true;
      called.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Sleeps until called, at most that long. */
  void sleep(Duration atMost) throws InterruptedException {
    lock.lock();
    try {
      long nanos = atMost.toNanos();
      while (!pending && nanos > 0) {
        nanos = called.awaitNanos(nanos);
      }
      pending = false;
    } finally {
      lock.unlock();
    }
  }
}
