package io.spillway.capacity.crusoe;

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

class CrusoeFailuresTest implements FailureClassifierContract {

  @Override
  public FailureClassifier classifier() {
    return new CrusoeProvider().classifier();
  }

  @Override
  public MarketKey key(CapacityType type) {
    return FailureClassifierContract.key(
        "crusoe", "us-east1-a", "us-east1-a", "h100-80gb-sxm-ib.8x", type);
  }

  @ParameterizedTest(name = "{0} {1} {2}: {3}, {4}, {5}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          0 | out_of_stock | made-up | NO_CAPACITY | crusoe/prod/us-east1-a/us-east1-a/h100-80gb-sxm-ib.8x/on-demand | PT10M
          0 | - | {"operation_id":"op1","state":"FAILED","metadata":{"id":"vm1"},"result":{"code":"out_of_stock","message":"made-up"}} | NO_CAPACITY | crusoe/prod/us-east1-a/us-east1-a/h100-80gb-sxm-ib.8x/on-demand | PT10M
          0 | - | the requested type is out of stock | NO_CAPACITY | crusoe/prod/us-east1-a/us-east1-a/h100-80gb-sxm-ib.8x/on-demand | PT10M
          0 | vm_out_of_capacity | - | NO_CAPACITY | crusoe/prod/us-east1-a/us-east1-a/h100-80gb-sxm-ib.8x/on-demand | PT10M
          403 | forbidden | Quota exceeded for the project | QUOTA | crusoe/prod/*/*/h100-80gb-sxm-ib./on-demand | PT10M
          400 | bad_request | limit exceeded for this type | QUOTA | crusoe/prod/*/*/h100-80gb-sxm-ib./on-demand | PT10M
          400 | quota_exceeded | - | QUOTA | crusoe/prod/*/*/h100-80gb-sxm-ib./on-demand | PT10M
          400 | bad_request | the quota is 0 | QUOTA | crusoe/prod/*/*/h100-80gb-sxm-ib./on-demand | PT24H
          401 | unauthorized | - | AUTH | crusoe/prod/*/*/*/* | PT1H
          403 | forbidden | - | AUTH | crusoe/prod/*/*/*/* | PT1H
          401 | - | - | AUTH | crusoe/prod/*/*/*/* | PT1H
          400 | bad_request | unknown field | INVALID | crusoe/prod/us-east1-a/us-east1-a/h100-80gb-sxm-ib.8x/on-demand | PT0S
          404 | not_found | - | INVALID | crusoe/prod/us-east1-a/us-east1-a/h100-80gb-sxm-ib.8x/on-demand | PT0S
          429 | - | - | THROTTLED | crusoe/prod/*/*/*/* | PT5S
          0 | internal_error | operation failed | TRANSIENT | crusoe/prod/us-east1-a/*/*/* | PT5S
          500 | - | - | TRANSIENT | crusoe/prod/us-east1-a/*/*/* | PT5S
          503 | - | - | TRANSIENT | crusoe/prod/us-east1-a/*/*/* | PT5S
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
  void a_quota_of_a_slice_leaves_other_slices_and_what_is_reserved_alone() {
    CapacityFailure answer =
        classifier().classify(new Failure(key(CapacityType.SPOT), "quota_exceeded", "", 403, AT));

    assertThat(answer.scope().covers(key(CapacityType.SPOT))).isTrue();
    assertThat(answer.scope().covers(key(CapacityType.RESERVED))).isFalse();
    assertThat(
            answer
                .scope()
                .covers(
                    FailureClassifierContract.key(
                        "crusoe",
                        "us-east1-a",
                        "us-east1-a",
                        "a100-80gb-sxm-ib.8x",
                        CapacityType.SPOT)))
        .isFalse();
  }

  @Test
  void no_event_is_crusoes() {
    assertThat(
            new CrusoeProvider()
                .normalizer()
                .normalize("{\"source\":\"crusoe\"}", (p, id) -> Optional.empty(), AT))
        .isInstanceOf(NotMine.class);
  }
}
