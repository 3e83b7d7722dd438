package io.spillway.capacity.simulated.time;

import java.time.Duration;

/** A task that arms itself anew after each run; a slow run delays the next, it never piles up. */
final class Repeat implements Timeline.Pending {
  private final Timeline timeline;
  private final Duration period;
  private final Runnable task;
  private volatile boolean cancelled;

  Repeat(Timeline timeline, Duration period, Runnable task) {
    this.timeline = timeline;
    this.period = period;
    this.task = task;
  }

  void arm() {
    timeline.after(period, this::run);
  }

  private void run() {
    if (cancelled) {
      return;
    }
    try {
      task.run();
    } finally {
      arm();
    }
  }

  @Override
  public void cancel() {
    cancelled = true;
  }
}
