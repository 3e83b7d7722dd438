package io.spillway.capacity.oci;

import static io.spillway.capacity.spi.DefaultClassification.ACCOUNT_TROUBLE;
import static io.spillway.capacity.spi.DefaultClassification.FAULT;
import static io.spillway.capacity.spi.DefaultClassification.LIMIT_OF_ZERO;
import static io.spillway.capacity.spi.DefaultClassification.REQUEST;
import static io.spillway.capacity.spi.DefaultClassification.THROTTLE;
import static io.spillway.capacity.spi.FailureScope.ACCOUNT;
import static io.spillway.capacity.spi.FailureScope.OFFERING;
import static io.spillway.capacity.spi.FailureScope.REGION;
import static io.spillway.capacity.spi.FailureScope.TYPE_AND_ZONE;
import static io.spillway.capacity.spi.FailureScope.ZONE;
import static io.spillway.capacity.spi.FailureTable.rule;
import static io.spillway.scheduler.model.FailureClass.AUTH;
import static io.spillway.scheduler.model.FailureClass.INVALID;
import static io.spillway.scheduler.model.FailureClass.NO_CAPACITY;
import static io.spillway.scheduler.model.FailureClass.QUOTA;
import static io.spillway.scheduler.model.FailureClass.THROTTLED;
import static io.spillway.scheduler.model.FailureClass.TRANSIENT;

import io.spillway.capacity.spi.DefaultClassification;
import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.capacity.spi.FailureScope;
import io.spillway.capacity.spi.FailureTable;
import io.spillway.capacity.spi.FailureTable.Verdict;
import io.spillway.capacity.spi.FailureText;
import io.spillway.scheduler.model.CapacityFailure;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * OCI's refusals: codes of the core services, statuses of the capacity report, and the node errors
 * of OKE, which carry the same words. The code {@code InternalError} (HTTP 500) means both "no
 * machine is free" and "a fault of ours", so the text always speaks before code and status. A zone
 * is an availability domain; a compartment has no place in a scope and counts as the account's
 * region.
 */
public final class OciFailureClassifier implements FailureClassifier {
  private static final Duration MACHINES = Duration.ofMinutes(10);
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final Duration NOT_OFFERED = Duration.ofHours(24);

  /** Oracle's names of GPU limits: {@code gpu4-count}, {@code gpu-a100-v2-count}. */
  private static final Pattern GPU_LIMIT = Pattern.compile("\\b(gpu-?[a-z0-9-]+)-count\\b");

  private static final FailureTable WORDS =
      FailureTable.builder()
          .text(rule(THROTTLED, REGION, THROTTLE), "too many requests for the user")
          .text(
              rule(NO_CAPACITY, TYPE_AND_ZONE, MACHINES), "out of host capacity", "out of capacity")
          .build();

  /** Only where the request was refused for it: other errors may name a reservation in passing. */
  private static final FailureTable RESERVATIONS =
      FailureTable.builder()
          .text(rule(NO_CAPACITY, OFFERING, MACHINES), "capacity reservation")
          .build();

  private static final FailureTable CODES =
      FailureTable.builder()
          .codes(OciFailureClassifier::serviceLimit, "LimitExceeded")
          .codes(rule(QUOTA, REGION, ACCOUNT_TROUBLE), "QuotaExceeded")
          .codes(
              rule(AUTH, ACCOUNT, ACCOUNT_TROUBLE),
              "NotAuthenticated",
              "NotAuthorized",
              "SignUpRequired")
          .codes(rule(AUTH, REGION, ACCOUNT_TROUBLE), "NotAuthorizedOrNotFound")
          .codes(rule(THROTTLED, REGION, THROTTLE), "TooManyRequests")
          .codes(
              rule(NO_CAPACITY, TYPE_AND_ZONE, MACHINES),
              "OUT_OF_HOST_CAPACITY",
              "OutOfHostCapacity",
              "OutOfCapacity")
          // An instance pool that gets no more machines, as the cluster autoscaler names it.
          .codes(rule(NO_CAPACITY, TYPE_AND_ZONE, MACHINES), "Unfulfilled")
          .codes(rule(INVALID, TYPE_AND_ZONE, NOT_OFFERED), "HARDWARE_NOT_SUPPORTED")
          .codes(
              rule(INVALID, OFFERING, REQUEST),
              "InvalidParameter",
              "CannotParseRequest",
              "MissingParameter")
          .codes(
              rule(TRANSIENT, OFFERING, FAULT),
              "IncorrectState",
              "InvalidatedRetryToken",
              "ExternalServerIncorrectState",
              "NoEtagMatch")
          .codes(
              rule(TRANSIENT, REGION, FAULT),
              "InternalServerError",
              "InternalError",
              "ServiceUnavailable",
              "BadGateway",
              "GatewayTimeout")
          .family(rule(THROTTLED, REGION, THROTTLE), ".*TooManyRequests.*|.*Throttl.*")
          .family(OciFailureClassifier::serviceLimit, ".*(?:Limit|Quota)Exceeded")
          .family(rule(NO_CAPACITY, TYPE_AND_ZONE, MACHINES), ".*out_?of_?(?:host_?)?capacity.*")
          .build();

  private static final DefaultClassification DEFAULTS = new DefaultClassification();

  @Override
  public CapacityFailure classify(Failure failure) {
    FailureText text = FailureText.of(failure);
    return WORDS
        .classify(failure, text)
        .or(
            () ->
                failure.httpStatus() == 400 && !limit(text)
                    ? RESERVATIONS.classify(failure, text)
                    : Optional.empty())
        .or(() -> CODES.classify(failure, text))
        .orElseGet(() -> DEFAULTS.classify(failure, text));
  }

  private static boolean limit(FailureText text) {
    return text.codeHas("limitexceeded") || text.codeHas("quotaexceeded");
  }

  /**
   * GPU limits are counted by availability domain, others by region. A limit that is named and
   * counts this shape's GPUs ({@code gpu-h100-count}) says nothing of other shapes.
   */
  private static Verdict serviceLimit(Failure failure, FailureText text) {
    boolean domain = !failure.key().zone().isEmpty();
    FailureScope scope = countsShape(failure) ? TYPE_AND_ZONE : domain ? ZONE : REGION;
    return new Verdict(QUOTA, scope.of(failure.key()), text.limitOfZero() ? LIMIT_OF_ZERO : LIMIT);
  }

  private static boolean countsShape(Failure failure) {
    String shape = failure.key().instanceType().toLowerCase(Locale.ROOT).replace('.', '-');
    Matcher named = GPU_LIMIT.matcher(failure.message() == null ? "" : failure.message());
    return named.find() && shape.contains("-" + named.group(1) + "-");
  }
}
