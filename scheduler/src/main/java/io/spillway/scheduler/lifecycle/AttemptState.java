package io.spillway.scheduler.lifecycle;

import io.spillway.scheduler.model.AttemptId;
import java.time.Instant;
import java.util.Optional;

/** Where an attempt stands. Transitions of semantics §4; {@link Ended} has no methods. */
public sealed interface AttemptState {

  /** The name in REST and metrics. */
  default String label() {
    return switch (this) {
      case Intended i -> "INTENDED";
      case Launching l -> "LAUNCHING";
      case Unknown u -> "UNKNOWN";
      case Starting s -> "STARTING";
      case Running r -> "RUNNING";
      case Ending e -> "ENDING";
      case Ended e -> "ENDED";
    };
  }

  /** Whether the start is committed and the end is not. */
  default boolean isLive() {
    return !(this instanceof Intended || this instanceof Ended);
  }

  /**
   * Holds its capacity and waits for its predecessor's end.
   *
   * @param after the attempt that must end first
   * @param held whether the agent confirmed that the nodes are kept
   */
  record Intended(AttemptId after, Instant since, boolean held) implements AttemptState {
    public Intended confirmed() {
      return new Intended(after, since, true);
    }

    public Launching launching(Instant at, Instant deadline) {
      return new Launching(at, deadline);
    }

    public Ended dropped(Instant at, Reason why) {
      return new Ended(at, Outcome.DROPPED, why);
    }
  }

  /** The start is committed and sent until acknowledged. */
  record Launching(Instant since, Instant deadline) implements AttemptState {
    public Starting acknowledged(Instant at) {
      return new Starting(at);
    }

    public Running running(Instant at) {
      return new Running(at);
    }

    public Unknown expired(Instant at) {
      return new Unknown(at);
    }

    public Ending ending(Instant at, Instant deadline, Reason why) {
      return new Ending(at, deadline, why, Optional.empty());
    }

    public Ended ended(Instant at, Outcome outcome, Reason why) {
      return new Ended(at, outcome, why);
    }
  }

  /** The launch deadline passed without a word: it may run, it may not. */
  record Unknown(Instant since) implements AttemptState {
    public Starting acknowledged(Instant at) {
      return new Starting(at);
    }

    public Running running(Instant at) {
      return new Running(at);
    }

    public Ending ending(Instant at, Instant deadline, Reason why) {
      return new Ending(at, deadline, why, Optional.empty());
    }

    public Ended ended(Instant at, Outcome outcome, Reason why) {
      return new Ended(at, outcome, why);
    }
  }

  /** The agent applied it; its members do not all run yet. */
  record Starting(Instant since) implements AttemptState {
    public Running running(Instant at) {
      return new Running(at);
    }

    public Ending ending(Instant at, Instant deadline, Reason why) {
      return new Ending(at, deadline, why, Optional.empty());
    }

    public Ended ended(Instant at, Outcome outcome, Reason why) {
      return new Ended(at, outcome, why);
    }
  }

  /** All members run. */
  record Running(Instant since) implements AttemptState {
    public Ending ending(Instant at, Instant deadline, Reason why) {
      return new Ending(at, deadline, why, Optional.of(since));
    }

    public Ended ended(Instant at, Outcome outcome, Reason why) {
      return new Ended(at, outcome, why);
    }
  }

  /**
   * Told, or about, to stop.
   *
   * @param deadline when it counts as fenced if no word came
   * @param runningSince when it began to run, if it ever did
   */
  record Ending(Instant since, Instant deadline, Reason reason, Optional<Instant> runningSince)
      implements AttemptState {
    /** A later notice may only bring the deadline forward. */
    public Ending sooner(Instant earlier) {
      return earlier.isBefore(deadline) ? new Ending(since, earlier, reason, runningSince) : this;
    }

    public Ended ended(Instant at, Outcome outcome, Reason why) {
      return new Ended(at, outcome, why);
    }
  }

  /** Final. */
  record Ended(Instant at, Outcome outcome, Reason reason) implements AttemptState {}
}
