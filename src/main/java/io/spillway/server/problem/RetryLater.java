package io.spillway.server.problem;

import java.time.Duration;

/** Not now: the same call may succeed after the time given. */
public final class RetryLater extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ProblemType type;
  private final Duration after;

  public RetryLater(ProblemType type, String detail, Duration after) {
    super(detail, null, false, false);
    this.type = type;
    this.after = after;
  }

  public ProblemType type() {
    return type;
  }

  /** Whole seconds for {@code Retry-After}, at least 1. */
  public long afterSeconds() {
    return Math.max(1, (after.toMillis() + 999) / 1000);
  }

  public Problem problem(String instance) {
    return Problem.of(type, getMessage(), instance, java.util.List.of());
  }
}
