package io.spillway.capacity.lambda;

import static io.spillway.capacity.spi.DefaultClassification.ACCOUNT_TROUBLE;
import static io.spillway.capacity.spi.DefaultClassification.REQUEST;
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
import io.spillway.capacity.spi.FailureTable;
import java.time.Duration;
import java.util.Map;

/**
 * Lambda's refusals: {@code {"error": {"code": "instance-operations/launch/…", "message": …}}}. A
 * zone is the region; a quota, a key and a rate are the account's. Stock moves in seconds, so a
 * region without it is left alone for a minute only; machines reserved by contract are another
 * stock.
 */
final class LambdaFailures {
  private static final Duration STOCK = Duration.ofMinutes(1);
  private static final Duration LONGEST = Duration.ofMinutes(15);
  private static final Duration RATE = Duration.ofSeconds(10);
  private static final Duration FAULT = Duration.ofSeconds(10);

  private static final FailureTable TABLE =
      FailureTable.builder()
          .codes(rule(QUOTA, ACCOUNT, ACCOUNT_TROUBLE), "global/quota-exceeded")
          .codes(
              rule(AUTH, ACCOUNT, ACCOUNT_TROUBLE),
              "global/invalid-api-key",
              "global/account-inactive",
              "global/invalid-address")
          .codes(rule(THROTTLED, ACCOUNT, RATE), "global/too-many-requests")
          .codes(
              rule(NO_CAPACITY, OFFERING, STOCK),
              "instance-operations/launch/insufficient-capacity")
          .codes(
              rule(INVALID, OFFERING, REQUEST),
              "global/invalid-parameters",
              "global/object-does-not-exist",
              "instance-operations/launch/file-system-in-wrong-region",
              "instance-operations/launch/file-systems-not-supported",
              "ssh-keys/key-in-use")
          .codes(rule(TRANSIENT, REGION, FAULT), "global/unknown", "global/internal-error")
          .text(rule(QUOTA, ACCOUNT, ACCOUNT_TROUBLE), "quota exceeded", "quota has been exceeded")
          .text(
              rule(NO_CAPACITY, OFFERING, STOCK),
              "not enough capacity to fulfill",
              "regions with capacity available")
          .family(rule(QUOTA, ACCOUNT, ACCOUNT_TROUBLE), ".*/quota-exceeded")
          .family(rule(NO_CAPACITY, OFFERING, STOCK), ".*/insufficient-capacity")
          .family(rule(THROTTLED, ACCOUNT, RATE), ".*/(?:too-many-requests|rate-limit.*)")
          .family(rule(INVALID, OFFERING, REQUEST), ".*/file-systems?-.*")
          .build();

  private LambdaFailures() {}

  static FailureClassifier classifier() {
    return new HttpFailureClassifier(
            TABLE,
            Map.of(
                429, rule(THROTTLED, ACCOUNT, RATE),
                402, rule(QUOTA, ACCOUNT, ACCOUNT_TROUBLE)))
        .withStockBlockedAtMost(LONGEST);
  }
}
