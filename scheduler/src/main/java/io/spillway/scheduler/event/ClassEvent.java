package io.spillway.scheduler.event;

import io.spillway.scheduler.plan.ParkCause;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What happened to a class of equal waiting jobs. */
public sealed interface ClassEvent extends Event {
  /** The canonical text of the class key. */
  String shapeClass();

  /**
   * Set aside until one of the causes happens or the time comes.
   *
   * @param until next instant at which time alone can change the verdict
   */
  record ClassParked(
      String shapeClass, List<ParkCause> causes, Optional<Instant> until, boolean quarantined)
      implements ClassEvent {
    public ClassParked {
      causes = List.copyOf(causes);
    }
  }

  record ClassWoken(String shapeClass, String cause) implements ClassEvent {}

  /** From when on the rung had no admissible offering; empty = it has one again. */
  record RungExhausted(String shapeClass, int rung, Optional<Instant> since)
      implements ClassEvent {}
}
