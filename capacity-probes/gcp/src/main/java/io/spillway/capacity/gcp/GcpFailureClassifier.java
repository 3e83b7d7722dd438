package io.spillway.capacity.gcp;

import static io.spillway.capacity.spi.DefaultClassification.ACCOUNT_TROUBLE;
import static io.spillway.capacity.spi.DefaultClassification.FAULT;
import static io.spillway.capacity.spi.DefaultClassification.LIMIT_OF_ZERO;
import static io.spillway.capacity.spi.DefaultClassification.REQUEST;
import static io.spillway.capacity.spi.DefaultClassification.THROTTLE;
import static io.spillway.capacity.spi.FailureScope.ACCOUNT;
import static io.spillway.capacity.spi.FailureScope.OFFERING;
import static io.spillway.capacity.spi.FailureScope.REGION;
import static io.spillway.capacity.spi.FailureScope.TYPE_AND_ZONE;
import static io.spillway.capacity.spi.FailureScope.TYPE_AND_ZONE_ON_SPOT;
import static io.spillway.capacity.spi.FailureScope.TYPE_IN_REGION;
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
import io.spillway.capacity.spi.FailureTable.Ruling;
import io.spillway.capacity.spi.FailureTable.Verdict;
import io.spillway.capacity.spi.FailureText;
import io.spillway.scheduler.model.CapacityFailure;
import io.spillway.scheduler.model.CapacityType;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compute Engine's refusals: reasons of the API, codes of operations (whose own HTTP status is
 * 200), canonical gRPC codes, and what GKE's autoscaler makes of them. A canonical code says less
 * than the reason beside it: {@code PERMISSION_DENIED} is how a used-up quota looks from outside.
 */
public final class GcpFailureClassifier implements FailureClassifier {
  private static final Duration MACHINES = Duration.ofMinutes(5);
  private static final Duration POOL = Duration.ofMinutes(15);
  private static final Duration RESERVATION = Duration.ofMinutes(1);
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final Duration NOT_OFFERED = Duration.ofHours(24);

  /** Where Google names the quota that is used up, in prose or as a detail. */
  private static final Pattern METRIC =
      Pattern.compile(
          "(?:quota '|metricName\\\\*\"\\s*:\\s*\\\\*\"(?:[\\w.]+/)?)(\\w+)",
          Pattern.CASE_INSENSITIVE);

  /** What counts one family: its GPUs, or the CPUs of its series ({@code A2_CPUS}). */
  private static final Pattern OF_A_FAMILY =
      Pattern.compile("\\w*GPU\\w*|[A-Z]\\d\\w*_CPUS", Pattern.CASE_INSENSITIVE);

  private static final Ruling STOCKOUT = rule(NO_CAPACITY, TYPE_AND_ZONE, MACHINES);
  private static final Ruling RATE = rule(THROTTLED, ACCOUNT, THROTTLE);

  private static final FailureTable TABLE =
      FailureTable.builder()
          // A rate is a quota too in Google's words.
          .text(RATE, "quota exceeded for quota", "rate limit exceeded", "too many requests")
          .text(rule(AUTH, ACCOUNT, ACCOUNT_TROUBLE), "inactive billing state")
          .text(rule(AUTH, ZONE, NOT_OFFERED), "is not found or access is unauthorized")
          .text(
              rule(INVALID, ZONE, NOT_OFFERED),
              "network profile only allows resource creation in location")
          .text(GcpFailureClassifier::limit, text -> text.says("quota") && text.says("exceeded"))
          .text(
              STOCKOUT,
              text -> text.says("vm instance") && text.says("is currently unavailable in the"))
          .text(
              STOCKOUT,
              "does not have enough resources available",
              "do not have enough resources available",
              "out of resources",
              "stockout")
          .codes(
              GcpFailureClassifier::limit,
              "QUOTA_EXCEEDED",
              "quotaExceeded",
              "limitExceeded",
              "scale.up.error.quota.exceeded")
          .codes(
              RATE,
              "rateLimitExceeded",
              "userRateLimitExceeded",
              "RATE_LIMIT_EXCEEDED",
              "concurrentLimitExceeded")
          .codes(rule(THROTTLED, OFFERING, THROTTLE), "RESOURCE_OPERATION_RATE_EXCEEDED")
          .codes(
              rule(NO_CAPACITY, OFFERING, MACHINES),
              "ZONE_RESOURCE_POOL_EXHAUSTED",
              "ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS")
          .codes(rule(NO_CAPACITY, TYPE_IN_REGION, POOL), "REGION_RESOURCE_POOL_EXHAUSTED")
          .codes(rule(NO_CAPACITY, TYPE_AND_ZONE, POOL), "RESOURCE_POOL_EXHAUSTED")
          .codes(
              STOCKOUT,
              "GPU_STOCKOUT",
              "insufficientCapacity",
              "INSUFFICIENT_CAPACITY",
              "VM_MIN_COUNT_NOT_REACHED",
              "scale.up.error.out.of.resources")
          .codes(
              rule(NO_CAPACITY, OFFERING, RESERVATION),
              "RESERVATION_CAPACITY_EXCEEDED",
              "RESERVATION_NOT_READY")
          .codes(
              rule(AUTH, ACCOUNT, ACCOUNT_TROUBLE),
              "PERMISSIONS_ERROR",
              "forbidden",
              "IAM_PERMISSION_DENIED",
              "required",
              "authError",
              "accessNotConfigured",
              "SERVICE_DISABLED",
              "BILLING_DISABLED",
              "UNAUTHENTICATED")
          .codes(
              GcpFailureClassifier::interruptedCreate,
              "UNSUPPORTED_OPERATION",
              "RESOURCE_NOT_FOUND")
          .codes(
              rule(INVALID, OFFERING, REQUEST),
              "INVALID_FIELD_VALUE",
              "INVALID_USAGE",
              "NOT_FOUND",
              "invalid",
              "notFound",
              "VPC_NOT_FOUND",
              "SUBNET_NOT_FOUND_FOR_VPC",
              "INVALID_RESERVATION",
              "VM_EXTERNAL_IP_ACCESS_POLICY_CONSTRAINT",
              "scale.up.error.ip.space.exhausted")
          .codes(
              rule(TRANSIENT, ZONE, FAULT),
              "RESOURCE_NOT_READY",
              "resourceNotReady",
              "CONDITION_NOT_MET",
              "conditionNotMet",
              "backendError",
              "internalError",
              "INTERNAL_ERROR",
              "TIMEOUT")
          .family(RATE, ".*rate_?limit.*")
          .family(GcpFailureClassifier::limit, ".*quota_?exceeded")
          .family(rule(INVALID, OFFERING, REQUEST), "IP_SPACE_EXHAUSTED.*")
          .family(rule(NO_CAPACITY, OFFERING, RESERVATION), "RESERVATION\\w*(?:EXCEEDED|NOT_READY)")
          .family(rule(NO_CAPACITY, TYPE_IN_REGION, POOL), "REGION\\w*EXHAUSTED.*")
          .family(rule(NO_CAPACITY, OFFERING, MACHINES), "ZONE\\w*EXHAUSTED.*")
          .family(STOCKOUT, ".*STOCK_?OUT.*|.*POOL_EXHAUSTED.*|.*insufficient_?capacity.*")
          // Canonical codes, by name or number, where no reason stands beside them.
          .wrappers(GcpFailureClassifier::exhausted, "RESOURCE_EXHAUSTED")
          .wrappers(rule(NO_CAPACITY, OFFERING, MACHINES), "FAILED_PRECONDITION")
          .wrappers(rule(AUTH, ACCOUNT, ACCOUNT_TROUBLE), "PERMISSION_DENIED")
          .wrappers(rule(INVALID, OFFERING, REQUEST), "INVALID_ARGUMENT")
          .wrappers(rule(TRANSIENT, ZONE, FAULT), "INTERNAL", "ABORTED", "DEADLINE_EXCEEDED")
          .build();

  private static final Map<String, String> CANONICAL =
      Map.of(
          "3", "INVALID_ARGUMENT",
          "4", "DEADLINE_EXCEEDED",
          "5", "NOT_FOUND",
          "7", "PERMISSION_DENIED",
          "8", "RESOURCE_EXHAUSTED",
          "9", "FAILED_PRECONDITION",
          "10", "ABORTED",
          "13", "INTERNAL",
          "16", "UNAUTHENTICATED");

  private static final DefaultClassification DEFAULTS = new DefaultClassification();

  @Override
  public CapacityFailure classify(Failure failure) {
    Failure named = named(failure);
    FailureText text = FailureText.of(named);
    return TABLE
        .classify(named, text)
        .orElseGet(
            () ->
                serversFault(named)
                    ? byStatus(named, text).of(named, text)
                    : DEFAULTS.classify(named, text));
  }

  /** Queued resources and audit logs tell a failure by the number of the canonical code. */
  private static Failure named(Failure failure) {
    String name = CANONICAL.get(failure.code() == null ? "" : failure.code().strip());
    return name == null ? failure : with(failure, name);
  }

  private static Failure with(Failure failure, String code) {
    return new Failure(failure.key(), code, failure.message(), failure.httpStatus(), failure.at());
  }

  private static boolean serversFault(Failure failure) {
    return failure.httpStatus() >= 500 && failure.httpStatus() < 600;
  }

  /** A 503 on a launch is how a crowded zone looks; other faults of a zone pass. */
  private static Verdict byStatus(Failure failure, FailureText text) {
    CapacityFailure usual = DEFAULTS.classify(failure, text);
    if (usual.failureClass() != TRANSIENT) {
      return new Verdict(usual.failureClass(), usual.scope(), usual.block());
    }
    return failure.httpStatus() == 503
        ? new Verdict(NO_CAPACITY, ZONE.of(failure.key()), MACHINES)
        : new Verdict(TRANSIENT, ZONE.of(failure.key()), FAULT);
  }

  /** A spot VM that is gone before its creation ends was preempted meanwhile. */
  private static Verdict interruptedCreate(Failure failure, FailureText text) {
    return failure.key().capacityType() == CapacityType.SPOT
        ? new Verdict(NO_CAPACITY, TYPE_AND_ZONE_ON_SPOT.of(failure.key()), MACHINES)
        : new Verdict(INVALID, OFFERING.of(failure.key()), REQUEST);
  }

  private static Verdict exhausted(Failure failure, FailureText text) {
    if (failure.httpStatus() == 429) {
      return RATE.on(failure, text);
    }
    return text.says("quota")
        ? limit(failure, text)
        : new Verdict(NO_CAPACITY, TYPE_AND_ZONE.of(failure.key()), MACHINES);
  }

  /**
   * A quota of GPUs counts one family in one market; one of CPUs, disks or addresses stops all of
   * the region; {@code GPUS_ALL_REGIONS} stops the project.
   */
  private static Verdict limit(Failure failure, FailureText text) {
    String message = failure.message() == null ? "" : failure.message();
    if (message.contains("GPUS_ALL_REGIONS")) {
      return new Verdict(QUOTA, ACCOUNT.of(failure.key()), LIMIT);
    }
    Duration block = text.limitOfZero() ? LIMIT_OF_ZERO : LIMIT;
    Matcher metric = METRIC.matcher(message);
    if (metric.find() && !OF_A_FAMILY.matcher(metric.group(1)).matches()) {
      return new Verdict(QUOTA, REGION.of(failure.key()), block);
    }
    return new Verdict(
        QUOTA, FailureScope.family(failure.key(), family(failure.key().instanceType())), block);
  }

  /** Everything before the size: {@code a3-highgpu-} of {@code a3-highgpu-8g}. */
  private static String family(String machineType) {
    return machineType.substring(0, machineType.lastIndexOf('-') + 1);
  }
}
