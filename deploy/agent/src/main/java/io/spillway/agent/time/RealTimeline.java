package io.spillway.agent.time;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The real thread. A task that fails is a bug: what it left half done must not go on. */
public final class RealTimeline implements Timeline, AutoCloseable {
  private final ScheduledThreadPoolExecutor thread;
  private final Consumer<Throwable> onBug;

  /**
   * @param onBug told of a task that failed, on the timeline
   */
  public RealTimeline(Consumer<Throwable> onBug) {
    this.onBug = onBug;
    this.thread =
        new ScheduledThreadPoolExecutor(
            1, run -> Thread.ofPlatform().name("agent").daemon(true).unstarted(run));
    thread.setRemoveOnCancelPolicy(true);
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  @Override
  public Instant now() {
    return Instant.now();
  }

  @Override
  public long millis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
  }

  @Override
  public void execute(Runnable task) {
    var _ = schedule(0, task);
  }

  @Override
  public Timer after(Duration delay, Runnable task) {
    Future<?> future = schedule(delay.toNanos(), task);
    return () -> future.cancel(false);
  }

  private Future<?> schedule(long nanos, Runnable task) {
    if (thread.isShutdown()) {
      return java.util.concurrent.CompletableFuture.completedFuture(null);
    }
    return thread.schedule(() -> guarded(task), nanos, TimeUnit.NANOSECONDS);
  }

  private void guarded(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error bug) {
      onBug.accept(bug);
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
