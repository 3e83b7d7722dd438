package io.spillway.capacity.spi;

import io.spillway.scheduler.model.FailureClass;
import java.time.Duration;
import java.util.Optional;

/** A probe's failure, typed by what the caller does next. */
public final class ProbeException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient FailureClass failureClass;
  private final transient Optional<Duration> retryAfter;

  /**
   * @param message for people; without secrets
   * @param retryAfter the provider's own word on when to come again
   */
  public ProbeException(
      FailureClass failureClass, String message, Optional<Duration> retryAfter, Throwable cause) {
    super(message, cause);
    this.failureClass = failureClass;
    this.retryAfter = retryAfter;
  }

  /**
   * THROTTLED: the caller waits {@link #retryAfter()}; TRANSIENT: it retries with back-off; AUTH:
   * it tries hourly and reports the account unhealthy; others: it waits for the next interval.
   */
  public FailureClass failureClass() {
    return failureClass;
  }

  public Optional<Duration> retryAfter() {
    return retryAfter;
  }
}
