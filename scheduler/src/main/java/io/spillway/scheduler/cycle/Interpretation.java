package io.spillway.scheduler.cycle;

import io.spillway.scheduler.event.ControlEvent;
import io.spillway.scheduler.event.JobEvent;
import io.spillway.scheduler.event.MarketEvent;
import io.spillway.scheduler.input.CommandInput;
import io.spillway.scheduler.input.Inputs;
import io.spillway.scheduler.input.MarketInput;
import io.spillway.scheduler.input.Received;
import io.spillway.scheduler.state.Draft;

/** Turns inputs into events. Knows submits, policies and observations so far. */
final class Interpretation {

  private final Draft draft;
  private final Cycle cycle;

  Interpretation(Draft draft, Cycle cycle) {

    this.draft = draft;
    this.cycle = cycle;
  }

  void of(Inputs inputs) {
    inputs.received().forEach(this::interpret);
  }

  private void interpret(Received received) {
    switch (received.input()) {
      case CommandInput.JobSubmitted s ->
          draft.apply(new JobEvent.JobTaken(s.job(), s.order(), received.at()));
      case CommandInput.PolicyOffered p ->
          draft.apply(new ControlEvent.PolicyAdopted(p.policies(), cycle.now()));
      case MarketInput.ObservationChanged o ->
          draft.apply(new MarketEvent.ObservationAdopted(o.observation()));
      default ->
          draft.apply(
              new ControlEvent.InputIgnored(
                  received.input().getClass().getSimpleName(), received.actor(), "not yet"));
    }
  }
}
