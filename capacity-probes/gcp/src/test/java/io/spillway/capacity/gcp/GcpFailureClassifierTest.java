package io.spillway.capacity.gcp;

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

class GcpFailureClassifierTest implements FailureClassifierContract {
  private final GcpFailureClassifier classifier = new GcpFailureClassifier();

  @Override
  public FailureClassifier classifier() {
    return classifier;
  }

  @Override
  public MarketKey key(CapacityType type) {
    return FailureClassifierContract.key(
        "gcp", "us-central1", "us-central1-a", "a3-highgpu-8g", type);
  }

  /** Z stands for the zone, T for the machine type. */
  @ParameterizedTest(name = "{0} {1} {2} {3}: {4}, {5}, {6}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          spot | 0 | ZONE_RESOURCE_POOL_EXHAUSTED | - | NO_CAPACITY | us-central1/Z/T/spot | PT5M
          spot | 503 | ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS | - | NO_CAPACITY | us-central1/Z/T/spot | PT5M
          spot | 0 | REGION_RESOURCE_POOL_EXHAUSTED | - | NO_CAPACITY | us-central1/*/T/open | PT15M
          spot | 0 | RESOURCE_POOL_EXHAUSTED | - | NO_CAPACITY | us-central1/Z/T/open | PT15M
          spot | 0 | GPU_STOCKOUT | - | NO_CAPACITY | us-central1/Z/T/open | PT5M
          spot | 0 | ZONE_STOCKOUT_TODAY | - | NO_CAPACITY | us-central1/Z/T/open | PT5M
          spot | 0 | - | The zone has a STOCKOUT | NO_CAPACITY | us-central1/Z/T/open | PT5M
          spot | 503 | insufficientCapacity | - | NO_CAPACITY | us-central1/Z/T/open | PT5M
          spot | 0 | INSUFFICIENT_CAPACITY | - | NO_CAPACITY | us-central1/Z/T/open | PT5M
          spot | 0 | VM_MIN_COUNT_NOT_REACHED | Requested minimum count of 4 VMs could not be created | NO_CAPACITY | us-central1/Z/T/open | PT5M
          spot | 0 | - | The zone 'projects/p/zones/us-central1-a' does not have enough resources available to fulfill the request. | NO_CAPACITY | us-central1/Z/T/open | PT5M
          spot | 0 | UNSUPPORTED_OPERATION | - | NO_CAPACITY | us-central1/Z/T/spot | PT5M
          on-demand | 0 | UNSUPPORTED_OPERATION | - | INVALID | us-central1/Z/T/on-demand | PT0S
          spot | 0 | RESOURCE_NOT_FOUND | The resource 'projects/p/zones/us-central1-a/instances/trainer-0' was not found | NO_CAPACITY | us-central1/Z/T/spot | PT5M
          on-demand | 503 | - | Service Unavailable | NO_CAPACITY | us-central1/Z/*/open | PT5M
          on-demand | 503 | backendError | - | TRANSIENT | us-central1/Z/*/* | PT5S
          reserved | 0 | RESERVATION_CAPACITY_EXCEEDED | - | NO_CAPACITY | us-central1/Z/T/reserved/res-1 | PT1M
          reserved | 0 | RESERVATION_NOT_READY | - | NO_CAPACITY | us-central1/Z/T/reserved/res-1 | PT1M
          spot | 0 | 8 | there is no more capacity in the zone | NO_CAPACITY | us-central1/Z/T/open | PT5M
          spot | 0 | RESOURCE_EXHAUSTED | - | NO_CAPACITY | us-central1/Z/T/open | PT5M
          reserved | 0 | 9 | there is not enough reserved capacity | NO_CAPACITY | us-central1/Z/T/reserved/res-1 | PT5M
          spot | 0 | QUOTA_EXCEEDED | Quota 'PREEMPTIBLE_NVIDIA_H100_GPUS' exceeded. Limit: 8.0 in region us-central1. | QUOTA | us-central1/*/a3-highgpu-/spot | PT10M
          on-demand | 403 | quotaExceeded | Quota 'NVIDIA_H100_GPUS' exceeded. Limit: 0.0 in region us-central1. | QUOTA | us-central1/*/a3-highgpu-/on-demand | PT24H
          on-demand | 403 | quotaExceeded | Quota 'A3_CPUS' exceeded. Limit: 24.0 in region us-central1. | QUOTA | us-central1/*/a3-highgpu-/on-demand | PT10M
          on-demand | 403 | quotaExceeded | Quota 'CPUS' exceeded. Limit: 24.0 in region us-central1. | QUOTA | us-central1/*/*/open | PT10M
          on-demand | 403 | quotaExceeded | Quota 'IN_USE_ADDRESSES' exceeded. Limit: 8.0 in region us-central1. | QUOTA | us-central1/*/*/open | PT10M
          on-demand | 403 | limitExceeded | - | QUOTA | us-central1/*/a3-highgpu-/on-demand | PT10M
          on-demand | 403 | QUOTA_EXCEEDED | Quota 'GPUS_ALL_REGIONS' exceeded. Limit: 8.0 globally. | QUOTA | */*/*/open | PT10M
          on-demand | 403 | rateLimitExceeded | Rate Limit Exceeded | THROTTLED | */*/*/* | PT5S
          on-demand | 403 | userRateLimitExceeded | - | THROTTLED | */*/*/* | PT5S
          on-demand | 403 | RATE_LIMIT_EXCEEDED | Quota exceeded for quota metric 'Read requests' and limit 'Read requests per minute' | THROTTLED | */*/*/* | PT5S
          on-demand | 429 | RESOURCE_EXHAUSTED | - | THROTTLED | */*/*/* | PT5S
          on-demand | 0 | RESOURCE_OPERATION_RATE_EXCEEDED | - | THROTTLED | us-central1/Z/T/on-demand | PT5S
          on-demand | 0 | PERMISSIONS_ERROR | - | AUTH | */*/*/* | PT1H
          on-demand | 403 | forbidden | - | AUTH | */*/*/* | PT1H
          on-demand | 403 | IAM_PERMISSION_DENIED | - | AUTH | */*/*/* | PT1H
          on-demand | 401 | required | Login Required. | AUTH | */*/*/* | PT1H
          on-demand | 403 | accessNotConfigured | - | AUTH | */*/*/* | PT1H
          on-demand | 403 | SERVICE_DISABLED | - | AUTH | */*/*/* | PT1H
          on-demand | 403 | BILLING_DISABLED | - | AUTH | */*/*/* | PT1H
          on-demand | 403 | - | The project is in an inactive billing state | AUTH | */*/*/* | PT1H
          on-demand | 401 | - | - | AUTH | */*/*/* | PT1H
          on-demand | 400 | - | Location us-central1-a is not found or access is unauthorized. | AUTH | us-central1/Z/*/* | PT24H
          on-demand | 400 | INVALID_FIELD_VALUE | - | INVALID | us-central1/Z/T/on-demand | PT0S
          on-demand | 400 | INVALID_USAGE | - | INVALID | us-central1/Z/T/on-demand | PT0S
          on-demand | 404 | NOT_FOUND | - | INVALID | us-central1/Z/T/on-demand | PT0S
          on-demand | 400 | invalid | - | INVALID | us-central1/Z/T/on-demand | PT0S
          on-demand | 404 | notFound | - | INVALID | us-central1/Z/T/on-demand | PT0S
          on-demand | 404 | VPC_NOT_FOUND | - | INVALID | us-central1/Z/T/on-demand | PT0S
          on-demand | 404 | SUBNET_NOT_FOUND_FOR_VPC | - | INVALID | us-central1/Z/T/on-demand | PT0S
          reserved | 400 | INVALID_RESERVATION | - | INVALID | us-central1/Z/T/reserved/res-1 | PT0S
          on-demand | 400 | IP_SPACE_EXHAUSTED | - | INVALID | us-central1/Z/T/on-demand | PT0S
          on-demand | 400 | IP_SPACE_EXHAUSTED_WITH_DETAILS | - | INVALID | us-central1/Z/T/on-demand | PT0S
          on-demand | 400 | VM_EXTERNAL_IP_ACCESS_POLICY_CONSTRAINT | - | INVALID | us-central1/Z/T/on-demand | PT0S
          on-demand | 400 | invalid-network | Network profile only allows resource creation in location us-central1-b | INVALID | us-central1/Z/*/open | PT24H
          on-demand | 400 | RESOURCE_NOT_READY | - | TRANSIENT | us-central1/Z/*/* | PT5S
          on-demand | 400 | resourceNotReady | - | TRANSIENT | us-central1/Z/*/* | PT5S
          on-demand | 412 | CONDITION_NOT_MET | - | TRANSIENT | us-central1/Z/*/* | PT5S
          on-demand | 500 | internalError | - | TRANSIENT | us-central1/Z/*/* | PT5S
          on-demand | 500 | INTERNAL_ERROR | - | TRANSIENT | us-central1/Z/*/* | PT5S
          on-demand | 500 | - | - | TRANSIENT | us-central1/Z/*/* | PT5S
          on-demand | 502 | - | - | TRANSIENT | us-central1/Z/*/* | PT5S
          on-demand | 504 | - | - | TRANSIENT | us-central1/Z/*/* | PT5S
          on-demand | 500 | - | the pool is exhausted | NO_CAPACITY | us-central1/Z/T/on-demand | PT5M
          on-demand | 0 | TIMEOUT | - | TRANSIENT | us-central1/Z/*/* | PT5S
          on-demand | 0 | FailedScaleUp | Node scale up in zones us-central1-a associated with this pod failed: GCE out of resources. Pod is at risk of not being scheduled. | NO_CAPACITY | us-central1/Z/T/open | PT5M
          on-demand | 0 | FailedScaleUp | Node scale up in zones us-central1-a associated with this pod failed: GCE quota exceeded. | QUOTA | us-central1/*/a3-highgpu-/on-demand | PT10M
          on-demand | 0 | scale.up.error.out.of.resources | - | NO_CAPACITY | us-central1/Z/T/open | PT5M
          on-demand | 0 | scale.up.error.quota.exceeded | - | QUOTA | us-central1/*/a3-highgpu-/on-demand | PT10M
          on-demand | 0 | scale.up.error.ip.space.exhausted | - | INVALID | us-central1/Z/T/on-demand | PT0S
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
        classify(
            CapacityType.parse(market),
            code == null ? "" : code,
            message == null ? "" : message,
            status);

    assertThat(answer.failureClass()).isEqualTo(expected);
    assertThat(answer.scope().text())
        .isEqualTo(
            "gcp/prod/" + scope.replace("/Z", "/us-central1-a").replace("/T", "/a3-highgpu-8g"));
    assertThat(answer.block()).isEqualTo(Duration.parse(block));
  }

  @Test
  void SKY_07_an_operation_that_is_done_with_http_200_is_read_to_its_innermost_code() {
    String operation =
        "{\"kind\":\"compute#operation\",\"status\":\"DONE\",\"operationType\":\"insert\","
            + "\"error\":{\"errors\":[{\"code\":\"%s\",\"message\":\"made-up\"}]}}";

    CapacityFailure stockout =
        classify(
            CapacityType.SPOT,
            "",
            operation.formatted("ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS"),
            200);
    CapacityFailure quota =
        classify(CapacityType.SPOT, "", operation.formatted("QUOTA_EXCEEDED"), 200);

    assertThat(stockout.failureClass()).isEqualTo(FailureClass.NO_CAPACITY);
    assertThat(stockout.scope().kind()).isEqualTo("offering");
    assertThat(quota.failureClass()).isEqualTo(FailureClass.QUOTA);
  }

  @Test
  void SKY_07_a_longer_spelling_of_a_known_code_is_still_understood() {
    for (String code :
        new String[] {
          "ZONE_RESOURCE_POOL_EXHAUSTED_WITH_MORE_DETAILS", "RESOURCE_POOL_EXHAUSTED_AGAIN"
        }) {
      assertThat(classify(CapacityType.SPOT, code, "", 0).failureClass())
          .as(code)
          .isEqualTo(FailureClass.NO_CAPACITY);
    }
  }

  @Test
  void a_reason_says_more_than_the_status_around_it() {
    String forbidden =
        "{\"error\":{\"code\":403,\"message\":\"made-up\",\"status\":\"PERMISSION_DENIED\","
            + "\"errors\":[{\"domain\":\"usageLimits\",\"reason\":\"%s\",\"message\":\"made-up\"}]}}";

    assertThat(
            classify(
                    CapacityType.SPOT,
                    "PERMISSION_DENIED",
                    forbidden.formatted("quotaExceeded"),
                    403)
                .failureClass())
        .isEqualTo(FailureClass.QUOTA);
    assertThat(
            classify(CapacityType.SPOT, "", forbidden.formatted("rateLimitExceeded"), 403)
                .failureClass())
        .isEqualTo(FailureClass.THROTTLED);
    assertThat(classify(CapacityType.SPOT, "PERMISSION_DENIED", "no", 403).failureClass())
        .isEqualTo(FailureClass.AUTH);
  }

  @Test
  void KAR_20_a_preemptible_stockout_blocks_no_other_market() {
    CapacityFailure answer = classify(CapacityType.SPOT, "ZONE_RESOURCE_POOL_EXHAUSTED", "", 0);

    assertThat(answer.scope().covers(key(CapacityType.SPOT))).isTrue();
    assertThat(answer.scope().covers(key(CapacityType.ON_DEMAND))).isFalse();
  }

  private CapacityFailure classify(CapacityType type, String code, String message, int status) {
    return classifier.classify(new Failure(key(type), code, message, status, AT));
  }
}
