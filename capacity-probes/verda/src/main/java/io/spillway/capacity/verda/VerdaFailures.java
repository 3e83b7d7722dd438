package io.spillway.capacity.verda;

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
 * Verda's refusals: {@code {"code": …, "message": …}}. {@code service_unavailable} (503) means both
 * "no machine is free" and an outage, so it says nothing without its words; a page that only says
 * "unavailable" is an outage. Bills and limits are looked for before capacity, whose words they
 * share ("insufficient funds"). A zone is the location; spot and on-demand capacity are apart.
 */
final class VerdaFailures {
  private static final Duration STOCK = Duration.ofMinutes(10);
  private static final Duration RATE = Duration.ofSeconds(5);
  private static final Duration FAULT = Duration.ofSeconds(30);

  private static final FailureTable TABLE =
      FailureTable.builder()
          .codes(rule(QUOTA, ACCOUNT, ACCOUNT_TROUBLE), "insufficient_funds")
          .codes(rule(AUTH, ACCOUNT, ACCOUNT_TROUBLE), "unauthorized_request", "forbidden_action")
          .codes(rule(NO_CAPACITY, OFFERING, STOCK), "no_capacity")
          .text(
              rule(QUOTA, ACCOUNT, ACCOUNT_TROUBLE),
              "quota exceeded",
              "limit exceeded",
              "insufficient funds",
              "insufficient balance",
              "insufficient credit")
          .text(rule(TRANSIENT, OFFERING, FAULT), "discontinue a provisioning instance")
          .text(
              rule(NO_CAPACITY, OFFERING, STOCK),
              "not enough capacity",
              "no capacity",
              "insufficient capacity",
              "out of stock",
              "is not available",
              "are not available",
              "not available in")
          // Families are asked last: these codes mean what their words say, if they say anything.
          .family(rule(INVALID, OFFERING, REQUEST), "invalid_request|not_found")
          .family(rule(TRANSIENT, REGION, FAULT), "service_unavailable|internal_.*error")
          .build();

  /** After the words: alone they mean what their status means. */
  private static final Map<Integer, FailureTable.Ruling> BY_STATUS =
      Map.ofEntries(
          Map.entry(400, rule(INVALID, OFFERING, REQUEST)),
          Map.entry(401, rule(AUTH, ACCOUNT, ACCOUNT_TROUBLE)),
          Map.entry(402, rule(QUOTA, ACCOUNT, ACCOUNT_TROUBLE)),
          Map.entry(403, rule(AUTH, ACCOUNT, ACCOUNT_TROUBLE)),
          Map.entry(404, rule(INVALID, OFFERING, REQUEST)),
          Map.entry(429, rule(THROTTLED, ACCOUNT, RATE)),
          Map.entry(500, rule(TRANSIENT, REGION, FAULT)),
          Map.entry(502, rule(TRANSIENT, REGION, FAULT)),
          Map.entry(503, rule(TRANSIENT, REGION, FAULT)),
          Map.entry(504, rule(TRANSIENT, REGION, FAULT)));

  private VerdaFailures() {}

  static FailureClassifier classifier() {
    return new HttpFailureClassifier(TABLE, BY_STATUS);
  }
}
