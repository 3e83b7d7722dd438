package io.spillway.capacity.simulated.time;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;

/** A timeline that stands still until it is moved; for tests and fast replays. Not thread-safe. */
public final class VirtualTimeline implements Timeline {
  private final Instant start;
  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(Comparator.comparingLong(Task::at).thenComparingLong(Task::order));
  private long millis;
  private long orders;

  public VirtualTimeline(Instant start) {
    this.start = start;
  }

  @Override
  public Instant now() {
    return start.plusMillis(millis);
  }

  @Override
  public long monotonicMillis() {
    return millis;
  }

  @Override
  public void execute(Runnable task) {
    after(Duration.ZERO, task);
  }

  @Override
  public Pending after(Duration delay, Runnable task) {
    Task entry = new Task(millis + Math.max(0, delay.toMillis()), orders++, task);
    tasks.add(entry);
    return () -> tasks.remove(entry);
  }

  /** Runs everything that is due within that time, in order. */
  public void advance(Duration time) {
    long end = millis + time.toMillis();
    while (!tasks.isEmpty() && tasks.peek().at <= end) {
      Task task = tasks.poll();
      millis = task.at;
      task.run.run();
    }
    millis = end;
  }

  private record Task(long at, long order, Runnable run) {}
}
