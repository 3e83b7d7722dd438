package io.spillway.scheduler.cycle;

import io.spillway.scheduler.input.AgentInput.Cause;
import io.spillway.scheduler.input.AgentInput.End;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.AttemptState;
import io.spillway.scheduler.lifecycle.Outcome;
import io.spillway.scheduler.lifecycle.Reason;
import io.spillway.scheduler.model.CapacityType;

/**
 * What an end means, from its evidence (semantics §5), strongest first: exit codes of all members,
 * then why it was being ended, then the cluster's word.
 */
record EndVerdict(Outcome outcome, Reason reason, String detail) {
  private static final int MAX_DETAIL = 300;

  /** By the agent's report of an end. */
  static EndVerdict of(Attempt attempt, End end) {
    String detail = shortened(end);
    if (isSuccess(end)) {
      return new EndVerdict(Outcome.SUCCEEDED, Reason.EXITED_ZERO, detail);
    }
    if (attempt.state() instanceof AttemptState.Ending ending) {
      return new EndVerdict(stopped(attempt, ending.reason()), ending.reason(), detail);
    }
    return switch (end.cause()) {
      case EXITED ->
          end.exitCodes().isEmpty()
              ? new EndVerdict(Outcome.INFRASTRUCTURE, Reason.INFRASTRUCTURE_FAULT, detail)
              : new EndVerdict(Outcome.FAILED, Reason.EXITED_NONZERO, detail);
      case STOPPED -> new EndVerdict(Outcome.STOPPED, Reason.STOP_CONFIRMED, detail);
      case DISRUPTED -> new EndVerdict(Outcome.INTERRUPTED, Reason.INTERRUPTED, detail);
      case NODE_LOST -> new EndVerdict(nodeLost(attempt), Reason.NODE_LOST, detail);
      case DELETED -> new EndVerdict(Outcome.INFRASTRUCTURE, Reason.POD_DELETED, detail);
    };
  }

  /** By the cluster's word that nothing of it exists, though nobody saw it end. */
  static EndVerdict absent(Attempt attempt) {
    return switch (attempt.state()) {
      case AttemptState.Ending ending ->
          new EndVerdict(stopped(attempt, ending.reason()), ending.reason(), "");
      case AttemptState.Unknown u ->
          new EndVerdict(Outcome.INFRASTRUCTURE, Reason.LAUNCH_NEVER_HAPPENED, "");
      default -> new EndVerdict(Outcome.INFRASTRUCTURE, Reason.WORKLOAD_MISSING, "");
    };
  }

  /** All members are known to have exited with zero, and not because we stopped them. */
  static boolean isSuccess(End end) {
    return end.cause() != Cause.STOPPED
        && !end.exitCodes().isEmpty()
        && end.exitCodes().stream().allMatch(code -> code == 0);
  }

  /** What the end of an attempt counts as that was being ended for that reason. */
  static Outcome stopped(Attempt attempt, Reason reason) {
    return switch (reason) {
      case INTERRUPTED, MAINTENANCE, INSTANCE_LOST -> Outcome.INTERRUPTED;
      case NODE_LOST -> nodeLost(attempt);
      case CAPACITY_REFUSED, LAUNCH_DEADLINE_PASSED -> Outcome.REFUSED;
      case GATE_REFUSED, TRANSLATION_REFUSED -> Outcome.REFUSED;
      default -> Outcome.STOPPED;
    };
  }

  /**
   * A spot node that is lost was taken back more often than it broke; elsewhere losses use up the
   * budget of infrastructure failures.
   */
  static Outcome nodeLost(Attempt attempt) {
    return attempt.placement().offering().capacityType() == CapacityType.SPOT
        ? Outcome.INTERRUPTED
        : Outcome.INFRASTRUCTURE;
  }

  private static String shortened(End end) {
    String text =
        (end.exitCodes().isEmpty() ? "" : "exit codes " + end.exitCodes() + " ") + end.message();
    String stripped = text.strip();
    return stripped.length() <= MAX_DETAIL ? stripped : stripped.substring(0, MAX_DETAIL);
  }
}
