package io.spillway.capacity.coreweave;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.capacity.spi.FailureClassifier.Failure;
import io.spillway.capacity.testkit.FailureClassifierContract;
import io.spillway.scheduler.model.CapacityFailure;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.FailureClass;
import io.spillway.scheduler.model.MarketKey;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CoreWeaveFailuresTest implements FailureClassifierContract {

  @Override
  public FailureClassifier classifier() {
    return new CoreWeaveProvider().classifier();
  }

  @Override
  public MarketKey key(CapacityType type) {
    return FailureClassifierContract.key(
        "coreweave", "US-EAST-04", "US-EAST-04A", "gd-8xh100ib-i128", type);
  }

  @ParameterizedTest(name = "{0} {1} {2}: {3}, {4}, {5}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          0 | CWInsufficientCapacity | not enough nodes of the type | NO_CAPACITY | coreweave/prod/US-EAST-04/US-EAST-04A/gd-8xh100ib-i128/spot | PT10M
          0 | Capacity/None | - | NO_CAPACITY | coreweave/prod/US-EAST-04/US-EAST-04A/gd-8xh100ib-i128/spot | PT10M
          0 | Capacity/Partial | - | NO_CAPACITY | coreweave/prod/US-EAST-04/US-EAST-04A/gd-8xh100ib-i128/spot | PT10M
          0 | CapacityNone | - | NO_CAPACITY | coreweave/prod/US-EAST-04/US-EAST-04A/gd-8xh100ib-i128/spot | PT10M
          0 | CWNoCapacity | - | NO_CAPACITY | coreweave/prod/US-EAST-04/US-EAST-04A/gd-8xh100ib-i128/spot | PT10M
          0 | FailedScheduling | 0/4 nodes are available: 4 Insufficient nvidia.com/gpu. | NO_CAPACITY | coreweave/prod/US-EAST-04/US-EAST-04A/gd-8xh100ib-i128/spot | PT10M
          0 | CWOverQuota | - | QUOTA | coreweave/prod/US-EAST-04/US-EAST-04A/gd-8xh100ib-i128/spot | PT10M
          0 | Quota/Over | - | QUOTA | coreweave/prod/US-EAST-04/US-EAST-04A/gd-8xh100ib-i128/spot | PT10M
          0 | Quota/NotSet | - | QUOTA | coreweave/prod/US-EAST-04/US-EAST-04A/gd-8xh100ib-i128/spot | PT24H
          403 | Forbidden | pods is forbidden: exceeded quota: gpus, requested: 8 | QUOTA | coreweave/prod/US-EAST-04/US-EAST-04A/gd-8xh100ib-i128/spot | PT10M
          0 | Valid/False | - | INVALID | coreweave/prod/US-EAST-04/US-EAST-04A/gd-8xh100ib-i128/spot | PT0S
          0 | Validated/Failed | - | INVALID | coreweave/prod/US-EAST-04/US-EAST-04A/gd-8xh100ib-i128/spot | PT0S
          400 | BadRequest | - | INVALID | coreweave/prod/US-EAST-04/US-EAST-04A/gd-8xh100ib-i128/spot | PT0S
          422 | Invalid | - | INVALID | coreweave/prod/US-EAST-04/US-EAST-04A/gd-8xh100ib-i128/spot | PT0S
          422 | - | - | INVALID | coreweave/prod/US-EAST-04/US-EAST-04A/gd-8xh100ib-i128/spot | PT0S
          401 | Unauthorized | - | AUTH | coreweave/prod/*/*/*/* | PT1H
          403 | Forbidden | nodepools is forbidden | AUTH | coreweave/prod/*/*/*/* | PT1H
          403 | - | - | AUTH | coreweave/prod/*/*/*/* | PT1H
          429 | - | - | THROTTLED | coreweave/prod/*/*/*/* | PT5S
          429 | TooManyRequests | - | THROTTLED | coreweave/prod/*/*/*/* | PT5S
          409 | Conflict | - | TRANSIENT | coreweave/prod/US-EAST-04/US-EAST-04A/gd-8xh100ib-i128/spot | PT5S
          409 | AlreadyExists | - | TRANSIENT | coreweave/prod/US-EAST-04/US-EAST-04A/gd-8xh100ib-i128/spot | PT5S
          410 | - | - | TRANSIENT | coreweave/prod/US-EAST-04/US-EAST-04A/gd-8xh100ib-i128/spot | PT5S
          410 | Gone | - | TRANSIENT | coreweave/prod/US-EAST-04/US-EAST-04A/gd-8xh100ib-i128/spot | PT5S
          500 | InternalError | - | TRANSIENT | coreweave/prod/US-EAST-04/*/*/* | PT5S
          503 | - | - | TRANSIENT | coreweave/prod/US-EAST-04/*/*/* | PT5S
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
}
