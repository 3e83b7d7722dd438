package io.spillway.capacity.vast;

import static io.spillway.capacity.spi.DefaultClassification.ACCOUNT_TROUBLE;
import static io.spillway.capacity.spi.DefaultClassification.REQUEST;
import static io.spillway.capacity.spi.FailureScope.ACCOUNT;
import static io.spillway.capacity.spi.FailureScope.OFFERING;
import static io.spillway.capacity.spi.FailureScope.REGION;
import static io.spillway.capacity.spi.FailureTable.rule;
import static io.spillway.scheduler.model.FailureClass.AUTH;
import static io.spillway.scheduler.model.FailureClass.INVALID;
import static io.spillway.scheduler.model.FailureClass.NO_CAPACITY;
import static io.spillway.scheduler.model.FailureClass.PRICE_TOO_LOW;
import static io.spillway.scheduler.model.FailureClass.QUOTA;
import static io.spillway.scheduler.model.FailureClass.THROTTLED;
import static io.spillway.scheduler.model.FailureClass.TRANSIENT;

import io.spillway.capacity.http.HttpFailureClassifier;
import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.capacity.spi.FailureClassifier.Failure;
import io.spillway.capacity.spi.FailureTable;
import io.spillway.capacity.spi.FailureText;
import io.spillway.scheduler.model.CapacityFailure;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Vast.ai's refusals: {@code {"success": false, "error": "…", "msg": …}}, the code under {@code
 * error}. An offer that was taken says nothing of the next one of its kind, so it blocks nothing; a
 * bid that was beaten waits for the next search. An answer with {@code new_contract} beside the
 * error made a machine that stands still: it was outbid at once.
 */
final class VastFailures {
  private static final Duration NEXT_SEARCH = Duration.ofMinutes(1);
  private static final Duration MACHINE = Duration.ofMinutes(10);
  private static final Duration RATE = Duration.ofSeconds(10);
  private static final Duration FAULT = Duration.ofSeconds(5);

  private static final FailureTable TABLE =
      FailureTable.builder()
          .codes(rule(QUOTA, ACCOUNT, ACCOUNT_TROUBLE), "insufficient_credit")
          .codes(rule(AUTH, ACCOUNT, ACCOUNT_TROUBLE), "auth_error")
          .codes(rule(PRICE_TOO_LOW, OFFERING, NEXT_SEARCH), "outbid")
          .codes(rule(NO_CAPACITY, OFFERING, REQUEST), "no_such_ask")
          .codes(rule(NO_CAPACITY, OFFERING, NEXT_SEARCH), "no_offers")
          .codes(rule(INVALID, OFFERING, REQUEST), "invalid_args", "no_such_instance")
          .codes(rule(TRANSIENT, REGION, FAULT), "server_error")
          .text(
              rule(QUOTA, ACCOUNT, ACCOUNT_TROUBLE),
              "insufficient credit",
              "insufficient balance",
              "lacks credit")
          .text(rule(AUTH, ACCOUNT, ACCOUNT_TROUBLE), "invalid api key")
          .text(rule(PRICE_TOO_LOW, OFFERING, NEXT_SEARCH), "outbid")
          .text(
              rule(NO_CAPACITY, OFFERING, MACHINE), "required resources are currently unavailable")
          .text(rule(NO_CAPACITY, OFFERING, REQUEST), "instance type no longer available")
          .build();

  private static final Map<Integer, FailureTable.Ruling> BY_STATUS =
      Map.ofEntries(
          // A failure all the same: its answer says so.
          Map.entry(200, rule(INVALID, OFFERING, REQUEST)),
          Map.entry(400, rule(INVALID, OFFERING, REQUEST)),
          Map.entry(401, rule(AUTH, ACCOUNT, ACCOUNT_TROUBLE)),
          Map.entry(402, rule(QUOTA, ACCOUNT, ACCOUNT_TROUBLE)),
          Map.entry(403, rule(AUTH, ACCOUNT, ACCOUNT_TROUBLE)),
          Map.entry(404, rule(INVALID, OFFERING, REQUEST)),
          Map.entry(410, rule(NO_CAPACITY, OFFERING, REQUEST)),
          Map.entry(429, rule(THROTTLED, ACCOUNT, RATE)),
          Map.entry(500, rule(TRANSIENT, REGION, FAULT)),
          Map.entry(502, rule(TRANSIENT, REGION, FAULT)),
          Map.entry(503, rule(TRANSIENT, REGION, FAULT)),
          Map.entry(504, rule(TRANSIENT, REGION, FAULT)));

  /** Beside an error: the machine was made, and stands still. */
  private static final Pattern NEW_CONTRACT = Pattern.compile("\"new_contract\"\\s*+:\\s*+\\d");

  private static final int READ = 1_024;

  private VastFailures() {}

  static FailureClassifier classifier() {
    FailureClassifier others = new HttpFailureClassifier(TABLE, BY_STATUS);
    return failure -> stillborn(failure) ? outbid(failure) : others.classify(failure);
  }

  private static boolean stillborn(Failure failure) {
    String message = failure.message() == null ? "" : failure.message();
    return NEW_CONTRACT.matcher(message.substring(0, Math.min(READ, message.length()))).find();
  }

  private static CapacityFailure outbid(Failure failure) {
    return rule(PRICE_TOO_LOW, OFFERING, NEXT_SEARCH)
        .on(failure, FailureText.of(failure))
        .of(failure, FailureText.of(failure));
  }
}
