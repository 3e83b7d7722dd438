package io.spillway.capacity.fluidstack;

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
 * FluidStack's refusals: {@code {"error": "…"}} or {@code {"message": "…"}} in prose, and the state
 * of a machine right after it was ordered ({@code out of stock}, {@code failed}), which an agent
 * reports as a code. Bills are looked for before stock, whose word "insufficient" they share. A
 * zone is the region.
 */
final class FluidStackFailures {
  private static final Duration STOCK = Duration.ofMinutes(10);
  private static final Duration RATE = Duration.ofSeconds(10);
  private static final Duration FAULT = Duration.ofSeconds(10);

  private static final FailureTable TABLE =
      FailureTable.builder()
          .codes(rule(NO_CAPACITY, TYPE_AND_ZONE, STOCK), "out_of_stock", "OutOfStock", "failed")
          .text(
              rule(QUOTA, ACCOUNT, ACCOUNT_TROUBLE),
              "insufficient balance",
              "insufficient funds",
              "insufficient credit")
          .text(
              rule(NO_CAPACITY, TYPE_AND_ZONE, STOCK),
              "out of stock",
              "no capacity",
              "not available",
              "no longer available")
          .build();

  private FluidStackFailures() {}

  static FailureClassifier classifier() {
    return new HttpFailureClassifier(
        TABLE,
        Map.ofEntries(
            Map.entry(400, rule(INVALID, OFFERING, REQUEST)),
            Map.entry(401, rule(AUTH, ACCOUNT, ACCOUNT_TROUBLE)),
            Map.entry(402, rule(QUOTA, ACCOUNT, ACCOUNT_TROUBLE)),
            Map.entry(404, rule(INVALID, OFFERING, REQUEST)),
            Map.entry(422, rule(INVALID, OFFERING, REQUEST)),
            Map.entry(429, rule(THROTTLED, ACCOUNT, RATE)),
            Map.entry(500, rule(TRANSIENT, REGION, FAULT)),
            Map.entry(502, rule(TRANSIENT, REGION, FAULT)),
            Map.entry(503, rule(TRANSIENT, REGION, FAULT)),
            Map.entry(504, rule(TRANSIENT, REGION, FAULT))));
  }
}
