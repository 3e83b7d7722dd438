package io.spillway.agent.time;

import java.time.Duration;
import java.time.Instant;

/** One thread's order of events: its tasks run one after the other. */
public interface Timeline {

  /** Wall-clock time; may jump, so that it only dates what is kept. */
  Instant now();

  /** Milliseconds of a clock that never goes back; of this process only. */
  long millis();

  /** Runs the task behind everything that is already due. From any thread. */
  void execute(Runnable task);

  /** Runs the task once that time has passed. From any thread. */
  Timer after(Duration delay, Runnable task);

  /** Runs the task again and again, first after one period, until it is cancelled. */
  default Timer every(Duration period, Runnable task) {
    Repetition repetition = new Repetition(this, period, task);
    repetition.arm();
    return repetition;
  }

  /** Something that will happen. */
  interface Timer {
    /** It does not happen, unless it already has. Only from the timeline. */
    void cancel();
  }
}
