package io.spillway.agent.time;

import java.time.Duration;

/** A task that arms itself anew after each run. */
final class Repetition implements Timeline.Timer {
  private final Timeline timeline;
  private final Duration period;
  private final Runnable task;
  private boolean cancelled;

  Repetition(Timeline timeline, Duration period, Runnable task) {
    this.timeline = timeline;
    this.period = period;
    this.task = task;
  }

  void arm() {
    var _ = timeline.after(period, this::run);
  }

  private void run() {
    if (!cancelled) {
      task.run();
      arm();
    }
  }

  @Override
  public void cancel() {
    cancelled = true;
  }
}
