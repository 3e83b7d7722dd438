package io.spillway.capacity.crusoe;

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
import io.spillway.capacity.spi.FailureTable.Verdict;
import io.spillway.capacity.spi.FailureText;
import io.spillway.scheduler.model.BlockScope;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Crusoe's refusals. A create call is accepted and its operation fails later, with {@code
 * result.code}. The codes of requests ({@code bad_request}, {@code forbidden}) say less than their
 * words, which may be of a quota; so words go first. A quota is the project's, counted by slice
 * over all locations; a project is an account. A refusal is about the market that was asked for:
 * what is reserved is there although nothing is free.
 */
final class CrusoeFailures {
  private static final Duration STOCK = Duration.ofMinutes(10);
  private static final Duration LIMIT = Duration.ofMinutes(10);

  private static final FailureTable TABLE =
      FailureTable.builder()
          .codes(rule(NO_CAPACITY, OFFERING, STOCK), "out_of_stock")
          .codes(CrusoeFailures::quota, "quota_exceeded", "limit_exceeded")
          .text(CrusoeFailures::quota, "quota", "limit exceeded")
          .text(rule(NO_CAPACITY, OFFERING, STOCK), "out of stock")
          .family(rule(NO_CAPACITY, OFFERING, STOCK), ".*out_of_(?:stock|capacity).*")
          .family(CrusoeFailures::quota, ".*quota.*|.*limit_exceeded")
          .family(rule(AUTH, ACCOUNT, ACCOUNT_TROUBLE), "unauthorized|unauthenticated|forbidden")
          .family(rule(INVALID, OFFERING, REQUEST), "bad_request|not_found|invalid_.*")
          .family(rule(TRANSIENT, REGION, FAULT), "internal(?:_server)?_error|unavailable")
          .build();

  private CrusoeFailures() {}

  static FailureClassifier classifier() {
    return new HttpFailureClassifier(TABLE, Map.of(429, rule(THROTTLED, ACCOUNT, THROTTLE)));
  }

  private static Verdict quota(Failure failure, FailureText text) {
    return new Verdict(
        QUOTA,
        new BlockScope(
            failure.key().provider(),
            failure.key().account(),
            Optional.empty(),
            Optional.empty(),
            Optional.of(CrusoeTypes.slice(failure.key().instanceType()) + '.'),
            Optional.of(failure.key().capacityType()),
            failure.key().reservation(),
            BlockScope.Reserved.INCLUDED),
        text.limitOfZero() ? LIMIT_OF_ZERO : LIMIT);
  }
}
