package io.spillway.capacity.lambda;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.capacity.spi.EventNormalizer.NotMine;
import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.capacity.spi.FailureClassifier.Failure;
import io.spillway.capacity.testkit.FailureClassifierContract;
import io.spillway.scheduler.model.CapacityFailure;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.FailureClass;
import io.spillway.scheduler.model.MarketKey;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LambdaFailuresTest implements FailureClassifierContract {

  @Override
  public FailureClassifier classifier() {
    return new LambdaProvider().classifier();
  }

  @Override
  public MarketKey key(CapacityType type) {
    return FailureClassifierContract.key(
        "lambda", "us-east-1", "us-east-1", "gpu_8x_h100_sxm5", type);
  }

  @ParameterizedTest(name = "{0} {1} {2}: {3}, {4}, {5}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          400 | instance-operations/launch/insufficient-capacity | Not enough capacity to fulfill launch request. | NO_CAPACITY | lambda/prod/us-east-1/us-east-1/gpu_8x_h100_sxm5/on-demand | PT1M
          0 | - | Not enough capacity to fulfill launch request. Regions with capacity available: us-west-1 | NO_CAPACITY | lambda/prod/us-east-1/us-east-1/gpu_8x_h100_sxm5/on-demand | PT1M
          0 | - | {"error":{"code":"instance-operations/launch/insufficient-capacity","message":"made-up"}} | NO_CAPACITY | lambda/prod/us-east-1/us-east-1/gpu_8x_h100_sxm5/on-demand | PT1M
          0 | FailedToScaleUpGroup | HTTP 400: {"error":{"code":"instance-operations/launch/insufficient-capacity"}} | NO_CAPACITY | lambda/prod/us-east-1/us-east-1/gpu_8x_h100_sxm5/on-demand | PT1M
          400 | global/quota-exceeded | Quota exceeded. | QUOTA | lambda/prod/*/*/*/open | PT1H
          403 | global/quota-exceeded | - | QUOTA | lambda/prod/*/*/*/open | PT1H
          401 | global/invalid-api-key | API key was invalid, expired, or deleted. | AUTH | lambda/prod/*/*/*/* | PT1H
          403 | global/invalid-api-key | - | AUTH | lambda/prod/*/*/*/* | PT1H
          403 | global/account-inactive | Your account is inactive. | AUTH | lambda/prod/*/*/*/* | PT1H
          400 | global/invalid-address | - | AUTH | lambda/prod/*/*/*/* | PT1H
          401 | - | - | AUTH | lambda/prod/*/*/*/* | PT1H
          403 | - | - | AUTH | lambda/prod/*/*/*/* | PT1H
          400 | global/invalid-parameters | Invalid request data. | INVALID | lambda/prod/us-east-1/us-east-1/gpu_8x_h100_sxm5/on-demand | PT0S
          400 | instance-operations/launch/file-system-in-wrong-region | - | INVALID | lambda/prod/us-east-1/us-east-1/gpu_8x_h100_sxm5/on-demand | PT0S
          400 | instance-operations/launch/file-systems-not-supported | - | INVALID | lambda/prod/us-east-1/us-east-1/gpu_8x_h100_sxm5/on-demand | PT0S
          400 | ssh-keys/key-in-use | - | INVALID | lambda/prod/us-east-1/us-east-1/gpu_8x_h100_sxm5/on-demand | PT0S
          404 | global/object-does-not-exist | - | INVALID | lambda/prod/us-east-1/us-east-1/gpu_8x_h100_sxm5/on-demand | PT0S
          429 | - | - | THROTTLED | lambda/prod/*/*/*/* | PT10S
          429 | global/too-many-requests | Slow down. | THROTTLED | lambda/prod/*/*/*/* | PT10S
          500 | global/unknown | An unknown error has occurred. | TRANSIENT | lambda/prod/us-east-1/*/*/* | PT10S
          500 | global/internal-error | - | TRANSIENT | lambda/prod/us-east-1/*/*/* | PT10S
          503 | - | - | TRANSIENT | lambda/prod/us-east-1/*/*/* | PT5S
          402 | - | insufficient funds | QUOTA | lambda/prod/*/*/*/open | PT1H
          0 | file-systems/launch/quota-exceeded | - | QUOTA | lambda/prod/*/*/*/open | PT1H
          """)
  void every_row_of_the_table(
      int status, String code, String message, FailureClass expected, String scope, String block) {
    CapacityFailure answer =
        classifier()
            .classify(
                new Failure(
                    key(CapacityType.ON_DEMAND),
                    code == null ? "" : code,
                    message == null ? "" : message,
                    status,
                    AT));

    assertThat(answer.failureClass()).isEqualTo(expected);
    assertThat(answer.scope().text()).isEqualTo(scope);
    assertThat(answer.block()).isEqualTo(Duration.parse(block));
  }

  @Test
  void no_event_is_lambdas() {
    assertThat(
            new LambdaProvider()
                .normalizer()
                .normalize("{\"source\":\"lambda\"}", (p, id) -> Optional.empty(), AT))
        .isInstanceOf(NotMine.class);
  }
}
