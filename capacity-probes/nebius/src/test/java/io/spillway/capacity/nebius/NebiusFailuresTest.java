package io.spillway.capacity.nebius;

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

class NebiusFailuresTest implements FailureClassifierContract {

  @Override
  public FailureClassifier classifier() {
    return new NebiusProvider().classifier();
  }

  @Override
  public MarketKey key(CapacityType type) {
    return FailureClassifierContract.key(
        "nebius", "eu-north1", "eu-north1", "gpu-h100-sxm_8gpu", type);
  }

  @ParameterizedTest(name = "{0} {1} {2}: {3}, {4}, {5}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          0 | RESOURCE_EXHAUSTED | Not enough resources | NO_CAPACITY | nebius/prod/eu-north1/eu-north1/gpu-h100-sxm_8gpu/spot | PT10M
          0 | NotEnoughResources | - | NO_CAPACITY | nebius/prod/eu-north1/eu-north1/gpu-h100-sxm_8gpu/spot | PT10M
          0 | - | rpc error: code = ResourceExhausted desc = Not enough resources to launch | NO_CAPACITY | nebius/prod/eu-north1/eu-north1/gpu-h100-sxm_8gpu/spot | PT10M
          0 | RESOURCE_EXHAUSTED | - | NO_CAPACITY | nebius/prod/eu-north1/eu-north1/gpu-h100-sxm_8gpu/spot | PT5M
          0 | - | rpc error: code = ResourceExhausted desc = made-up | NO_CAPACITY | nebius/prod/eu-north1/eu-north1/gpu-h100-sxm_8gpu/spot | PT5M
          0 | RESOURCE_EXHAUSTED | Quota limit exceeded | QUOTA | nebius/prod/eu-north1/*/*/spot | PT10M
          0 | QuotaFailure | - | QUOTA | nebius/prod/eu-north1/*/*/spot | PT10M
          0 | AVAILABILITY_LEVEL_LIMIT_REACHED | - | QUOTA | nebius/prod/eu-north1/*/*/spot | PT10M
          0 | - | rpc error: code = ResourceExhausted desc = Quota limit exceeded | QUOTA | nebius/prod/eu-north1/*/*/spot | PT10M
          0 | RESOURCE_EXHAUSTED | Quota limit exceeded: the limit is 0 | QUOTA | nebius/prod/eu-north1/*/*/spot | PT24H
          0 | UNAUTHENTICATED | - | AUTH | nebius/prod/*/*/*/* | PT1H
          0 | PERMISSION_DENIED | - | AUTH | nebius/prod/*/*/*/* | PT1H
          0 | - | rpc error: code = PermissionDenied desc = x | AUTH | nebius/prod/*/*/*/* | PT1H
          401 | - | - | AUTH | nebius/prod/*/*/*/* | PT1H
          0 | INVALID_ARGUMENT | - | INVALID | nebius/prod/eu-north1/eu-north1/gpu-h100-sxm_8gpu/spot | PT0S
          0 | NOT_FOUND | - | INVALID | nebius/prod/eu-north1/eu-north1/gpu-h100-sxm_8gpu/spot | PT0S
          0 | FAILED_PRECONDITION | - | INVALID | nebius/prod/eu-north1/eu-north1/gpu-h100-sxm_8gpu/spot | PT0S
          0 | TooManyRequests | - | THROTTLED | nebius/prod/*/*/*/* | PT5S
          429 | - | - | THROTTLED | nebius/prod/*/*/*/* | PT5S
          429 | RESOURCE_EXHAUSTED | - | THROTTLED | nebius/prod/*/*/*/* | PT5S
          0 | UNAVAILABLE | - | TRANSIENT | nebius/prod/eu-north1/*/*/* | PT5S
          0 | INTERNAL | - | TRANSIENT | nebius/prod/eu-north1/*/*/* | PT5S
          0 | DEADLINE_EXCEEDED | - | TRANSIENT | nebius/prod/eu-north1/*/*/* | PT5S
          0 | ABORTED | - | TRANSIENT | nebius/prod/eu-north1/*/*/* | PT5S
          0 | - | rpc error: code = Unavailable desc = x | TRANSIENT | nebius/prod/eu-north1/*/*/* | PT5S
          """)
  void every_row_of_the_table(
      int status, String code, String message, FailureClass expected, String scope, String block) {
    CapacityFailure answer =
        classifier()
            .classify(
                new Failure(
                    key(CapacityType.SPOT),
                    code == null ? "" : code,
                    message == null ? "" : message,
                    status,
                    AT));

    assertThat(answer.failureClass()).isEqualTo(expected);
    assertThat(answer.scope().text()).isEqualTo(scope);
    assertThat(answer.block()).isEqualTo(Duration.parse(block));
  }

  @Test
  void a_quota_of_regular_machines_leaves_what_is_reserved_alone() {
    CapacityFailure answer =
        classifier().classify(new Failure(key(CapacityType.ON_DEMAND), "QuotaFailure", "", 0, AT));

    assertThat(answer.scope().covers(key(CapacityType.ON_DEMAND))).isTrue();
    assertThat(answer.scope().covers(key(CapacityType.RESERVED))).isFalse();
  }
}
