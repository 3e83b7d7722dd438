package io.spillway.capacity.http;

import io.spillway.capacity.spi.DefaultClassification;
import io.spillway.capacity.spi.FailureClassifier.Failure;
import io.spillway.capacity.spi.ProbeException;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.FailureClass;
import io.spillway.scheduler.model.MarketKey;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletionException;

/** What a call's failure makes the caller do: status, then words, as for launches. */
final class Refusals {
  private static final int READ = 1_024;
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int UNAVAILABLE = 503;

  /** The classification asks for a place; a call has none. */
  private static final MarketKey NOWHERE =
      new MarketKey("", "", "", "", "", CapacityType.ON_DEMAND, Optional.empty());

  private Refusals() {}

  /** An answer that is not in the 200s. */
  static ProbeException of(
      HttpCall call, HttpResponse<byte[]> answer, Instant sentAt, Redaction redaction) {
    int status = answer.statusCode();
    String words =
        new String(
            Arrays.copyOf(answer.body(), Math.min(READ, answer.body().length)),
            StandardCharsets.UTF_8);
    FailureClass failure =
        status < 400
            ? FailureClass.INVALID
            : new DefaultClassification()
                .classify(new Failure(NOWHERE, "", words, status, sentAt))
                .failureClass();
    Optional<Duration> retryAfter =
        status == TOO_MANY_REQUESTS || status == UNAVAILABLE
            ? answer
                .headers()
                .firstValue("Retry-After")
                .flatMap(value -> RetryAfter.parse(value, sentAt))
            : Optional.empty();
    return new ProbeException(
        failure, call.label() + ": status " + status + ' ' + redaction.of(words), retryAfter, null);
  }

  /** The budget does not allow the call. */
  static ProbeException overBudget(String label, Duration nextIn) {
    return new ProbeException(
        FailureClass.THROTTLED,
        label + ": not asked, the calls of this account are used up",
        Optional.of(nextIn),
        null);
  }

  /**
   * Anything that went wrong on the way. Errors of this program stay what they are: they are bugs.
   */
  static Throwable of(HttpCall call, Throwable failure, ProbeClient.Limits limits) {
    Throwable cause = cause(failure);
    String what =
        switch (cause) {
          case MalformedException malformed -> malformed.getMessage();
          case HttpConnectTimeoutException slow -> "no connection in time";
          case HttpTimeoutException slow -> "no answer in " + limits.call().toSeconds() + " s";
          case java.net.ConnectException none -> "no connection";
          case java.io.IOException broken ->
              "the connection broke: " + broken.getClass().getSimpleName();
          default -> null;
        };
    if (what == null) {
      return cause;
    }
    FailureClass type =
        cause instanceof MalformedException ? FailureClass.UNKNOWN : FailureClass.TRANSIENT;
    // Without the cause: its message may hold what was sent.
    return new ProbeException(type, call.label() + ": " + what, Optional.empty(), null);
  }

  /** The failure without the wrappers of futures. */
  static Throwable cause(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }
}
