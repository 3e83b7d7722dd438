package io.spillway.capacity.simulated.time;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The timeline of a running process: one named thread and the system's clocks. */
public final class RealTimeline implements Timeline, AutoCloseable {
  private static final Logger LOG = Logger.getLogger(RealTimeline.class.getName());

  private final ScheduledThreadPoolExecutor executor;

  public RealTimeline() {
    executor =
        new ScheduledThreadPoolExecutor(
            1, task -> Thread.ofPlatform().name("clouds").unstarted(task));
    // Ten thousand ends that never come must not stay in the queue.
    executor.setRemoveOnCancelPolicy(true);
    executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  @Override
  public Instant now() {
    return Instant.now();
  }

  @Override
  public long monotonicMillis() {
    // On Linux and macOS this counts since boot, so that a restarted process goes on in one order.
    return System.nanoTime() / 1_000_000;
  }

  @Override
  public void execute(Runnable task) {
    try {
      executor.execute(guarded(task));
    } catch (RejectedExecutionException e) {
      LOG.log(Level.FINE, "came after the end", e);
    }
  }

  @Override
  public Pending after(Duration delay, Runnable task) {
    try {
      Future<?> future =
          executor.schedule(guarded(task), Math.max(0, delay.toNanos()), TimeUnit.NANOSECONDS);
      return () -> future.cancel(false);
    } catch (RejectedExecutionException e) {
      LOG.log(Level.FINE, "came after the end", e);
      return () -> {};
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }

  /** A task's bug is told and does not silence the tasks that repeat. */
  private static Runnable guarded(Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (RuntimeException e) {
        LOG.log(Level.SEVERE, "a task of the simulated clouds failed", e);
      }
    };
  }
}
