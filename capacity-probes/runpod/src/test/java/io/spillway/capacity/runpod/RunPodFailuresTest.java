package io.spillway.capacity.runpod;

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

class RunPodFailuresTest implements FailureClassifierContract {

  @Override
  public FailureClassifier classifier() {
    return new RunPodProvider().classifier();
  }

  @Override
  public MarketKey key(CapacityType type) {
    return FailureClassifierContract.key("runpod", "US", "US-KS-2", "8x_H100-SXM_SECURE", type);
  }

  @ParameterizedTest(name = "{0} {1} {2}: {3}, {4}, {5}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          200 | - | {"errors":[{"message":"There are no longer any instances available with the requested specifications. Please refresh and try again."}],"data":null} | NO_CAPACITY | runpod/prod/US/US-KS-2/8x_H100-SXM_SECURE/spot | PT2M
          500 | - | {"error":"create pod: There are no longer any instances available with the requested specifications."} | NO_CAPACITY | runpod/prod/US/US-KS-2/8x_H100-SXM_SECURE/spot | PT2M
          400 | - | {"title":"Bad Request","status":400,"detail":"There are no longer any instances available with the requested specifications."} | NO_CAPACITY | runpod/prod/US/US-KS-2/8x_H100-SXM_SECURE/spot | PT2M
          500 | - | no longer any instances available with enough disk space | NO_CAPACITY | runpod/prod/US/US-KS-2/8x_H100-SXM_SECURE/spot | PT2M
          200 | - | Insufficient resources | NO_CAPACITY | runpod/prod/US/US-KS-2/8x_H100-SXM_SECURE/spot | PT2M
          400 | - | no capacity for this GPU type | NO_CAPACITY | runpod/prod/US/US-KS-2/8x_H100-SXM_SECURE/spot | PT2M
          400 | - | The GPU is out of stock | NO_CAPACITY | runpod/prod/US/US-KS-2/8x_H100-SXM_SECURE/spot | PT2M
          200 | - | This machine does not have the resources to deploy your pod. Please try a different machine. | NO_CAPACITY | runpod/prod/US/US-KS-2/8x_H100-SXM_SECURE/spot | PT0S
          200 | - | There are not enough free GPUs on the host machine to start this pod. | NO_CAPACITY | runpod/prod/US/US-KS-2/8x_H100-SXM_SECURE/spot | PT0S
          200 | - | Bid price is below the minimum of 1.75 | PRICE_TOO_LOW | runpod/prod/*/*/8x_H100-SXM_SECURE/spot | PT5M
          200 | - | Your pod was outbid | PRICE_TOO_LOW | runpod/prod/*/*/8x_H100-SXM_SECURE/spot | PT5M
          402 | - | - | QUOTA | runpod/prod/*/*/*/open | PT1H
          200 | - | Your account balance is too low to deploy. | QUOTA | runpod/prod/*/*/*/open | PT1H
          400 | - | You have reached your spend limit | QUOTA | runpod/prod/*/*/*/open | PT1H
          400 | - | pod limit of this account: no capacity for more | QUOTA | runpod/prod/*/*/*/open | PT1H
          401 | - | - | AUTH | runpod/prod/*/*/*/* | PT1H
          403 | - | - | AUTH | runpod/prod/*/*/*/* | PT1H
          200 | - | {"errors":[{"message":"Unauthorized request, please check your API key."}]} | AUTH | runpod/prod/*/*/*/* | PT1H
          200 | - | {"errors":[{"message":"forbidden"}]} | AUTH | runpod/prod/*/*/*/* | PT1H
          200 | BAD_USER_INPUT | Variable got an invalid value | INVALID | runpod/prod/US/US-KS-2/8x_H100-SXM_SECURE/spot | PT0S
          200 | GRAPHQL_VALIDATION_FAILED | Cannot query field | INVALID | runpod/prod/US/US-KS-2/8x_H100-SXM_SECURE/spot | PT0S
          400 | - | {"errors":["imageName is required"]} | INVALID | runpod/prod/US/US-KS-2/8x_H100-SXM_SECURE/spot | PT0S
          422 | - | - | INVALID | runpod/prod/US/US-KS-2/8x_H100-SXM_SECURE/spot | PT0S
          429 | - | - | THROTTLED | runpod/prod/*/*/*/* | PT5S
          200 | - | Something went wrong. Please try again later or contact support. | TRANSIENT | runpod/prod/US/*/*/* | PT5S
          500 | - | - | TRANSIENT | runpod/prod/US/*/*/* | PT5S
          502 | - | Bad gateway | TRANSIENT | runpod/prod/US/*/*/* | PT5S
          503 | - | - | TRANSIENT | runpod/prod/US/*/*/* | PT5S
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
  void no_event_is_runpods() {
    assertThat(
            new RunPodProvider()
                .normalizer()
                .normalize("{\"desiredStatus\":\"EXITED\"}", (p, id) -> Optional.empty(), AT))
        .isInstanceOf(NotMine.class);
  }

  @Test
  void its_market_can_be_compared_but_no_cluster_can_be_made_of_it() {
    assertThat(new RunPodProvider().wayIn().possible()).isFalse();
  }
}
