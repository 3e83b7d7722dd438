package io.spillway.scheduler.plan;

import io.spillway.scheduler.event.Event;
import java.time.Instant;

/**
 * Where a step of a decision puts what it decided. Emitting an event applies it to the draft that
 * the step works on at once, so that what it reads next already says so.
 */
public interface EventSink {

  /**
   * @throws IllegalStateException if the event's subject does not allow it: a bug of the step
   */
  void emit(Event event);

  /** How a class was judged; stored beside the events. */
  void judged(Evaluation evaluation);

  /** Time alone will change something then. */
  void wakeAt(Instant instant);
}
