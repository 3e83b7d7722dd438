package io.spillway.capacity.nebius;

import static io.spillway.capacity.spi.DefaultClassification.ACCOUNT_TROUBLE;
import static io.spillway.capacity.spi.DefaultClassification.FAULT;
import static io.spillway.capacity.spi.DefaultClassification.LIMIT_OF_ZERO;
import static io.spillway.capacity.spi.DefaultClassification.REQUEST;
import static io.spillway.capacity.spi.DefaultClassification.THROTTLE;
import static io.spillway.capacity.spi.FailureScope.ACCOUNT;
import static io.spillway.capacity.spi.FailureScope.OFFERING;
import static io.spillway.capacity.spi.FailureScope.REGION;
import static io.spillway.capacity.spi.FailureTable.rule;
import static io.spillway.scheduler.model.FailureClass.AUTH;
import static io.spillway.scheduler.model.FailureClass.INVALID;
import static io.spillway.scheduler.model.FailureClass.NO_CAPACITY;
import static io.spillway.scheduler.model.FailureClass.QUOTA;
import static io.spillway.scheduler.model.FailureClass.THROTTLED;
import static io.spillway.scheduler.model.FailureClass.TRANSIENT;

import io.spillway.capacity.http.HttpFailureClassifier;
import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.capacity.spi.FailureClassifier.Failure;
import io.spillway.capacity.spi.FailureTable;
import io.spillway.capacity.spi.FailureTable.Ruling;
import io.spillway.capacity.spi.FailureTable.Verdict;
import io.spillway.capacity.spi.FailureText;
import io.spillway.scheduler.model.BlockScope;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Nebius's refusals: gRPC statuses, told bare ({@code RESOURCE_EXHAUSTED}), as Go writes them
 * ({@code code = ResourceExhausted desc = …}) or by the kind of their details. One status covers
 * quota and missing hardware, so words and details go first. A quota is counted per market: what is
 * reserved does not count against that of regular machines. A capacity block is refused for itself.
 */
final class NebiusFailures {
  private static final Duration HARDWARE = Duration.ofMinutes(10);
  private static final Duration HARDWARE_IT_SEEMS = Duration.ofMinutes(5);
  private static final Duration LIMIT = Duration.ofMinutes(10);

  private static final Ruling SHORT = rule(NO_CAPACITY, OFFERING, HARDWARE);
  private static final Ruling ACCESS = rule(AUTH, ACCOUNT, ACCOUNT_TROUBLE);
  private static final Ruling BAD_REQUEST = rule(INVALID, OFFERING, REQUEST);
  private static final Ruling TROUBLE = rule(TRANSIENT, REGION, FAULT);
  private static final Ruling TOO_OFTEN = rule(THROTTLED, ACCOUNT, THROTTLE);

  private static final FailureTable TABLE =
      FailureTable.builder()
          .codes(NebiusFailures::quota, "QuotaFailure", "AVAILABILITY_LEVEL_LIMIT_REACHED")
          .codes(TOO_OFTEN, "TooManyRequests")
          .codes(SHORT, "NotEnoughResources")
          .text(NebiusFailures::quota, "quota")
          .text(TOO_OFTEN, "too many requests")
          .text(SHORT, "not enough resources", "out of capacity", "no capacity")
          .text(NebiusFailures::exhausted, "code = resourceexhausted")
          .text(ACCESS, "code = unauthenticated", "code = permissiondenied")
          .text(
              BAD_REQUEST, "code = invalidargument", "code = notfound", "code = failedprecondition")
          .text(
              TROUBLE,
              "code = unavailable",
              "code = internal",
              "code = deadlineexceeded",
              "code = aborted")
          .family(NebiusFailures::exhausted, "RESOURCE_?EXHAUSTED")
          .family(ACCESS, "UNAUTHENTICATED|PERMISSION_?DENIED")
          .family(
              BAD_REQUEST,
              "INVALID_?ARGUMENT|NOT_?FOUND|FAILED_?PRECONDITION|OUT_?OF_?RANGE|UNIMPLEMENTED")
          .family(TROUBLE, "UNAVAILABLE|INTERNAL|DEADLINE_?EXCEEDED|ABORTED|CANCELLED")
          .build();

  private NebiusFailures() {}

  static FailureClassifier classifier() {
    return new HttpFailureClassifier(TABLE, Map.of(429, TOO_OFTEN));
  }

  /** Without words it is hardware, unless HTTP says that it was asked too often. */
  private static Verdict exhausted(Failure failure, FailureText text) {
    return failure.httpStatus() == 429
        ? TOO_OFTEN.on(failure, text)
        : rule(NO_CAPACITY, OFFERING, HARDWARE_IT_SEEMS).on(failure, text);
  }

  private static Verdict quota(Failure failure, FailureText text) {
    return new Verdict(
        QUOTA,
        new BlockScope(
            failure.key().provider(),
            failure.key().account(),
            Optional.of(failure.key().region()),
            Optional.empty(),
            Optional.empty(),
            Optional.of(failure.key().capacityType()),
            failure.key().reservation(),
            BlockScope.Reserved.INCLUDED),
        text.limitOfZero() ? LIMIT_OF_ZERO : LIMIT);
  }
}
