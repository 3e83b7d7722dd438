package io.spillway.capacity.aws;

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

class AwsFailureClassifierTest implements FailureClassifierContract {
  private final AwsFailureClassifier classifier = new AwsFailureClassifier();

  @Override
  public FailureClassifier classifier() {
    return classifier;
  }

  @Override
  public MarketKey key(CapacityType type) {
    return FailureClassifierContract.key("aws", "us-east-2", "use2-az1", "p5.48xlarge", type);
  }

  @ParameterizedTest(name = "{0} on {1}: {3}, {4}, {5}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          InsufficientInstanceCapacity | spot | - | NO_CAPACITY | aws/prod/us-east-2/use2-az1/p5.48xlarge/spot | PT3M
          InsufficientInstanceCapacity | on-demand | - | NO_CAPACITY | aws/prod/us-east-2/use2-az1/p5.48xlarge/on-demand | PT15M
          InsufficientInstanceCapacity | reserved | - | NO_CAPACITY | aws/prod/us-east-2/use2-az1/p5.48xlarge/reserved/res-1 | PT1M
          InsufficientInstanceCapacity | on-demand | You have reached the limit of instances in this spread placement group. | NO_CAPACITY | aws/prod/us-east-2/use2-az1/p5.48xlarge/on-demand | PT10M
          InsufficientHostCapacity | on-demand | - | NO_CAPACITY | aws/prod/us-east-2/use2-az1/p5.48xlarge/open | PT15M
          InsufficientReservedInstanceCapacity | on-demand | - | NO_CAPACITY | aws/prod/us-east-2/use2-az1/p5.48xlarge/open | PT15M
          InsufficientReservedInstancesCapacity | on-demand | - | NO_CAPACITY | aws/prod/us-east-2/use2-az1/p5.48xlarge/open | PT15M
          InsufficientCapacity | on-demand | - | NO_CAPACITY | aws/prod/us-east-2/use2-az1/p5.48xlarge/open | PT15M
          InsufficientCapacityOnHost | on-demand | - | NO_CAPACITY | aws/prod/us-east-2/use2-az1/p5.48xlarge/open | PT15M
          UnfulfillableCapacity | spot | - | NO_CAPACITY | aws/prod/us-east-2/use2-az1/p5.48xlarge/spot | PT3M
          ReservationCapacityExceeded | reserved | - | NO_CAPACITY | aws/prod/us-east-2/use2-az1/p5.48xlarge/reserved/res-1 | PT1M
          capacity-not-available | spot | - | NO_CAPACITY | aws/prod/us-east-2/use2-az1/p5.48xlarge/spot | PT3M
          capacity-oversubscribed | spot | - | NO_CAPACITY | aws/prod/us-east-2/use2-az1/p5.48xlarge/spot | PT3M
          placement-group-constraint | spot | - | NO_CAPACITY | aws/prod/us-east-2/use2-az1/p5.48xlarge/spot | PT3M
          az-group-constraint | spot | - | NO_CAPACITY | aws/prod/us-east-2/use2-az1/p5.48xlarge/spot | PT3M
          InsufficientAddressCapacity | on-demand | - | NO_CAPACITY | aws/prod/us-east-2/*/*/open | PT30M
          Unsupported | on-demand | - | INVALID | aws/prod/us-east-2/use2-az1/p5.48xlarge/open | PT24H
          UnsupportedOperation | spot | - | INVALID | aws/prod/us-east-2/use2-az1/p5.48xlarge/open | PT24H
          InsufficientFreeAddressesInSubnet | spot | - | INVALID | aws/prod/us-east-2/use2-az1/p5.48xlarge/spot | PT3M
          MaxSpotInstanceCountExceeded | spot | - | QUOTA | aws/prod/us-east-2/*/*/spot | PT10M
          VcpuLimitExceeded | on-demand | You have requested more vCPU capacity than your current vCPU limit of 64 allows | QUOTA | aws/prod/us-east-2/*/p/on-demand | PT10M
          VcpuLimitExceeded | on-demand | You have requested more vCPU capacity than your current vCPU limit of 0 allows | QUOTA | aws/prod/us-east-2/*/p/on-demand | PT24H
          VcpuLimitExceeded | spot | - | QUOTA | aws/prod/us-east-2/*/p5/spot | PT10M
          InstanceLimitExceeded | on-demand | - | QUOTA | aws/prod/us-east-2/*/p/on-demand | PT10M
          MaxFleetCountExceeded | spot | - | QUOTA | aws/prod/us-east-2/*/*/open | PT10M
          VolumeLimitExceeded | spot | - | QUOTA | aws/prod/us-east-2/*/*/open | PT10M
          MaxIOPSLimitExceeded | spot | - | QUOTA | aws/prod/us-east-2/*/*/open | PT10M
          limit-exceeded | spot | - | QUOTA | aws/prod/us-east-2/*/*/open | PT10M
          MaxConfigLimitExceeded | spot | - | QUOTA | aws/prod/us-east-2/*/*/open | PT0S
          CapacityBlockDescribeLimitExceeded | reserved | - | QUOTA | aws/prod/us-east-2/*/*/* | PT0S
          SpotMaxPriceTooLow | spot | - | PRICE_TOO_LOW | aws/prod/us-east-2/use2-az1/p5.48xlarge/spot | PT5M
          price-too-low | spot | - | PRICE_TOO_LOW | aws/prod/us-east-2/use2-az1/p5.48xlarge/spot | PT5M
          RequestLimitExceeded | reserved | - | THROTTLED | aws/prod/us-east-2/*/*/* | PT5S
          Throttling | spot | - | THROTTLED | aws/prod/us-east-2/*/*/* | PT5S
          ThrottlingException | spot | - | THROTTLED | aws/prod/us-east-2/*/*/* | PT5S
          EC2ThrottledException | spot | - | THROTTLED | aws/prod/us-east-2/*/*/* | PT5S
          RequestThrottled | spot | - | THROTTLED | aws/prod/us-east-2/*/*/* | PT5S
          ResourceCountExceeded | spot | - | INVALID | aws/prod/us-east-2/use2-az1/p5.48xlarge/spot | PT0S
          RequestResourceCountExceeded | spot | - | INVALID | aws/prod/us-east-2/use2-az1/p5.48xlarge/spot | PT0S
          UnauthorizedOperation | spot | - | AUTH | aws/prod/*/*/*/* | PT1H
          AccessDenied | spot | - | AUTH | aws/prod/*/*/*/* | PT1H
          OperationNotPermitted | spot | - | AUTH | aws/prod/*/*/*/* | PT1H
          Blocked | spot | - | AUTH | aws/prod/*/*/*/* | PT1H
          AuthFailure | spot | - | AUTH | aws/prod/us-east-2/*/*/* | PT1H
          OptInRequired | spot | - | AUTH | aws/prod/us-east-2/*/*/* | PT1H
          AuthFailure.ServiceLinkedRoleCreationNotPermitted | spot | - | AUTH | aws/prod/*/*/*/spot/* | PT3M
          InvalidClientTokenId | spot | - | AUTH | aws/prod/*/*/*/* | PT1H
          SignatureDoesNotMatch | spot | - | AUTH | aws/prod/*/*/*/* | PT1H
          InvalidAccessKeyId | spot | - | AUTH | aws/prod/*/*/*/* | PT1H
          IncompleteSignature | spot | - | AUTH | aws/prod/*/*/*/* | PT1H
          MissingAuthenticationToken | spot | - | AUTH | aws/prod/*/*/*/* | PT1H
          ExpiredToken | spot | - | AUTH | aws/prod/*/*/*/* | PT1H
          RequestExpired | spot | - | AUTH | aws/prod/*/*/*/* | PT1H
          PendingVerification | spot | - | AUTH | aws/prod/us-east-2/*/*/* | PT4H
          InvalidParameterValue | spot | - | INVALID | aws/prod/us-east-2/use2-az1/p5.48xlarge/spot | PT0S
          InvalidParameterCombination | spot | - | INVALID | aws/prod/us-east-2/use2-az1/p5.48xlarge/spot | PT0S
          InvalidAMIID.NotFound | spot | - | INVALID | aws/prod/us-east-2/use2-az1/p5.48xlarge/spot | PT0S
          InvalidUserData.Malformed | spot | - | INVALID | aws/prod/us-east-2/use2-az1/p5.48xlarge/spot | PT0S
          InvalidLaunchTemplateName.NotFoundException | spot | - | INVALID | aws/prod/us-east-2/use2-az1/p5.48xlarge/spot | PT0S
          IdempotentParameterMismatch | spot | - | INVALID | aws/prod/us-east-2/use2-az1/p5.48xlarge/spot | PT0S
          InvalidFleetConfiguration | spot | - | INVALID | aws/prod/us-east-2/use2-az1/p5.48xlarge/spot | PT0S
          bad-parameters | spot | - | INVALID | aws/prod/us-east-2/use2-az1/p5.48xlarge/spot | PT0S
          constraint-not-fulfillable | spot | - | INVALID | aws/prod/us-east-2/use2-az1/p5.48xlarge/spot | PT0S
          InvalidInstanceID.NotFound | spot | - | TRANSIENT | aws/prod/us-east-2/use2-az1/p5.48xlarge/spot | PT5S
          InternalError | spot | - | TRANSIENT | aws/prod/us-east-2/*/*/* | PT5S
          InternalFailure | spot | - | TRANSIENT | aws/prod/us-east-2/*/*/* | PT5S
          ServiceUnavailable | spot | - | TRANSIENT | aws/prod/us-east-2/*/*/* | PT5S
          Unavailable | spot | - | TRANSIENT | aws/prod/us-east-2/*/*/* | PT5S
          system-error | spot | - | TRANSIENT | aws/prod/us-east-2/*/*/* | PT5S
          DryRunOperation | spot | - | TRANSIENT | aws/prod/us-east-2/use2-az1/p5.48xlarge/spot | PT0S
          LimitedInstanceCapacity | on-demand | - | NO_CAPACITY | aws/prod/us-east-2/use2-az1/p5.48xlarge/on-demand | PT15M
          """)
  void every_row_of_the_table(
      String code, String type, String message, FailureClass expected, String scope, String block) {
    CapacityFailure answer =
        classifier.classify(
            new Failure(
                key(CapacityType.parse(type)), code, message == null ? "" : message, 0, AT));
    assertThat(answer.failureClass()).isEqualTo(expected);
    assertThat(answer.scope().text()).isEqualTo(scope);
    assertThat(answer.block()).isEqualTo(Duration.parse(block));
    assertThat(answer.code()).isEqualTo(code);
  }

  @Test
  void codes_are_read_without_regard_to_case() {
    assertThat(said("insufficientinstancecapacity", "", 500)).isEqualTo(FailureClass.NO_CAPACITY);
  }

  @Test
  void a_capacity_code_speaks_before_its_status_500() {
    assertThat(said("InsufficientInstanceCapacity", "made-up text", 500))
        .isEqualTo(FailureClass.NO_CAPACITY);
  }

  @Test
  void the_codes_inside_a_karpenter_event_are_read() {
    assertThat(
            said(
                "InsufficientCapacityError",
                "NodeClaim gpu-x7k2p event: creating instance, insufficient capacity, with fleet"
                    + " error(s), UnfulfillableCapacity: Unable to fulfill capacity due to your"
                    + " request configuration.",
                0))
        .isEqualTo(FailureClass.NO_CAPACITY);
    assertThat(
            said(
                "InsufficientCapacityError",
                "with fleet error(s), UnfulfillableCapacity: no; VcpuLimitExceeded: your current"
                    + " vCPU limit of 0 allows none",
                0))
        .as("limits weigh more than capacity")
        .isEqualTo(FailureClass.QUOTA);
    assertThat(
            said("InsufficientCapacityError", "all requested instance types were unavailable", 0))
        .isEqualTo(FailureClass.NO_CAPACITY);
    assertThat(said("LaunchFailed", "api error RequestLimitExceeded: Request limit exceeded.", 0))
        .isEqualTo(FailureClass.THROTTLED);
    assertThat(said("SpotSLRCreationFailed", "", 0)).isEqualTo(FailureClass.AUTH);
    assertThat(said("VCPULimitExceeded", "", 0)).isEqualTo(FailureClass.QUOTA);
  }

  @Test
  void the_code_that_a_command_line_client_prints_is_read() {
    assertThat(
            said(
                "",
                "An error occurred (InsufficientInstanceCapacity) when calling the RunInstances"
                    + " operation (reached max retries: 2)",
                0))
        .isEqualTo(FailureClass.NO_CAPACITY);
  }

  @Test
  void SLU_02_a_capacity_code_missing_from_the_table_is_capacity_by_its_family() {
    assertThat(said("InsufficientAcceleratorCapacity", "", 500))
        .isEqualTo(FailureClass.NO_CAPACITY);
    assertThat(said("Server.InsufficientUltraServerCapacity", "", 0))
        .isEqualTo(FailureClass.NO_CAPACITY);
  }

  @Test
  void KAR_03_throttling_in_a_reservation_says_nothing_of_the_reservation() {
    CapacityFailure answer =
        classifier.classify(
            new Failure(
                key(CapacityType.RESERVED),
                "RequestLimitExceeded",
                "Request limit exceeded while launching in reservation capacity.",
                503,
                AT));
    assertThat(answer.failureClass()).isEqualTo(FailureClass.THROTTLED);
    assertThat(answer.block()).isLessThanOrEqualTo(Duration.ofMinutes(1));
  }

  @Test
  void KAR_07_an_outage_of_the_api_is_its_own_class() {
    for (int status : new int[] {500, 502, 503, 504}) {
      assertThat(said("", "Service is unable to handle the request", status))
          .isEqualTo(FailureClass.TRANSIENT);
    }
    assertThat(said("ServiceUnavailable", "limits", 503)).isEqualTo(FailureClass.TRANSIENT);
    assertThat(said("", "dial tcp: connection refused", 0)).isEqualTo(FailureClass.TRANSIENT);
  }

  @Test
  void the_errors_inside_a_fleets_answer_of_200_are_read_in_both_of_its_forms() {
    assertThat(
            said(
                "",
                "<CreateFleetResponse><errorSet><item><lifecycle>spot</lifecycle><errorCode>"
                    + "UnfulfillableCapacity</errorCode><errorMessage>no</errorMessage>"
                    + "</item></errorSet></CreateFleetResponse>",
                200))
        .isEqualTo(FailureClass.NO_CAPACITY);
    assertThat(
            said(
                "",
                "{\"Errors\":[{\"ErrorCode\":\"InsufficientInstanceCapacity\",\"ErrorMessage\":\"no\"},"
                    + "{\"ErrorCode\":\"VcpuLimitExceeded\",\"ErrorMessage\":\"no\"}]}",
                200))
        .isEqualTo(FailureClass.QUOTA);
    assertThat(
            said(
                "",
                "<Response><Errors><Error><Code>Unsupported</Code><Message>not here</Message></Error>"
                    + "</Errors></Response>",
                400))
        .isEqualTo(FailureClass.INVALID);
    assertThat(said("", "<name>InsufficientInstanceCapacity</name>", 0))
        .as("an element that may echo a user's text")
        .isEqualTo(FailureClass.UNKNOWN);
  }

  @Test
  void the_symptoms_of_the_cluster_autoscaler_are_read() {
    assertThat(
            said(
                "FailedToScaleUpGroup",
                "Scale-up failed for group eks-p5: OutOfResource placeholder-cannot-be-fulfilled: AWS"
                    + " cannot provision any more instances for this node group",
                0))
        .isEqualTo(FailureClass.NO_CAPACITY);
    assertThat(said("NotTriggerScaleUp", "1 in backoff after failed scale-up", 0))
        .isEqualTo(FailureClass.NO_CAPACITY);
    assertThat(said("NotTriggerScaleUp", "1 max node group size reached", 0))
        .isEqualTo(FailureClass.QUOTA);
  }

  @Test
  void words_of_limits_weigh_more_than_words_of_capacity() {
    assertThat(
            said(
                "",
                "You have requested more vCPU capacity than your current vCPU limit of 64 allows; we"
                    + " currently do not have sufficient capacity",
                0))
        .isEqualTo(FailureClass.QUOTA);
    assertThat(
            said("", "Your Spot request price of 1.2 is lower than the minimum required price", 0))
        .isEqualTo(FailureClass.PRICE_TOO_LOW);
    assertThat(said("", "There is no Spot capacity available that matches your request.", 0))
        .isEqualTo(FailureClass.NO_CAPACITY);
  }

  @Test
  void a_refusal_shows_at_most_200_characters() {
    CapacityFailure answer =
        classifier.classify(
            new Failure(key(CapacityType.SPOT), "", "the flux ran dry ".repeat(200), 0, AT));
    assertThat(answer.failureClass()).isEqualTo(FailureClass.UNKNOWN);
    assertThat(answer.code()).hasSizeLessThanOrEqualTo(200);
  }

  @Test
  void an_echoed_value_is_no_capacity_word() {
    assertThat(
            said(
                "InvalidParameterValue",
                "Value (InsufficientInstanceCapacity: Out of capacity) for parameter name",
                400))
        .isEqualTo(FailureClass.INVALID);
  }

  private FailureClass said(String code, String message, int status) {
    return classifier
        .classify(new Failure(key(CapacityType.ON_DEMAND), code, message, status, AT))
        .failureClass();
  }
}
