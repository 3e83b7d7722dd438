package io.spillway.server.simulation;

import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.model.AttemptId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Copies of starts that are still on their way to an agent which refused them. They come when it
 * has lost its memory of that. Only a stop that it answered before forbids them then: what it is
 * told comes in the order of the journal, so that none follows a stop.
 */
final class SimLateStarts {
  private final RandomGenerator random;
  private final List<Late> waiting = new ArrayList<>();
  private final Set<AttemptId> stopped = new HashSet<>();

  private record Late(Instant at, Attempt attempt) {}

  SimLateStarts(RandomGenerator random) {
    this.random = random;
  }

  void refused(Attempt attempt, Instant now) {
    if (random.nextInt(5) > 0) {
      waiting.add(new Late(now.plusSeconds(1 + random.nextInt(60)), attempt));
    }
  }

  void stopped(AttemptId attempt) {
    stopped.add(attempt);
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Those whose refusal is forgotten now; each once. */
  List<Attempt> forgotten(Instant now) {
    List<Attempt> due = new ArrayList<>();
    waiting.removeIf(late -> !late.at().isAfter(now) && due.add(late.attempt()));
    return due;
  }

  boolean mayStart(Attempt attempt) {
    return !stopped.contains(attempt.id());
  }
}
