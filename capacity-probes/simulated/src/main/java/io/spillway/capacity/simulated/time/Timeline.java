package io.spillway.capacity.simulated.time;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** One thread's order of events. All tasks of a timeline run one after the other. */
public interface Timeline {

  /** Wall-clock time; may jump. */
  Instant now();

  /** Milliseconds of a clock that never goes back and outlives this process (since boot). */
  long monotonicMillis();

  /**
   * Runs the task on the timeline, after everything that is already due. May be called from any
   * thread.
   */
  void execute(Runnable task);

  /** Runs the task once that time has passed. May be called from any thread. */
  Pending after(Duration delay, Runnable task);

  /** Runs the task again and again, the first time after one period. */
  default Pending every(Duration period, Runnable task) {
    Repeat repeat = new Repeat(this, period, task);
    repeat.arm();
    return repeat;
  }

  /** Asks the timeline from another thread. */
  default <T> CompletableFuture<T> ask(Supplier<T> question) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    execute(
        () -> {
          try {
            answer.complete(question.get());
          } catch (RuntimeException e) {
            answer.completeExceptionally(e);
          }
        });
    return answer;
  }

  /** A task that has not run yet. */
  interface Pending {
    /** Does nothing if it already ran. Only from the timeline itself. */
    void cancel();
  }
}
