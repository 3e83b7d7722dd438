package io.spillway.scheduler.cycle;

import io.spillway.scheduler.event.Event;
import io.spillway.scheduler.plan.Evaluation;
import io.spillway.scheduler.plan.EventSink;
import io.spillway.scheduler.plan.Plan;
import io.spillway.scheduler.state.Draft;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Collects one cycle's plan while advancing the draft that it is thought through on. */
final class Decision implements EventSink {
  private final Draft draft;
  private final List<Evaluation> evaluations = new ArrayList<>();
  private Optional<Instant> wake = Optional.empty();

  Decision(Draft draft) {
    this.draft = draft;
  }

  @Override
  public void emit(Event event) {
    draft.apply(event);
  }

  @Override
  public void judged(Evaluation evaluation) {
    evaluations.add(evaluation);
  }

  @Override
  public void wakeAt(Instant instant) {
    wake = earlier(wake, Optional.of(instant));
  }

  Plan plan(Optional<Instant> timers) {
    return new Plan(draft.events(), evaluations, earlier(wake, timers));
  }

  private static Optional<Instant> earlier(Optional<Instant> left, Optional<Instant> right) {
    return Stream.of(left, right).flatMap(Optional::stream).min(Instant::compareTo);
  }
}
