package io.spillway.server.jobs;

import io.spillway.scheduler.input.CommandInput.JobVerb;
import java.util.Set;

/** Which states allow a verb, and which say that it has happened (semantics §4, contract). */
enum JobVerbRules {
  CANCEL(
      JobVerb.CANCEL,
      Set.of("QUEUED", "HELD", "LAUNCHING", "RUNNING", "DRAINING", "CANCELLING"),
      Set.of("CANCELLING", "CANCELLED")),
  HOLD(JobVerb.HOLD, Set.of("QUEUED"), Set.of("HELD")),
  RELEASE(
      JobVerb.RELEASE,
      Set.of("HELD"),
      Set.of("QUEUED", "LAUNCHING", "RUNNING", "DRAINING", "SUCCEEDED")),
  REQUEUE(
      JobVerb.REQUEUE,
      Set.of("LAUNCHING", "RUNNING"),
      Set.of("DRAINING", "QUEUED", "HELD", "LAUNCHING"));

  private final JobVerb verb;

  // Both hold what Set.of made.
  @SuppressWarnings("ImmutableEnumChecker")
  private final Set<String> allowed;

  @SuppressWarnings("ImmutableEnumChecker")
  private final Set<String> reached;

  JobVerbRules(JobVerb verb, Set<String> allowed, Set<String> reached) {
    this.verb = verb;
    this.allowed = allowed;
    this.reached = reached;
  }

  static JobVerbRules of(JobVerb verb) {
    for (JobVerbRules rules : values()) {
      if (rules.verb == verb) {
        return rules;
      }
    }
    throw new IllegalStateException("no rules for " + verb);
  }

  boolean allows(String state) {
    return allowed.contains(state);
  }

  boolean isReached(String state) {
    return reached.contains(state);
  }

  /** Whether the state already is what the verb wants, so that asking again is no error. */
  boolean isDone(String state) {
    return this == CANCEL && reached.contains(state);
  }
}
