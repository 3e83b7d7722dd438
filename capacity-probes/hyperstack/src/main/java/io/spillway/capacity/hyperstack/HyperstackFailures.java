package io.spillway.capacity.hyperstack;

import static io.spillway.capacity.spi.DefaultClassification.ACCOUNT_TROUBLE;
import static io.spillway.capacity.spi.DefaultClassification.REQUEST;
import static io.spillway.capacity.spi.FailureScope.ACCOUNT;
import static io.spillway.capacity.spi.FailureScope.OFFERING;
import static io.spillway.capacity.spi.FailureScope.REGION;
import static io.spillway.capacity.spi.FailureScope.TYPE_AND_ZONE;
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
 * Hyperstack's refusals: {@code {"status": false, "message": …}}, with HTTP 200 as well as with an
 * error's status; and the state {@code ERROR} of a machine right after it was ordered, which an
 * agent reports as a code. Bills and limits are looked for before stock, whose word "insufficient"
 * they share. A zone is the region; a quota, a key and a rate are the organisation's, which is the
 * account here.
 */
final class HyperstackFailures {
  private static final Duration STOCK = Duration.ofMinutes(10);
  private static final Duration RATE = Duration.ofSeconds(5);
  private static final Duration FAULT = Duration.ofSeconds(10);

  private static final FailureTable TABLE =
      FailureTable.builder()
          .codes(rule(NO_CAPACITY, TYPE_AND_ZONE, STOCK), "ERROR")
          .text(
              rule(QUOTA, ACCOUNT, ACCOUNT_TROUBLE),
              "quota",
              "limit reached",
              "limit exceeded",
              "insufficient credit",
              "insufficient balance",
              "insufficient funds")
          .text(rule(AUTH, ACCOUNT, ACCOUNT_TROUBLE), "invalid api key")
          .text(
              rule(NO_CAPACITY, TYPE_AND_ZONE, STOCK),
              "insufficient resources available",
              "not enough stock",
              "out of stock",
              "no stock")
          .build();

  private HyperstackFailures() {}

  static FailureClassifier classifier() {
    return new HttpFailureClassifier(
        TABLE,
        Map.ofEntries(
            // A failure all the same: the body says so.
            Map.entry(200, rule(INVALID, OFFERING, REQUEST)),
            Map.entry(400, rule(INVALID, OFFERING, REQUEST)),
            Map.entry(401, rule(AUTH, ACCOUNT, ACCOUNT_TROUBLE)),
            Map.entry(402, rule(QUOTA, ACCOUNT, ACCOUNT_TROUBLE)),
            Map.entry(403, rule(AUTH, ACCOUNT, ACCOUNT_TROUBLE)),
            Map.entry(404, rule(INVALID, OFFERING, REQUEST)),
            // The environment, a user's group of machines in a region, is busy.
            Map.entry(409, rule(TRANSIENT, REGION, FAULT)),
            Map.entry(429, rule(THROTTLED, ACCOUNT, RATE)),
            Map.entry(500, rule(TRANSIENT, REGION, FAULT)),
            Map.entry(502, rule(TRANSIENT, REGION, FAULT)),
            Map.entry(503, rule(TRANSIENT, REGION, FAULT)),
            Map.entry(504, rule(TRANSIENT, REGION, FAULT))));
  }
}
