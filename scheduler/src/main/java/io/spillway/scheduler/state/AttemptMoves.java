package io.spillway.scheduler.state;

import io.spillway.scheduler.event.AttemptEvent.AttemptEnded;
import io.spillway.scheduler.event.AttemptEvent.AttemptEnding;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.AttemptState;
import io.spillway.scheduler.lifecycle.AttemptState.Ended;
import io.spillway.scheduler.lifecycle.AttemptState.Ending;
import io.spillway.scheduler.lifecycle.AttemptState.Intended;
import io.spillway.scheduler.lifecycle.AttemptState.Launching;
import io.spillway.scheduler.lifecycle.AttemptState.Running;
import io.spillway.scheduler.lifecycle.AttemptState.Starting;
import io.spillway.scheduler.lifecycle.AttemptState.Unknown;
import io.spillway.scheduler.lifecycle.Outcome;
import io.spillway.scheduler.lifecycle.Reason;
import java.time.Instant;

/** Finds the transition that an event means in the state an attempt is in, or refuses it. */
final class AttemptMoves {
  private AttemptMoves() {}

  static AttemptState launching(Attempt attempt, Instant at, Instant deadline) {
    if (attempt.state() instanceof Intended intended) {
      return intended.launching(at, deadline);
    }
    throw illegal(attempt, "LAUNCHING");
  }

  static AttemptState held(Attempt attempt) {
    if (attempt.state() instanceof Intended intended) {
      return intended.confirmed();
    }
    throw illegal(attempt, "held");
  }

  static AttemptState starting(Attempt attempt, Instant at, Instant deadline) {
    return switch (attempt.state()) {
      case Launching launching -> launching.acknowledged(at, deadline);
      case Unknown unknown -> unknown.acknowledged(at, deadline);
      default -> throw illegal(attempt, "STARTING");
    };
  }

  static AttemptState running(Attempt attempt, Instant at) {
    return switch (attempt.state()) {
      case Launching launching -> launching.running(at);
      case Unknown unknown -> unknown.running(at);
      case Starting starting -> starting.running(at);
      default -> throw illegal(attempt, "RUNNING");
    };
  }

  static AttemptState unknown(Attempt attempt, Instant at) {
    if (attempt.state() instanceof Launching launching) {
      return launching.expired(at);
    }
    throw illegal(attempt, "UNKNOWN");
  }

  static AttemptState ending(Attempt attempt, AttemptEnding event) {
    return switch (attempt.state()) {
      case Launching s -> s.ending(event.at(), event.deadline(), event.reason());
      case Unknown s -> s.ending(event.at(), event.deadline(), event.reason());
      case Starting s -> s.ending(event.at(), event.deadline(), event.reason());
      case Running s -> s.ending(event.at(), event.deadline(), event.reason());
      case Ending s -> s.sooner(event.deadline());
      default -> throw illegal(attempt, "ENDING");
    };
  }

  static AttemptState ended(Attempt attempt, AttemptEnded event) {
    return switch (attempt.state()) {
      case Intended s -> dropped(s, attempt, event);
      case Launching s -> s.ended(event.at(), event.outcome(), event.reason());
      case Unknown s -> s.ended(event.at(), event.outcome(), event.reason());
      case Starting s -> s.ended(event.at(), event.outcome(), event.reason());
      case Running s -> s.ended(event.at(), event.outcome(), event.reason());
      case Ending s -> s.ended(event.at(), event.outcome(), event.reason());
      case Ended s -> throw illegal(attempt, "ENDED");
    };
  }

  /** The outcome is corrected, the state and its instant stay. */
  static AttemptState succeededLate(Attempt attempt) {
    return new Ended(
        ended(attempt, "late success").at(), Outcome.SUCCEEDED, Reason.LATE_SUCCESS, true);
  }

  static AttemptState settled(Attempt attempt) {
    Ended ended = ended(attempt, "settled");
    return new Ended(ended.at(), ended.outcome(), ended.reason(), true);
  }

  private static Ended dropped(Intended intended, Attempt attempt, AttemptEnded event) {
    if (event.outcome() != Outcome.DROPPED) {
      throw illegal(attempt, "ENDED as " + event.outcome());
    }
    return intended.dropped(event.at(), event.reason());
  }

  private static Ended ended(Attempt attempt, String to) {
    if (attempt.state() instanceof Ended ended) {
      return ended;
    }
    throw illegal(attempt, to);
  }

  private static IllegalTransition illegal(Attempt attempt, String to) {
    return new IllegalTransition(attempt.id(), attempt.state().label(), to);
  }
}
