package io.spillway.capacity.runpod;

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
import io.spillway.capacity.spi.FailureTable;
import io.spillway.capacity.spi.FailureTable.Verdict;
import io.spillway.capacity.spi.FailureText;
import io.spillway.scheduler.model.BlockScope;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * RunPod's refusals are sentences; the same one comes with HTTP 200 from GraphQL, 500 from REST v1
 * and 400 from REST v2, so words go before the status, and bills before stock. A pod's place is a
 * GPU type with a count in a data centre of the secure cloud: the instance type and the zone. One
 * host without room says nothing of the others: such a refusal blocks nothing.
 */
final class RunPodFailures {
  private static final Duration STOCK = Duration.ofMinutes(2);
  private static final Duration LONGEST = Duration.ofMinutes(30);
  private static final Duration NEXT_PRICE = Duration.ofMinutes(5);
  private static final Duration RATE = Duration.ofSeconds(5);
  private static final Duration FAULT = Duration.ofSeconds(5);

  private static final FailureTable TABLE =
      FailureTable.builder()
          .codes(
              rule(INVALID, OFFERING, REQUEST),
              "BAD_USER_INPUT",
              "GRAPHQL_VALIDATION_FAILED",
              "GRAPHQL_PARSE_FAILED")
          .codes(rule(AUTH, ACCOUNT, ACCOUNT_TROUBLE), "UNAUTHENTICATED", "FORBIDDEN")
          .text(
              rule(QUOTA, ACCOUNT, ACCOUNT_TROUBLE),
              "balance is too low",
              "spend limit",
              "insufficient funds",
              "insufficient balance",
              "insufficient credit",
              "max pods",
              "pod limit",
              "limit of pods",
              "maximum number of pods")
          .text(rule(AUTH, ACCOUNT, ACCOUNT_TROUBLE), "unauthorized", "forbidden")
          .text(
              RunPodFailures::bid,
              text ->
                  text.says("outbid")
                      || (text.says("bid") && text.says("minimum", "too low", "below", "at least")))
          .text(
              rule(NO_CAPACITY, OFFERING, REQUEST),
              "this machine does not have the resources",
              "not enough free gpus on the host machine")
          .text(
              rule(NO_CAPACITY, OFFERING, STOCK),
              "no longer any instances available",
              "no capacity",
              "out of stock",
              "insufficient resources")
          .text(rule(TRANSIENT, REGION, FAULT), "something went wrong")
          .build();

  private static final Map<Integer, FailureTable.Ruling> BY_STATUS =
      Map.ofEntries(
          // A failure all the same: its answer has errors.
          Map.entry(200, rule(INVALID, OFFERING, REQUEST)),
          Map.entry(400, rule(INVALID, OFFERING, REQUEST)),
          Map.entry(401, rule(AUTH, ACCOUNT, ACCOUNT_TROUBLE)),
          Map.entry(402, rule(QUOTA, ACCOUNT, ACCOUNT_TROUBLE)),
          Map.entry(403, rule(AUTH, ACCOUNT, ACCOUNT_TROUBLE)),
          Map.entry(422, rule(INVALID, OFFERING, REQUEST)),
          Map.entry(429, rule(THROTTLED, ACCOUNT, RATE)),
          Map.entry(500, rule(TRANSIENT, REGION, FAULT)),
          Map.entry(502, rule(TRANSIENT, REGION, FAULT)),
          Map.entry(503, rule(TRANSIENT, REGION, FAULT)),
          Map.entry(504, rule(TRANSIENT, REGION, FAULT)));

  private RunPodFailures() {}

  static FailureClassifier classifier() {
    return new HttpFailureClassifier(TABLE, BY_STATUS).withStockBlockedAtMost(LONGEST);
  }

  /** A bid is made for a GPU type: what is too low here is too low in every data centre. */
  private static Verdict bid(FailureClassifier.Failure failure, FailureText text) {
    BlockScope here = OFFERING.of(failure.key());
    return new Verdict(
        PRICE_TOO_LOW,
        new BlockScope(
            here.provider(),
            here.account(),
            Optional.empty(),
            Optional.empty(),
            here.family(),
            here.capacityType(),
            Optional.empty(),
            here.reserved()),
        NEXT_PRICE);
  }
}
