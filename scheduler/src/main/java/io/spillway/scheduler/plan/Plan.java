package io.spillway.scheduler.plan;

import io.spillway.scheduler.event.Event;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What {@code decide} returns.
 *
 * @param events to apply and commit, in order
 * @param evaluations to store beside them, one per class judged
 * @param nextWake when time alone will change something; empty = never
 */
public record Plan(List<Event> events, List<Evaluation> evaluations, Optional<Instant> nextWake) {
  public Plan {
    events = List.copyOf(events);
    evaluations = List.copyOf(evaluations);
  }
}
