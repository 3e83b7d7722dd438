package io.spillway.capacity.hyperstack;

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

class HyperstackFailuresTest implements FailureClassifierContract {

  @Override
  public FailureClassifier classifier() {
    return new HyperstackProvider().classifier();
  }

  @Override
  public MarketKey key(CapacityType type) {
    return FailureClassifierContract.key("hyperstack", "CANADA-1", "CANADA-1", "n3-H100x8", type);
  }

  @ParameterizedTest(name = "{0} {1} {2}: {3}, {4}, {5}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          200 | - | {"status":false,"message":"Insufficient resources available for flavor n3-H100x8"} | NO_CAPACITY | hyperstack/prod/CANADA-1/CANADA-1/n3-H100x8/open | PT10M
          200 | - | {"status":false,"message":"There is not enough stock"} | NO_CAPACITY | hyperstack/prod/CANADA-1/CANADA-1/n3-H100x8/open | PT10M
          400 | - | Not enough stock available for n3-H100x8 | NO_CAPACITY | hyperstack/prod/CANADA-1/CANADA-1/n3-H100x8/open | PT10M
          0 | ERROR | the virtual machine went to ERROR right after create | NO_CAPACITY | hyperstack/prod/CANADA-1/CANADA-1/n3-H100x8/open | PT10M
          200 | - | {"status":false,"message":"Quota exceeded for instances"} | QUOTA | hyperstack/prod/*/*/*/open | PT1H
          400 | - | GPU limit reached for the organisation | QUOTA | hyperstack/prod/*/*/*/open | PT1H
          200 | - | {"status":false,"message":"Insufficient credit to deploy"} | QUOTA | hyperstack/prod/*/*/*/open | PT1H
          403 | - | insufficient balance, resources not available | QUOTA | hyperstack/prod/*/*/*/open | PT1H
          402 | - | - | QUOTA | hyperstack/prod/*/*/*/open | PT1H
          401 | - | {"status":false,"message":"Invalid API key"} | AUTH | hyperstack/prod/*/*/*/* | PT1H
          200 | - | {"status":false,"message":"Invalid API key"} | AUTH | hyperstack/prod/*/*/*/* | PT1H
          403 | - | - | AUTH | hyperstack/prod/*/*/*/* | PT1H
          400 | - | key_name is required | INVALID | hyperstack/prod/CANADA-1/CANADA-1/n3-H100x8/on-demand | PT0S
          404 | - | - | INVALID | hyperstack/prod/CANADA-1/CANADA-1/n3-H100x8/on-demand | PT0S
          200 | - | {"status":false,"message":"The image does not exist"} | INVALID | hyperstack/prod/CANADA-1/CANADA-1/n3-H100x8/on-demand | PT0S
          429 | - | - | THROTTLED | hyperstack/prod/*/*/*/* | PT5S
          409 | - | The environment is busy | TRANSIENT | hyperstack/prod/CANADA-1/*/*/* | PT10S
          500 | - | - | TRANSIENT | hyperstack/prod/CANADA-1/*/*/* | PT10S
          502 | - | - | TRANSIENT | hyperstack/prod/CANADA-1/*/*/* | PT10S
          503 | - | - | TRANSIENT | hyperstack/prod/CANADA-1/*/*/* | PT10S
          504 | - | - | TRANSIENT | hyperstack/prod/CANADA-1/*/*/* | PT10S
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
  void no_event_is_hyperstacks() {
    assertThat(
            new HyperstackProvider()
                .normalizer()
                .normalize("{\"source\":\"hyperstack\"}", (p, id) -> Optional.empty(), AT))
        .isInstanceOf(NotMine.class);
  }
}
