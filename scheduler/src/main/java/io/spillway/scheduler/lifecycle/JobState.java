package io.spillway.scheduler.lifecycle;

import io.spillway.scheduler.model.AttemptId;
import java.time.Instant;
import java.util.Optional;

/** Where a job stands. Transitions of semantics §4; terminal states have no methods. */
public sealed interface JobState {

  /** The name in REST, YAML and metrics. */
  default String label() {
    return switch (this) {
      case Queued q -> "QUEUED";
      case Held h -> "HELD";
      case Launching l -> "LAUNCHING";
      case Running r -> "RUNNING";
      case Draining d -> "DRAINING";
      case Cancelling c -> "CANCELLING";
      case Succeeded s -> "SUCCEEDED";
      case Cancelled c -> "CANCELLED";
      case Failed f -> "FAILED";
    };
  }

  /** Whether the state is final. */
  default boolean isTerminal() {
    return this instanceof Succeeded || this instanceof Cancelled || this instanceof Failed;
  }

  /**
   * Waits for a placement.
   *
   * @param since when it last became QUEUED; the ladder's {@code waited} counts from here
   * @param notBefore back-off after a failure; never decides order
   */
  record Queued(Instant since, Reason reason, Optional<Instant> notBefore) implements JobState {
    public Held held(Instant at, Reason why) {
      return new Held(at, why);
    }

    public Launching launching(AttemptId attempt) {
      return new Launching(attempt, since);
    }

    /** An attempt given up as lost turned out to have succeeded. */
    public Succeeded succeeded(Instant at) {
      return new Succeeded(at);
    }

    public Cancelled cancelled(Instant at) {
      return new Cancelled(at);
    }

    public Failed failed(Instant at, Reason why) {
      return new Failed(at, why);
    }
  }

  /** Set aside by a user or a budget until released. */
  record Held(Instant since, Reason reason) implements JobState {
    public Queued queued(Instant at, Reason why) {
      return new Queued(at, why, Optional.empty());
    }

    public Succeeded succeeded(Instant at) {
      return new Succeeded(at);
    }

    public Cancelled cancelled(Instant at) {
      return new Cancelled(at);
    }

    public Failed failed(Instant at, Reason why) {
      return new Failed(at, why);
    }
  }

  /**
   * Its attempt's start is committed, but it does not run yet.
   *
   * @param waitingSince when it last became QUEUED or DRAINING: a refused launch does not restart
   *     the ladder's {@code waited}
   */
  record Launching(AttemptId attempt, Instant waitingSince) implements JobState {
    public Running running(Instant at) {
      return new Running(attempt, at);
    }

    public Queued queued(Instant at, Reason why, Optional<Instant> notBefore) {
      return new Queued(at, why, notBefore);
    }

    public Draining draining(Instant at, Reason why) {
      return new Draining(attempt, Optional.empty(), why, waitingSince);
    }

    public Succeeded succeeded(Instant at) {
      return new Succeeded(at);
    }

    public Cancelling cancelling(Instant at, Reason why) {
      return new Cancelling(attempt, at, why);
    }

    public Failed failed(Instant at, Reason why) {
      return new Failed(at, why);
    }
  }

  /** All members of its attempt run. */
  record Running(AttemptId attempt, Instant since) implements JobState {
    public Queued queued(Instant at, Reason why, Optional<Instant> notBefore) {
      return new Queued(at, why, notBefore);
    }

    public Draining draining(Instant at, Reason why) {
      return new Draining(attempt, Optional.empty(), why, at);
    }

    public Succeeded succeeded(Instant at) {
      return new Succeeded(at);
    }

    public Cancelling cancelling(Instant at, Reason why) {
      return new Cancelling(attempt, at, why);
    }

    public Failed failed(Instant at, Reason why) {
      return new Failed(at, why);
    }
  }

  /**
   * Its attempt is ending before its time; the next may be intended and hold capacity already.
   *
   * @param next the attempt that starts once {@code attempt} has ended
   * @param waitingSince since when it waits for its next run: when it stopped running or, if it
   *     never ran, when it last became QUEUED
   */
  record Draining(AttemptId attempt, Optional<AttemptId> next, Reason reason, Instant waitingSince)
      implements JobState {
    /** The held replacement takes over. */
    public Launching launching(AttemptId started) {
      return new Launching(started, waitingSince);
    }

    public Draining holding(Optional<AttemptId> replacement) {
      return new Draining(attempt, replacement, reason, waitingSince);
    }

    public Queued queued(Instant at, Reason why, Optional<Instant> notBefore) {
      return new Queued(at, why, notBefore);
    }

    public Held held(Instant at, Reason why) {
      return new Held(at, why);
    }

    public Succeeded succeeded(Instant at) {
      return new Succeeded(at);
    }

    public Cancelling cancelling(Instant at, Reason why) {
      return new Cancelling(attempt, at, why);
    }

    public Failed failed(Instant at, Reason why) {
      return new Failed(at, why);
    }
  }

  /**
   * A user or a time limit ends it; its attempt is being stopped.
   *
   * @param reason {@link Reason#USER_CANCELLED} ends in CANCELLED, a limit in FAILED
   */
  record Cancelling(AttemptId attempt, Instant since, Reason reason) implements JobState {
    public Cancelled cancelled(Instant at) {
      return new Cancelled(at);
    }

    public Succeeded succeeded(Instant at) {
      return new Succeeded(at);
    }

    public Failed failed(Instant at, Reason why) {
      return new Failed(at, why);
    }
  }

  /** Final: its work is done. */
  record Succeeded(Instant at) implements JobState {}

  /** Final: a user ended it. */
  record Cancelled(Instant at) implements JobState {}

  /** Final: a budget or limit is spent. */
  record Failed(Instant at, Reason reason) implements JobState {}
}
