package io.spillway.scheduler.event;

import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.Outcome;
import io.spillway.scheduler.lifecycle.Reason;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.CapacityFailure;
import io.spillway.scheduler.model.OfferingId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What happened to an attempt. */
public sealed interface AttemptEvent extends Event {
  AttemptId attempt();

  /**
   * An attempt was placed.
   *
   * @param after the attempt that must end before it starts; empty = its start is committed with it
   * @param epoch leader epoch of this commit
   */
  record AttemptIntended(
      AttemptId attempt,
      Attempt.Placement placement,
      Optional<AttemptId> after,
      Instant at,
      long epoch)
      implements AttemptEvent {}

  /** Its start is committed: from now on it is live. */
  record AttemptLaunching(AttemptId attempt, OfferingId offering, Instant at, Instant deadline)
      implements AttemptEvent {}

  /** The agent keeps its nodes. */
  record HoldConfirmed(AttemptId attempt, List<String> instances) implements AttemptEvent {
    public HoldConfirmed {
      instances = List.copyOf(instances);
    }
  }

  /**
   * The agent applied it.
   *
   * @param deadline when a start that runs nothing counts as a capacity refusal
   */
  record AttemptStarting(AttemptId attempt, OfferingId offering, Instant at, Instant deadline)
      implements AttemptEvent {}

  /** All its members run. */
  record AttemptRunning(AttemptId attempt, OfferingId offering, Instant at, List<String> instances)
      implements AttemptEvent {
    public AttemptRunning {
      instances = List.copyOf(instances);
    }
  }

  /** No word until the launch deadline. */
  record AttemptUnknown(AttemptId attempt, OfferingId offering, Instant at)
      implements AttemptEvent {}

  record AttemptEnding(AttemptId attempt, Instant at, Instant deadline, Reason reason)
      implements AttemptEvent {}

  /**
   * Final.
   *
   * @param failure the capacity failure, if that is why
   * @param lostWork running time since the last checkpoint that the end threw away
   * @param detail exit codes or a termination message, at most 300 characters
   */
  record AttemptEnded(
      AttemptId attempt,
      OfferingId offering,
      Instant at,
      Outcome outcome,
      Reason reason,
      Optional<CapacityFailure> failure,
      Duration lostWork,
      String detail)
      implements AttemptEvent {}

  /**
   * Its cluster's gate, or the cluster itself, will not have it; that it is taken back follows.
   *
   * @param words the refusal's, for people, at most 300 characters
   */
  record LaunchNotAdmitted(AttemptId attempt, OfferingId offering, Instant at, String words)
      implements AttemptEvent {}

  /**
   * It could not be put into its cluster's words; that it is taken back follows.
   *
   * @param words a code and a sentence for people, at most 300 characters
   */
  record LaunchUntranslatable(AttemptId attempt, OfferingId offering, Instant at, String words)
      implements AttemptEvent {}

  /** A fenced or lost attempt turned out to have succeeded. */
  record LateSuccess(AttemptId attempt, Instant at) implements AttemptEvent {}

  /** Nothing of a fenced attempt is left in its cluster: no stop is owed any more. */
  record StopConfirmed(AttemptId attempt, Instant at) implements AttemptEvent {}

  record AttemptReachable(AttemptId attempt, boolean reachable) implements AttemptEvent {}
}
