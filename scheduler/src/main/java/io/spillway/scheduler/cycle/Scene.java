package io.spillway.scheduler.cycle;

import io.spillway.scheduler.event.ControlEvent;
import io.spillway.scheduler.event.Event;
import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.model.QueueName;
import io.spillway.scheduler.policy.QueuePolicy;
import io.spillway.scheduler.policy.Rung;
import io.spillway.scheduler.retry.Setbacks;
import io.spillway.scheduler.state.Draft;
import io.spillway.scheduler.state.View;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What every step of an interpretation works with: the draft, the time, the constants. */
final class Scene {
  private final CoreSettings settings;
  private final Draft draft;
  private final Cycle cycle;

  Scene(CoreSettings settings, Draft draft, Cycle cycle) {
    this.settings = settings;
    this.draft = draft;
    this.cycle = cycle;
  }

  CoreSettings settings() {
    return settings;
  }

  View view() {
    return draft.view();
  }

  Instant now() {
    return cycle.now();
  }

  Cycle cycle() {
    return cycle;
  }

  boolean recovering() {
    return view().system().recovery().isPresent();
  }

  /** Applies what happened; the placer later wakes the parked classes that it concerns. */
  void emit(Event event) {
    draft.apply(event);
  }

  void ignore(Object input, Object subject, String why) {
    emit(new ControlEvent.InputIgnored(input.getClass().getSimpleName(), subject.toString(), why));
  }

  Optional<QueuePolicy> queue(QueueName name) {
    return Optional.ofNullable(view().policies().queues().get(name));
  }

  /** How the job's standing moves under its queue's ladder. */
  Setbacks setbacks(Job job) {
    List<Rung> ladder = queue(job.order().queue()).map(QueuePolicy::ladder).orElse(List.of());
    return new Setbacks(ladder, now());
  }
}
