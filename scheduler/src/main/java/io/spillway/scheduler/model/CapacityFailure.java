package io.spillway.scheduler.model;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A refusal by a cloud or a cluster, classified.
 *
 * @param block how long nothing is tried in the scope, before growth by repetition
 * @param code the provider's own code or a shortened message, for people; at most 200 characters
 * @param at when the failure happened by its source's word (a late event blocks from then, not from
 *     when it arrived)
 * @param longest what the block may grow to, where the provider's stock moves faster than others';
 *     empty = as its class
 */
public record CapacityFailure(
    FailureClass failureClass,
    BlockScope scope,
    Duration block,
    String code,
    Instant at,
    Optional<Duration> longest) {

  /** Older journals do not tell what it may grow to. */
  public CapacityFailure {
    longest = longest == null ? Optional.empty() : longest;
  }

  public CapacityFailure(
      FailureClass failureClass, BlockScope scope, Duration block, String code, Instant at) {
    this(failureClass, scope, block, code, at, Optional.empty());
  }

  /** The same about another scope. */
  public CapacityFailure in(BlockScope other) {
    return new CapacityFailure(failureClass, other, block, code, at, longest);
  }

  /** The same for another time. */
  public CapacityFailure blocking(Duration time) {
    return new CapacityFailure(failureClass, scope, time, code, at, longest);
  }

  /** The same at another time. */
  public CapacityFailure at(Instant time) {
    return new CapacityFailure(failureClass, scope, block, code, time, longest);
  }

  /** The same, whose block grows to no more than that. */
  public CapacityFailure growingTo(Duration most) {
    return new CapacityFailure(failureClass, scope, block, code, at, Optional.of(most));
  }
}
