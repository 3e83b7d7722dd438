package io.spillway.agent.world;

import io.spillway.agent.time.Timeline;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The test's own thread is the agent's. Time passes as on the wall while the test waits for the
 * mock cluster, and as fast as it likes otherwise.
 */
public final class VirtualTimeline implements Timeline {
  private static final long PATIENCE_MILLIS = 60_000;

  private final Instant base = Instant.parse("2026-12-01T00:00:00Z");
  private final long started = System.nanoTime();
  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(
          Comparator.comparingLong((Task task) -> task.due).thenComparingLong(task -> task.number));
  private long skippedMillis;
  private long number;

  private static final class Task {
    private final long due;
    private final long number;
    private final Runnable run;
    private boolean cancelled;

    Task(long due, long number, Runnable run) {
      this.due = due;
      this.number = number;
      this.run = run;
    }
  }

  @Override
  public Instant now() {
    return base.plusMillis(millis());
  }

  @Override
  public synchronized long millis() {
    return skippedMillis + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started);
  }

  @Override
  public void execute(Runnable task) {
    var _ = after(Duration.ZERO, task);
  }

  @Override
  public synchronized Timer after(Duration delay, Runnable run) {
    Task task = new Task(millis() + delay.toMillis(), ++number, run);
    tasks.add(task);
    return () -> task.cancelled = true;
  }

  /** Runs what is due until the condition holds. */
  public void until(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
    while (true) {
      runDue();
      if (condition.getAsBoolean()) {
        return;
      }
      if (System.nanoTime() > end) {
        throw new AssertionError("waited in vain until " + what);
      }
      pause();
    }
  }

  /** Lets the mock cluster's answers come in for that long, on the wall. */
  public void idle(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    until("time has passed", () -> System.nanoTime() >= end);
  }

  private static void pause() {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
  }

  /** Time passes at once; each timer on its way fires at its time. */
  public void advance(Duration time) {
    long target = millis() + time.toMillis();
    while (true) {
      long next;
      synchronized (this) {
        next = tasks.isEmpty() ? target : Math.min(target, tasks.peek().due);
        skippedMillis += Math.max(0, next - millis());
      }
      runDue();
      // A moment on the wall, for calls that a timer has made.
      pause();
      runDue();
      if (millis() >= target) {
        return;
      }
    }
  }

  private void runDue() {
    while (true) {
      Task task;
      synchronized (this) {
        if (tasks.isEmpty() || tasks.peek().due > millis()) {
          return;
        }
        task = tasks.remove();
      }
      if (!task.cancelled) {
        task.run.run();
      }
    }
  }
}
