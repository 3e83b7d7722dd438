package io.spillway.capacity.azure;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.capacity.spi.FailureClassifier.Failure;
import io.spillway.capacity.testkit.FailureClassifierContract;
import io.spillway.scheduler.model.CapacityFailure;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.FailureClass;
import io.spillway.scheduler.model.MarketKey;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AzureFailureClassifierTest implements FailureClassifierContract {
  private static final String QUOTA_TEXT =
      "Operation could not be completed as it results in exceeding approved WHAT quota. Additional"
          + " details - Deployment Model: Resource Manager, Location: eastus, Current Limit: LIMIT,"
          + " Current Usage: 0, Additional Required: 96, (Minimum) New Limit Required: 96.";

  private final AzureFailureClassifier classifier = new AzureFailureClassifier();

  @Override
  public FailureClassifier classifier() {
    return classifier;
  }

  @Override
  public MarketKey key(CapacityType type) {
    return FailureClassifierContract.key(
        "azure", "eastus", "eastus-1", "Standard_ND96isr_H100_v5", type);
  }

  /** SIZE stands for the size, FAMILY for all sizes that its quota counts. */
  @ParameterizedTest(name = "{0} {1} {2} {3}: {4}, {5}, {6}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          on-demand | 0 | AllocationFailed | Allocation failed. | NO_CAPACITY | eastus/*/SIZE/open | PT1H
          spot | 0 | - | Allocation failed. We do not have sufficient capacity for the requested VM size in this region. | NO_CAPACITY | eastus/*/SIZE/open | PT1H
          on-demand | 0 | ZonalAllocationFailed | - | NO_CAPACITY | eastus/eastus-1/SIZE/open | PT1H
          spot | 0 | - | We do not have sufficient capacity for the requested VM size in this zone. | NO_CAPACITY | eastus/eastus-1/SIZE/open | PT1H
          spot | 0 | OverconstrainedAllocationRequest | - | NO_CAPACITY | eastus/*/SIZE/spot | PT1H
          spot | 0 | OverconstrainedZonalAllocationRequest | - | NO_CAPACITY | eastus/eastus-1/SIZE/spot | PT1H
          spot | 409 | SkuNotAvailable | The requested VM size is currently not available in location | NO_CAPACITY | eastus/eastus-1/SIZE/spot | PT1H
          on-demand | 409 | SkuNotAvailable | The requested VM size is currently not available in location | INVALID | eastus/eastus-1/SIZE/on-demand | PT23H
          on-demand | 0 | NotAvailableForSubscription | - | INVALID | eastus/eastus-1/SIZE/open | PT23H
          on-demand | 0 | QuotaId | - | INVALID | eastus/eastus-1/SIZE/open | PT23H
          on-demand | 400 | VMSizeNotSupported | - | INVALID | eastus/*/SIZE/open | PT23H
          on-demand | 400 | BadRequest | The size is not supported for subscription in this location | INVALID | eastus/*/SIZE/open | PT23H
          on-demand | 400 | BadRequest | Something else | INVALID | eastus/eastus-1/SIZE/on-demand | PT0S
          spot | 403 | OperationNotAllowed | QUOTA LowPriorityCores 100 | QUOTA | eastus/*/*/spot | PT1H
          spot | 403 | OperationNotAllowed | QUOTA Total Regional Low-priority vCPUs 0 | QUOTA | eastus/*/*/spot | PT1H
          on-demand | 403 | OperationNotAllowed | QUOTA standardNDSH100v5Family Cores 96 | QUOTA | eastus/*/FAMILY/on-demand | PT10M
          on-demand | 403 | OperationNotAllowed | QUOTA Standard NDSH100v5 Family vCPUs 96 | QUOTA | eastus/*/FAMILY/on-demand | PT10M
          on-demand | 403 | OperationNotAllowed | QUOTA standardNDSH100v5Family Cores 0 | QUOTA | eastus/*/FAMILY/on-demand | PT1H
          on-demand | 403 | OperationNotAllowed | QUOTA Total Regional Cores 100 | QUOTA | eastus/*/*/on-demand | PT1H
          on-demand | 403 | QuotaExceeded | Code="OperationNotAllowed" Message="QUOTA Total Regional Cores 10" | QUOTA | eastus/*/*/on-demand | PT1H
          on-demand | 0 | QuotaExceeded | - | QUOTA | eastus/*/FAMILY/on-demand | PT10M
          on-demand | 403 | OperationNotAllowed | Changing property is not allowed. | INVALID | eastus/eastus-1/SIZE/on-demand | PT0S
          spot | 409 | VariablePriceGreaterThanProvidedMaxPrice | - | PRICE_TOO_LOW | eastus/*/SIZE/spot | PT15M
          spot | 400 | MaxPriceValueInvalid | - | INVALID | eastus/eastus-1/SIZE/spot | PT0S
          spot | 400 | VariablePricingIsNotSupportedForThisVMSize | - | INVALID | eastus/eastus-1/SIZE/spot | PT0S
          spot | 400 | VariablePricingFeatureNotEnabledForSubscription | - | INVALID | eastus/eastus-1/SIZE/spot | PT0S
          spot | 400 | LowPriVMNotSupportedInAvailabilitySet | - | INVALID | eastus/eastus-1/SIZE/spot | PT0S
          spot | 400 | EvictionPolicyCanBeSetOnlyOnLowPriorityVirtualMachines | - | INVALID | eastus/eastus-1/SIZE/spot | PT0S
          spot | 400 | EphemeralOSDisksNotSupportedForSpotVMs | - | INVALID | eastus/eastus-1/SIZE/spot | PT0S
          spot | 400 | BillingProfileChangeNotAllowedOnDeallocated | - | INVALID | eastus/eastus-1/SIZE/spot | PT0S
          spot | 429 | - | slow | THROTTLED | eastus/*/*/* | PT5S
          spot | 429 | TooManyRequests | - | THROTTLED | eastus/*/*/* | PT5S
          spot | 429 | SubscriptionRequestsThrottled | - | THROTTLED | eastus/*/*/* | PT5S
          spot | 409 | OperationNotAllowed | The server rejected the request because too many requests have been received for this subscription. | THROTTLED | eastus/*/*/* | PT5S
          spot | 403 | AuthorizationFailed | The client does not have authorization to perform the action | AUTH | */*/*/* | PT1H
          spot | 403 | LinkedAuthorizationFailed | - | AUTH | */*/*/* | PT1H
          spot | 401 | InvalidAuthenticationToken | - | AUTH | */*/*/* | PT1H
          spot | 401 | InvalidAuthenticationTokenTenant | - | AUTH | */*/*/* | PT1H
          spot | 401 | ExpiredAuthenticationToken | - | AUTH | */*/*/* | PT1H
          spot | 409 | ReadOnlyDisabledSubscription | - | AUTH | */*/*/* | PT1H
          spot | 404 | SubscriptionNotFound | - | AUTH | */*/*/* | PT1H
          spot | 403 | RequestDisallowedByPolicy | - | AUTH | */*/*/* | PT1H
          spot | 403 | DisallowedByPolicy | - | AUTH | */*/*/* | PT1H
          spot | 400 | InvalidParameter | - | INVALID | eastus/eastus-1/SIZE/spot | PT0S
          spot | 400 | InvalidTemplate | - | INVALID | eastus/eastus-1/SIZE/spot | PT0S
          spot | 404 | ResourceNotFound | - | INVALID | eastus/eastus-1/SIZE/spot | PT0S
          spot | 404 | ImageNotFound | - | INVALID | eastus/eastus-1/SIZE/spot | PT0S
          spot | 400 | NetcfgInvalidSubnet | - | INVALID | eastus/eastus-1/SIZE/spot | PT0S
          spot | 400 | SubnetIsFull | - | INVALID | eastus/eastus-1/SIZE/spot | PT0S
          spot | 500 | InternalServerError | - | TRANSIENT | eastus/*/*/* | PT10S
          spot | 429 | RetryableError | - | TRANSIENT | eastus/*/*/* | PT10S
          spot | 503 | ServiceUnavailable | - | TRANSIENT | eastus/*/*/* | PT10S
          spot | 504 | GatewayTimeout | - | TRANSIENT | eastus/*/*/* | PT10S
          spot | 409 | OperationPreempted | - | TRANSIENT | eastus/*/*/* | PT10S
          spot | 409 | AnotherOperationInProgress | - | TRANSIENT | eastus/*/*/* | PT10S
          spot | 409 | Conflict | - | TRANSIENT | eastus/*/*/* | PT10S
          spot | 0 | provisioning-state-failed | Azure failed to provision a node for this node group | NO_CAPACITY | eastus/eastus-1/SIZE/spot | PT1H
          on-demand | 0 | FailedToScaleUpGroup | Scale-up failed for group aks-gpu: Code="SkuNotAvailable" Message="none" | INVALID | eastus/eastus-1/SIZE/on-demand | PT23H
          spot | 0 | InsufficientCapacityError | subscription level spot vCPU quota has been reached | QUOTA | eastus/*/*/spot | PT1H
          spot | 0 | InsufficientCapacityError | unable to allocate resources in the selected zone (1) | NO_CAPACITY | eastus/eastus-1/SIZE/open | PT1H
          spot | 0 | InsufficientCapacityError | all requested instance types were unavailable | NO_CAPACITY | eastus/eastus-1/SIZE/spot | PT1H
          """)
  void every_row_of_the_table(
      String market,
      int status,
      String code,
      String message,
      FailureClass expected,
      String scope,
      String block) {
    CapacityFailure answer =
        classifier.classify(
            new Failure(
                key(CapacityType.parse(market)),
                code == null ? "" : code,
                message == null ? "" : spelledOut(message),
                status,
                AT));

    assertThat(answer.failureClass()).isEqualTo(expected);
    assertThat(answer.scope().text())
        .isEqualTo(
            "azure/prod/"
                + scope
                    .replace("SIZE", "Standard_ND96isr_H100_v5")
                    .replace("FAMILY", "Standard_ND*_H100_v5"));
    assertThat(answer.block()).isEqualTo(Duration.parse(block));
  }

  /** {@code QUOTA what limit} is Azure's long text about it. */
  private static String spelledOut(String message) {
    var quota = java.util.regex.Pattern.compile("QUOTA (.+?) (\\d+)").matcher(message);
    return quota.replaceAll(
        found -> QUOTA_TEXT.replace("WHAT", found.group(1)).replace("LIMIT", found.group(2)));
  }

  @Test
  void the_innermost_code_counts_whatever_is_wrapped_around_it() {
    for (String wrapped :
        new String[] {
          "{\"error\":{\"code\":\"DeploymentFailed\",\"details\":[{\"code\":\"AllocationFailed\","
              + "\"message\":\"none\"}]}}",
          "{\"error\":{\"code\":\"DeploymentFailed\",\"message\":\"At least one failed.\",\"details\":"
              + "[{\"code\":\"Conflict\",\"message\":\"{\\r\\n  \\\"error\\\": {\\r\\n \\\"code\\\":"
              + " \\\"AllocationFailed\\\",\\r\\n \\\"message\\\": \\\"none\\\" }}\"}]}}",
          "compute.VirtualMachineScaleSetsClient#CreateOrUpdate: Failure sending request:"
              + " StatusCode=0 -- Original Error: Code=\"AllocationFailed\" Message=\"none\"",
          "{\"status\":\"Failed\",\"error\":{\"code\":\"AllocationFailed\",\"message\":\"none\"}}"
        }) {
      for (String outer : new String[] {"", "DeploymentFailed", "Conflict", "LaunchFailed"}) {
        CapacityFailure answer =
            classifier.classify(new Failure(key(CapacityType.ON_DEMAND), outer, wrapped, 200, AT));
        assertThat(answer.failureClass())
            .as("%s %s", outer, wrapped)
            .isEqualTo(FailureClass.NO_CAPACITY);
        assertThat(answer.scope().text())
            .isEqualTo("azure/prod/eastus/*/Standard_ND96isr_H100_v5/open");
      }
    }
  }

  @Test
  void SKY_07_an_allocation_code_never_seen_before_is_still_missing_capacity() {
    CapacityFailure answer =
        classifier.classify(
            new Failure(key(CapacityType.SPOT), "RackAllocationFailed", "none", 0, AT));

    assertThat(answer.failureClass()).isEqualTo(FailureClass.NO_CAPACITY);
  }

  @Test
  void SLU_08_a_familys_quota_leaves_other_families_alone() {
    CapacityFailure answer =
        classifier.classify(
            new Failure(
                key(CapacityType.ON_DEMAND),
                "OperationNotAllowed",
                spelledOut("QUOTA standardNDSH100v5Family Cores 96"),
                403,
                AT));

    assertThat(answer.scope().covers(of("Standard_ND96is_flex_H100_v5"))).isTrue();
    assertThat(answer.scope().covers(of("Standard_ND96isr_H200_v5"))).isFalse();
    assertThat(answer.scope().covers(of("Standard_NC40ads_H100_v5"))).isFalse();
    assertThat(answer.scope().covers(key(CapacityType.SPOT))).isFalse();
  }

  private static MarketKey of(String size) {
    return FailureClassifierContract.key(
        "azure", "eastus", "eastus-2", size, CapacityType.ON_DEMAND);
  }
}
