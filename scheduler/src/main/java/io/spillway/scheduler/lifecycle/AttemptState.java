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
   * @param after the attempt that must end first; empty = its start is committed with it
   * @param held whether the agent confirmed that the nodes are kept
   */
  record Intended(Optional<AttemptId> after, Instant since, boolean held) implements AttemptState {
    public Intended confirmed() {
      return new Intended(after, since, true);
    }

    public Launching launching(Instant at, Instant deadline) {
      return new Launching(at, deadline);
    }

    public Ended dropped(Instant at, Reason why) {
      return Ended.of(at, Outcome.DROPPED, why);
    }
  }

  /** The start is committed and sent until acknowledged. */
  record Launching(Instant since, Instant deadline) implements AttemptState {
    public Starting acknowledged(Instant at, Instant runsBefore) {
      return new Starting(at, runsBefore);
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
      return Ended.of(at, outcome, why);
    }
  }

  /** The launch deadline passed without a word: it may run, it may not. */
  record Unknown(Instant since) implements AttemptState {
    public Starting acknowledged(Instant at, Instant runsBefore) {
      return new Starting(at, runsBefore);
    }

    public Running running(Instant at) {
      return new Running(at);
    }

    public Ending ending(Instant at, Instant deadline, Reason why) {
      return new Ending(at, deadline, why, Optional.empty());
    }

    public Ended ended(Instant at, Outcome outcome, Reason why) {
      return Ended.of(at, outcome, why);
    }
  }

  /**
   * The agent applied it; its members do not all run yet.
   *
   * @param deadline when a start that runs nothing counts as a capacity refusal
   */
  record Starting(Instant since, Instant deadline) implements AttemptState {
    public Running running(Instant at) {
      return new Running(at);
    }

    public Ending ending(Instant at, Instant deadline, Reason why) {
      return new Ending(at, deadline, why, Optional.empty());
    }

    public Ended ended(Instant at, Outcome outcome, Reason why) {
      return Ended.of(at, outcome, why);
    }
  }

  /** All members run. */
  record Running(Instant since) implements AttemptState {
    public Ending ending(Instant at, Instant deadline, Reason why) {
      return new Ending(at, deadline, why, Optional.of(since));
    }

    public Ended ended(Instant at, Outcome outcome, Reason why) {
      return Ended.of(at, outcome, why);
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
      return Ended.of(at, outcome, why);
    }
  }

  /**
   * Final.
   *
   * @param settled nothing of it can still run: there was evidence of its end, or, if it was
   *     fenced, its stop was confirmed later
   */
  record Ended(Instant at, Outcome outcome, Reason reason, boolean settled)
      implements AttemptState {
    /** Ended just now: settled unless it was given up without proof. */
    static Ended of(Instant at, Outcome outcome, Reason reason) {
      return new Ended(at, outcome, reason, outcome != Outcome.FENCED);
    }
  }
}
