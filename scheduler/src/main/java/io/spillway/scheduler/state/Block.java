package io.spillway.scheduler.state;

import io.spillway.scheduler.model.BlockScope;
import io.spillway.scheduler.model.FailureClass;
import java.time.Duration;
import java.time.Instant;

/**
 * Nothing is placed in a scope until then. It is remembered for as long again after its end, since
 * a failure in that time doubles the next one.
 *
 * @param at when the failure happened by its source's word
 * @param repeats failures in a row that found the block, or its memory, in place; 0 at first
 */
public record Block(
    BlockScope scope,
    FailureClass failureClass,
    String reason,
    Instant at,
    Instant until,
    int repeats) {

  /** The reason of a block that a risk notice placed rather than a failure. */
  public static final String AT_RISK = "at risk";

  /** Whether it forbids placements now. */
  public boolean inForce(Instant now) {
    return now.isBefore(until);
  }

  /** When it is forgotten: after twice its time. */
  public Instant forgottenAt() {
    return until.plus(Duration.between(at, until));
  }
}
