package io.spillway.capacity.coreweave;

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
import io.spillway.capacity.spi.FailureTable;
import java.time.Duration;
import java.util.Map;

/**
 * CoreWeave's refusals: reasons of events of node pools ({@code CWInsufficientCapacity}), their
 * conditions, written as {@code Capacity/None}, and the Kubernetes API's own reasons. An account is
 * a cluster; capacity and quota are refused per type, zone and compute class, so that nodes which a
 * contract holds stay usable when the cluster may have no more.
 */
final class CoreWeaveFailures {
  private static final Duration MACHINES = Duration.ofMinutes(10);
  private static final Duration LIMIT = Duration.ofMinutes(10);

  private static final FailureTable TABLE =
      FailureTable.builder()
          .codes(rule(QUOTA, OFFERING, LIMIT), "CWOverQuota")
          .codes(rule(NO_CAPACITY, OFFERING, MACHINES), "CWInsufficientCapacity")
          .text(rule(QUOTA, OFFERING, LIMIT), "exceeded quota")
          .text(
              rule(NO_CAPACITY, OFFERING, MACHINES),
              text -> text.code().equals("FailedScheduling") && text.says("insufficient"))
          .family(rule(QUOTA, OFFERING, LIMIT_OF_ZERO), "Quota\\W*Not\\W*Set")
          .family(
              rule(QUOTA, OFFERING, LIMIT), "(?:CW)?Quota\\W*(?:Over|Exceeded).*|CW.*OverQuota.*")
          .family(
              rule(NO_CAPACITY, OFFERING, MACHINES),
              "Capacity\\W*(?:None|Partial|Insufficient).*|CW.*(?:Insufficient|No)Capacity.*")
          .family(
              rule(INVALID, OFFERING, REQUEST),
              "(?:Valid|Validated|Accepted)\\b.*|Invalid|BadRequest|NotFound")
          .family(rule(AUTH, ACCOUNT, ACCOUNT_TROUBLE), "Unauthorized|Forbidden")
          .family(rule(THROTTLED, ACCOUNT, THROTTLE), "TooManyRequests")
          .family(rule(TRANSIENT, OFFERING, FAULT), "Conflict|AlreadyExists|Gone|Expired")
          .family(
              rule(TRANSIENT, REGION, FAULT),
              "InternalError|ServiceUnavailable|ServerTimeout|Timeout")
          .build();

  private CoreWeaveFailures() {}

  static FailureClassifier classifier() {
    return new HttpFailureClassifier(
        TABLE,
        Map.of(
            409, rule(TRANSIENT, OFFERING, FAULT),
            410, rule(TRANSIENT, OFFERING, FAULT),
            429, rule(THROTTLED, ACCOUNT, THROTTLE)));
  }
}
