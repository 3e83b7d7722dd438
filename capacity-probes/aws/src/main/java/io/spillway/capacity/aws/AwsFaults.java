package io.spillway.capacity.aws;

import io.spillway.capacity.http.RetryAfter;
import io.spillway.capacity.spi.FailureClassifier.Failure;
import io.spillway.capacity.spi.ProbeException;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.FailureClass;
import io.spillway.scheduler.model.MarketKey;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.retry.RetryUtils;

/**
 * The SDK's failures as the probe's. They carry the operation, the code and the status, and neither
 * the service's own text nor the SDK's exception: both may echo what was signed.
 */
final class AwsFaults {
  private static final AwsFailureClassifier CLASSIFIER = new AwsFailureClassifier();
  private static final Set<String> PERMISSIONS =
      Set.of("UnauthorizedOperation", "AccessDenied", "AccessDeniedException");
  private static final int MAX_CODE = 80;

  /** Describing asks for no place; the classification does. */
  private static final MarketKey NOWHERE =
      new MarketKey("aws", "", "", "", "", CapacityType.ON_DEMAND, Optional.empty());

  private AwsFaults() {}

  /**
   * A call that failed.
   *
   * @param thatCallOnly other calls of the same region may still be answered: the service spoke,
   *     and its word was about this call (a missing permission, a fault), not about the account,
   *     the pace or the line
   */
  record Fault(ProbeException failure, boolean thatCallOnly) {}

  /**
   * Whether a call is made twice: only when the connection failed, or when the first answer told
   * the SDK how far this clock is off. All else waits for the next run.
   */
  static boolean worthASecondTry(Throwable failure) {
    return causedBy(failure, IOException.class)
        || (failure instanceof SdkException sdk && RetryUtils.isClockSkewException(sdk));
  }

  /**
   * @param call the operation, for people
   */
  static Fault of(String call, RuntimeException failure) {
    if (failure instanceof AwsServiceException answer && answer.statusCode() > 0) {
      return answered(call, answer);
    }
    if (saysNoCredentials(failure)) {
      return new Fault(
          failed(
              FailureClass.AUTH,
              "no credentials: neither in the configuration nor in the usual places (environment,"
                  + " web identity, profile, container, instance)"),
          false);
    }
    return new Fault(
        failed(
            FailureClass.TRANSIENT,
            call + ": " + failure.getClass().getSimpleName() + cause(failure)),
        false);
  }

  private static ProbeException failed(FailureClass failureClass, String message) {
    return new ProbeException(failureClass, message, Optional.empty(), null);
  }

  private static Fault answered(String call, AwsServiceException answer) {
    Optional<AwsErrorDetails> details = Optional.ofNullable(answer.awsErrorDetails());
    String code = details.map(AwsErrorDetails::errorCode).orElse("");
    FailureClass failureClass =
        answer.isThrottlingException()
            ? FailureClass.THROTTLED
            : CLASSIFIER
                .classify(
                    new Failure(
                        NOWHERE,
                        code,
                        details.map(AwsErrorDetails::errorMessage).orElse(""),
                        answer.statusCode(),
                        Instant.EPOCH))
                .failureClass();
    ProbeException failure =
        new ProbeException(
            failureClass,
            call
                + ": "
                + (code.isEmpty() ? "" : shown(code) + ", ")
                + "HTTP "
                + answer.statusCode(),
            retryAfter(details),
            null);
    boolean thatCallOnly =
        switch (failureClass) {
          case THROTTLED -> false;
          case AUTH -> PERMISSIONS.contains(code);
          default -> true;
        };
    return new Fault(failure, thatCallOnly);
  }

  private static Optional<Duration> retryAfter(Optional<AwsErrorDetails> details) {
    return details
        .map(AwsErrorDetails::sdkHttpResponse)
        .flatMap(
            response ->
                response
                    .firstMatchingHeader("Retry-After")
                    .flatMap(
                        value ->
                            RetryAfter.parse(
                                value,
                                response
                                    .firstMatchingHeader("Date")
                                    .flatMap(RetryAfter::date)
                                    .orElse(Instant.MAX))));
  }

  private static boolean saysNoCredentials(RuntimeException failure) {
    return failure instanceof SdkClientException
        && failure.getMessage() != null
        && failure.getMessage().contains("Unable to load credentials");
  }

  private static boolean causedBy(Throwable failure, Class<? extends Throwable> kind) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (kind.isInstance(cause)) {
        return true;
      }
    }
    return false;
  }

  private static String cause(RuntimeException failure) {
    return failure.getCause() == null
        ? ""
        : " (" + failure.getCause().getClass().getSimpleName() + ")";
  }

  private static String shown(String code) {
    String plain = code.replaceAll("[^A-Za-z0-9._-]", "?");
    return plain.length() <= MAX_CODE ? plain : plain.substring(0, MAX_CODE);
  }
}
