package io.spillway.capacity.aws;

import static io.spillway.capacity.spi.DefaultClassification.ACCOUNT_TROUBLE;
import static io.spillway.capacity.spi.DefaultClassification.FAULT;
import static io.spillway.capacity.spi.DefaultClassification.REQUEST;
import static io.spillway.capacity.spi.DefaultClassification.THROTTLE;
import static io.spillway.capacity.spi.FailureScope.ACCOUNT;
import static io.spillway.capacity.spi.FailureScope.ACCOUNT_ON_SPOT;
import static io.spillway.capacity.spi.FailureScope.OFFERING;
import static io.spillway.capacity.spi.FailureScope.REGION;
import static io.spillway.capacity.spi.FailureScope.REGION_ON_SPOT;
import static io.spillway.capacity.spi.FailureScope.TYPE_AND_ZONE;
import static io.spillway.capacity.spi.FailureScope.TYPE_AND_ZONE_ON_SPOT;
import static io.spillway.capacity.spi.FailureTable.rule;
import static io.spillway.scheduler.model.FailureClass.AUTH;
import static io.spillway.scheduler.model.FailureClass.INVALID;
import static io.spillway.scheduler.model.FailureClass.NO_CAPACITY;
import static io.spillway.scheduler.model.FailureClass.PRICE_TOO_LOW;
import static io.spillway.scheduler.model.FailureClass.QUOTA;
import static io.spillway.scheduler.model.FailureClass.THROTTLED;
import static io.spillway.scheduler.model.FailureClass.TRANSIENT;

import io.spillway.capacity.spi.DefaultClassification;
import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.capacity.spi.FailureScope;
import io.spillway.capacity.spi.FailureTable;
import io.spillway.capacity.spi.FailureTable.Verdict;
import io.spillway.capacity.spi.FailureText;
import io.spillway.scheduler.model.CapacityFailure;
import io.spillway.scheduler.model.CapacityType;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * EC2's refusals: error codes of the EC2 API and of fleets, spot request status codes, and the
 * reasons of Karpenter's events, which wrap the former. EC2 answers a lack of capacity as a server
 * error (HTTP 500), so the code always speaks before the status. Facts: EC2 API error codes and
 * spot request status documentation; three minutes after a spot refusal is what Karpenter waits
 * too.
 */
public final class AwsFailureClassifier implements FailureClassifier {
  private static final Duration SPOT = Duration.ofMinutes(3);
  private static final Duration MACHINES = Duration.ofMinutes(15);
  private static final Duration RESERVATION = Duration.ofMinutes(1);
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final Duration PRICE = Duration.ofMinutes(5);
  private static final Duration NOT_OFFERED = Duration.ofHours(24);

  private static final Pattern FAMILY = Pattern.compile("([a-z]+)(\\d+)?.*");

  /** Rows for limits and permissions first: of several codes in one message they weigh most. */
  private static final FailureTable TABLE =
      FailureTable.builder()
          .codes(
              AwsFailureClassifier::familyLimit,
              "VcpuLimitExceeded",
              "InstanceLimitExceeded",
              "FleetQuotaExceeded")
          .codes(
              rule(QUOTA, REGION_ON_SPOT, LIMIT),
              "MaxSpotInstanceCountExceeded",
              "SpotQuotaExceeded",
              "spotInstanceCountLimitExceeded")
          .codes(
              rule(QUOTA, REGION, LIMIT),
              "MaxFleetCountExceeded",
              "VolumeLimitExceeded",
              "MaxIOPSLimitExceeded",
              "limit-exceeded")
          // Limits of calls that only advise: no launch depends on them.
          .codes(
              rule(QUOTA, REGION, REQUEST),
              "MaxConfigLimitExceeded",
              "CapacityBlockDescribeLimitExceeded")
          .codes(
              rule(AUTH, ACCOUNT_ON_SPOT, SPOT),
              "AuthFailure.ServiceLinkedRoleCreationNotPermitted",
              "SpotSLRCreationFailed")
          .codes(
              rule(AUTH, ACCOUNT, ACCOUNT_TROUBLE),
              "UnauthorizedOperation",
              "AccessDenied",
              "OperationNotPermitted",
              "Blocked",
              "Unauthorized",
              "InvalidClientTokenId",
              "SignatureDoesNotMatch",
              "InvalidAccessKeyId",
              "IncompleteSignature",
              "MissingAuthenticationToken",
              "ExpiredToken",
              "RequestExpired")
          .codes(rule(AUTH, REGION, ACCOUNT_TROUBLE), "AuthFailure", "OptInRequired")
          .codes(rule(AUTH, REGION, Duration.ofHours(4)), "PendingVerification")
          .codes(
              rule(THROTTLED, REGION, THROTTLE),
              "RequestLimitExceeded",
              "Throttling",
              "ThrottlingException",
              "EC2ThrottledException",
              "RequestThrottled")
          // The second is the cluster autoscaler's word for a group that AWS could not fill.
          .codes(
              AwsFailureClassifier::machines,
              "InsufficientInstanceCapacity",
              "placeholder-cannot-be-fulfilled")
          .codes(
              rule(NO_CAPACITY, TYPE_AND_ZONE, MACHINES),
              "InsufficientHostCapacity",
              "InsufficientReservedInstanceCapacity",
              "InsufficientReservedInstancesCapacity",
              "InsufficientCapacity",
              "InsufficientCapacityOnHost")
          .codes(
              rule(NO_CAPACITY, TYPE_AND_ZONE_ON_SPOT, SPOT),
              "UnfulfillableCapacity",
              "capacity-not-available",
              "capacity-oversubscribed",
              "placement-group-constraint",
              "az-group-constraint")
          .codes(rule(NO_CAPACITY, OFFERING, RESERVATION), "ReservationCapacityExceeded")
          .codes(rule(NO_CAPACITY, REGION, Duration.ofMinutes(30)), "InsufficientAddressCapacity")
          .codes(
              rule(PRICE_TOO_LOW, TYPE_AND_ZONE_ON_SPOT, PRICE),
              "SpotMaxPriceTooLow",
              "price-too-low")
          .codes(rule(INVALID, TYPE_AND_ZONE, NOT_OFFERED), "Unsupported", "UnsupportedOperation")
          // A zone has other subnets; only what was asked for waits.
          .codes(rule(INVALID, OFFERING, SPOT), "InsufficientFreeAddressesInSubnet")
          .codes(
              rule(INVALID, OFFERING, REQUEST),
              "ResourceCountExceeded",
              "RequestResourceCountExceeded",
              "InvalidParameterValue",
              "InvalidParameterCombination",
              "InvalidLaunchTemplateName.NotFoundException",
              "IdempotentParameterMismatch",
              "InvalidFleetConfiguration",
              "bad-parameters",
              "constraint-not-fulfillable")
          // Eventual consistency right after a launch; nothing is blocked for it.
          .codes(rule(TRANSIENT, OFFERING, FAULT), "InvalidInstanceID.NotFound")
          .codes(
              rule(TRANSIENT, REGION, FAULT),
              "InternalError",
              "InternalFailure",
              "ServiceUnavailable",
              "Unavailable",
              "system-error")
          // The answer to a dry run that would have succeeded.
          .codes(rule(TRANSIENT, OFFERING, REQUEST), "DryRunOperation")
          // The prose of Auto Scaling activities and of fleets, whose code is often left out.
          .text(AwsFailureClassifier::familyLimit, "vcpu limit", "instance limit")
          .text(rule(QUOTA, REGION_ON_SPOT, LIMIT), "max spot instance count exceeded")
          .text(
              rule(PRICE_TOO_LOW, TYPE_AND_ZONE_ON_SPOT, PRICE),
              text -> text.says("spot") && text.says("lower than the minimum required"))
          .text(
              rule(INVALID, TYPE_AND_ZONE, NOT_OFFERED),
              "not supported in your requested availability zone")
          .text(rule(INVALID, OFFERING, SPOT), "not have enough free addresses")
          .text(
              AwsFailureClassifier::machines,
              "do not have sufficient",
              "no spot capacity available",
              "cannot provision any more instances for this node group")
          .family(rule(THROTTLED, REGION, THROTTLE), ".*Throttl.*|.*RequestLimit.*")
          .family(rule(QUOTA, REGION, LIMIT), ".*(?:Limit|Quota|Count)Exceeded")
          .family(
              rule(AUTH, REGION, ACCOUNT_TROUBLE),
              "AuthFailure.*|.*AccessDenied.*|.*Unauthorized.*")
          .family(
              AwsFailureClassifier::machines,
              "(?:Insufficient|Limited|Unfulfillable)\\w*Capacity\\w*|\\w*CapacityExceeded")
          .family(rule(INVALID, OFFERING, REQUEST), "Invalid.*|.*\\.NotFound|.*\\.Malformed")
          .build();

  private static final DefaultClassification DEFAULTS = new DefaultClassification();

  @Override
  public CapacityFailure classify(Failure told) {
    Failure failure = AwsWords.plain(told);
    FailureText text = FailureText.of(failure);
    // Karpenter's reason is EC2's word only in part: the fleet's codes stand in the message.
    if (WRAPPERS.matcher(text.code()).matches()) {
      Optional<CapacityFailure> inner =
          TABLE.classify(without(failure), FailureText.of(without(failure)));
      return inner.orElseGet(() -> wrapped(failure, text));
    }
    return TABLE.classify(failure, text).orElseGet(() -> DEFAULTS.classify(failure, text));
  }

  private static final Pattern WRAPPERS =
      Pattern.compile("InsufficientCapacityError|LaunchFailed|FailedToScaleUpGroup|FailedScaleUp");

  private static CapacityFailure wrapped(Failure failure, FailureText text) {
    return text.code().equals("InsufficientCapacityError")
        ? machines(failure, text).of(failure, text)
        : DEFAULTS.classify(failure, text);
  }

  private static Failure without(Failure failure) {
    return new Failure(failure.key(), "", failure.message(), failure.httpStatus(), failure.at());
  }

  private static Verdict machines(Failure failure, FailureText text) {
    if (text.says("spread placement group")) {
      // Seven instances a zone in a spread group: the group is full, the market is not.
      return new Verdict(NO_CAPACITY, OFFERING.of(failure.key()), Duration.ofMinutes(10));
    }
    Duration block =
        switch (failure.key().capacityType()) {
          case SPOT -> SPOT;
          case ON_DEMAND -> MACHINES;
          case RESERVED -> RESERVATION;
        };
    return new Verdict(NO_CAPACITY, OFFERING.of(failure.key()), block);
  }

  /** EC2 counts vCPUs by family and market: all of P on demand, each generation of P on spot. */
  private static Verdict familyLimit(Failure failure, FailureText text) {
    Matcher family = FAMILY.matcher(failure.key().instanceType());
    Duration block = text.limitOfZero() ? DefaultClassification.LIMIT_OF_ZERO : LIMIT;
    if (!family.matches()) {
      return new Verdict(QUOTA, REGION.of(failure.key()), block);
    }
    boolean byGeneration =
        failure.key().capacityType() == CapacityType.SPOT && family.group(2) != null;
    String prefix = byGeneration ? family.group(1) + family.group(2) : family.group(1);
    return new Verdict(QUOTA, FailureScope.family(failure.key(), prefix), block);
  }
}
