package io.spillway.capacity.azure;

import static io.spillway.capacity.spi.DefaultClassification.ACCOUNT_TROUBLE;
import static io.spillway.capacity.spi.DefaultClassification.REQUEST;
import static io.spillway.capacity.spi.DefaultClassification.THROTTLE;
import static io.spillway.capacity.spi.FailureScope.ACCOUNT;
import static io.spillway.capacity.spi.FailureScope.OFFERING;
import static io.spillway.capacity.spi.FailureScope.REGION;
import static io.spillway.capacity.spi.FailureScope.REGION_AND_MARKET;
import static io.spillway.capacity.spi.FailureScope.REGION_ON_SPOT;
import static io.spillway.capacity.spi.FailureScope.TYPE_AND_ZONE;
import static io.spillway.capacity.spi.FailureScope.TYPE_IN_REGION;
import static io.spillway.capacity.spi.FailureScope.TYPE_IN_REGION_AND_MARKET;
import static io.spillway.capacity.spi.FailureScope.TYPE_IN_REGION_ON_SPOT;
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
import java.util.Locale;

/**
 * Azure's refusals. Allocation is refused minutes after the request, in the operation's result;
 * what counts is then the innermost code, of which AKS, scale sets and deployments wrap several
 * around it. {@code OperationNotAllowed} means a quota only where the text says so. Blocks of an
 * hour and of 23 hours are those of Karpenter's Azure provider.
 *
 * <p>{@code ZonalAllocationFailed} is also true of the larger sizes of the family in the zone; a
 * scope cannot say "larger", and smaller ones may still be free, so each size is refused by itself.
 */
public final class AzureFailureClassifier implements FailureClassifier {
  private static final Duration ALLOCATION = Duration.ofHours(1);
  private static final Duration NOT_OFFERED = Duration.ofHours(23);
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final Duration WIDE_LIMIT = Duration.ofHours(1);
  private static final Duration PRICE = Duration.ofMinutes(15);
  private static final Duration FAULT = Duration.ofSeconds(10);

  /** Quota first: its texts are the only ones that tell what {@code OperationNotAllowed} means. */
  private static final FailureTable TABLE =
      FailureTable.builder()
          .text(rule(THROTTLED, REGION, THROTTLE), "too many requests")
          .text(
              rule(QUOTA, REGION_ON_SPOT, WIDE_LIMIT),
              "lowprioritycores quota",
              "lowprioritycores vcpus quota",
              "spot vcpu quota has been reached")
          .text(AzureFailureClassifier::regionalLimit, AzureFailureClassifier::saysRegionalQuota)
          .text(
              AzureFailureClassifier::familyLimit,
              "family cores quota",
              "family vcpus quota",
              "vcpu quota for")
          .text(
              rule(INVALID, TYPE_IN_REGION, NOT_OFFERED),
              "is not supported for subscription",
              "not available for subscription")
          .text(
              rule(NO_CAPACITY, TYPE_AND_ZONE, ALLOCATION),
              "sufficient capacity for the requested vm size in this zone",
              "unable to allocate resources in the selected zone")
          .text(
              rule(NO_CAPACITY, TYPE_IN_REGION, ALLOCATION),
              "sufficient capacity for the requested vm size in this region")
          .text(
              rule(NO_CAPACITY, TYPE_IN_REGION_AND_MARKET, ALLOCATION),
              "unable to allocate resources with selected vm size")
          .text(AzureFailureClassifier::sku, "requested sku is unavailable")
          .codes(
              rule(THROTTLED, REGION, THROTTLE), "TooManyRequests", "SubscriptionRequestsThrottled")
          .codes(rule(NO_CAPACITY, TYPE_IN_REGION, ALLOCATION), "AllocationFailed")
          .codes(rule(NO_CAPACITY, TYPE_AND_ZONE, ALLOCATION), "ZonalAllocationFailed")
          .codes(
              rule(NO_CAPACITY, TYPE_IN_REGION_AND_MARKET, ALLOCATION),
              "OverconstrainedAllocationRequest")
          .codes(rule(NO_CAPACITY, OFFERING, ALLOCATION), "OverconstrainedZonalAllocationRequest")
          .codes(AzureFailureClassifier::sku, "SkuNotAvailable")
          .codes(
              rule(INVALID, TYPE_AND_ZONE, NOT_OFFERED), "NotAvailableForSubscription", "QuotaId")
          .codes(rule(INVALID, TYPE_IN_REGION, NOT_OFFERED), "VMSizeNotSupported")
          .codes(
              rule(PRICE_TOO_LOW, TYPE_IN_REGION_ON_SPOT, PRICE),
              "VariablePriceGreaterThanProvidedMaxPrice")
          .codes(
              rule(AUTH, ACCOUNT, ACCOUNT_TROUBLE),
              "AuthorizationFailed",
              "LinkedAuthorizationFailed",
              "InvalidAuthenticationToken",
              "InvalidAuthenticationTokenTenant",
              "ExpiredAuthenticationToken",
              "ReadOnlyDisabledSubscription",
              "SubscriptionNotFound",
              "RequestDisallowedByPolicy",
              "DisallowedByPolicy")
          .codes(
              rule(INVALID, OFFERING, REQUEST),
              "MaxPriceValueInvalid",
              "LowPriVMNotSupportedInAvailabilitySet",
              "EphemeralOSDisksNotSupportedForSpotVMs",
              "InvalidParameter",
              "InvalidTemplate",
              "ResourceNotFound",
              "ImageNotFound",
              "NetcfgInvalidSubnet",
              "SubnetIsFull")
          .codes(
              rule(TRANSIENT, REGION, FAULT),
              "InternalServerError",
              "RetryableError",
              "ServiceUnavailable",
              "GatewayTimeout",
              "OperationPreempted",
              "AnotherOperationInProgress")
          .family(
              rule(INVALID, OFFERING, REQUEST),
              "VariablePricing.*|EvictionPolicyCanBeSetOnly.*|BillingProfileChangeNotAllowed.*")
          .family(rule(AUTH, ACCOUNT, ACCOUNT_TROUBLE), "InvalidAuthenticationToken.*")
          .family(rule(THROTTLED, REGION, THROTTLE), ".*TooManyRequests.*|.*Throttl.*")
          .family(
              rule(NO_CAPACITY, TYPE_IN_REGION_AND_MARKET, ALLOCATION),
              ".*AllocationFailed|Overconstrained.*|.*InsufficientCapacity")
          // The outer code of AKS, scale sets and Batch; which limit it was stands inside, or
          // nowhere.
          .wrappers(AzureFailureClassifier::familyLimit, "QuotaExceeded")
          .wrappers(AzureFailureClassifier::notAllowed, "OperationNotAllowed")
          // "BadRequest" says nothing more than its status does.
          .wrappers(
              rule(INVALID, OFFERING, REQUEST),
              "BadRequest",
              "DeploymentFailed",
              "ResourceDeploymentFailure")
          .wrappers(rule(TRANSIENT, REGION, FAULT), "Conflict", "InternalExecutionError")
          .wrappers(
              rule(NO_CAPACITY, OFFERING, ALLOCATION),
              "provisioning-state-failed",
              "InsufficientCapacityError")
          .build();

  private static final DefaultClassification DEFAULTS = new DefaultClassification();

  @Override
  public CapacityFailure classify(Failure failure) {
    FailureText text = FailureText.of(failure);
    return TABLE.classify(failure, text).orElseGet(() -> DEFAULTS.classify(failure, text));
  }

  /** Spot is short of machines; on demand the code means that this subscription gets none. */
  private static Verdict sku(Failure failure, FailureText text) {
    return failure.key().capacityType() == CapacityType.SPOT
        ? new Verdict(NO_CAPACITY, OFFERING.of(failure.key()), ALLOCATION)
        : new Verdict(INVALID, OFFERING.of(failure.key()), NOT_OFFERED);
  }

  private static boolean saysRegionalQuota(FailureText text) {
    return (text.says("total regional") && text.says("quota"))
        || text.says("regional vcpu quota limit for subscription has been reached");
  }

  /** All spot shares one counter, whatever the text calls it. */
  private static Verdict regionalLimit(Failure failure, FailureText text) {
    boolean spot = failure.message().toLowerCase(Locale.ROOT).contains("low-priority");
    FailureScope scope = spot ? REGION_ON_SPOT : REGION_AND_MARKET;
    return new Verdict(QUOTA, scope.of(failure.key()), WIDE_LIMIT);
  }

  private static Verdict familyLimit(Failure failure, FailureText text) {
    return new Verdict(
        QUOTA,
        FailureScope.family(failure.key(), AzureSizes.family(failure.key().instanceType())),
        text.limitOfZero() ? WIDE_LIMIT : LIMIT);
  }

  private static Verdict notAllowed(Failure failure, FailureText text) {
    return text.says("quota")
        ? familyLimit(failure, text)
        : new Verdict(INVALID, OFFERING.of(failure.key()), REQUEST);
  }
}
