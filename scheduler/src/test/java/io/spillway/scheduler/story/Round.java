package io.spillway.scheduler.story;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.scheduler.event.AttemptEvent;
import io.spillway.scheduler.event.Event;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.AttemptState;
import io.spillway.scheduler.lifecycle.JobState;
import io.spillway.scheduler.lifecycle.Outcome;
import io.spillway.scheduler.lifecycle.Reason;
import io.spillway.scheduler.model.OfferingId;
import java.util.List;
import java.util.Optional;

/** What one cycle did. Each question answers the round, so that questions chain. */
public record Round(World world, List<Event> events) {

  /** The newest attempt of the job was committed to start there. */
  public Round starts(String name, OfferingId offering) {
    Attempt attempt = world.attempt(name);
    assertThat(attempt.placement().offering()).isEqualTo(offering);
    assertThat(of(AttemptEvent.AttemptLaunching.class))
        .extracting(AttemptEvent.AttemptLaunching::attempt)
        .contains(attempt.id());
    return this;
  }

  public Round startsNothing() {
    assertThat(of(AttemptEvent.AttemptLaunching.class)).isEmpty();
    return this;
  }

  public Round job(String name, String label) {
    assertThat(world.job(name).state().label()).isEqualTo(label);
    return this;
  }

  public Round job(String name, String label, Reason reason) {
    job(name, label);
    Reason stated =
        switch (world.job(name).state()) {
          case JobState.Queued s -> s.reason();
          case JobState.Held s -> s.reason();
          case JobState.Draining s -> s.reason();
          case JobState.Cancelling s -> s.reason();
          case JobState.Failed s -> s.reason();
          default -> throw new AssertionError(label + " has no reason");
        };
    assertThat(stated).isEqualTo(reason);
    return this;
  }

  /** The newest attempt waits for the one before on that offering. */
  public Round holds(String name, OfferingId offering) {
    Attempt attempt = world.attempt(name);
    assertThat(attempt.state()).isInstanceOf(AttemptState.Intended.class);
    assertThat(attempt.placement().offering()).isEqualTo(offering);
    assertThat(((JobState.Draining) world.job(name).state()).next())
        .isEqualTo(Optional.of(attempt.id()));
    return this;
  }

  public Round attempt(String name, int number, String label) {
    assertThat(world.attempt(name, number).state().label()).isEqualTo(label);
    return this;
  }

  public Round ended(String name, int number, Outcome outcome, Reason reason) {
    assertThat(world.attempt(name, number).state()).isInstanceOf(AttemptState.Ended.class);
    AttemptState.Ended ended = (AttemptState.Ended) world.attempt(name, number).state();
    assertThat(ended.outcome()).isEqualTo(outcome);
    assertThat(ended.reason()).isEqualTo(reason);
    return this;
  }

  /** Nothing happened at all. */
  public Round isQuiet() {
    assertThat(events).isEmpty();
    return this;
  }

  public <E extends Event> List<E> of(Class<E> kind) {
    return events.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  public <E extends Event> E only(Class<E> kind) {
    assertThat(of(kind)).hasSize(1);
    return of(kind).getFirst();
  }
}
