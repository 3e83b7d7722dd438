package io.spillway.capacity.verda;

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

class VerdaFailuresTest implements FailureClassifierContract {

  @Override
  public FailureClassifier classifier() {
    return new VerdaProvider().classifier();
  }

  @Override
  public MarketKey key(CapacityType type) {
    return FailureClassifierContract.key("verda", "FIN-01", "FIN-01", "8H100.80S.176V", type);
  }

  @ParameterizedTest(name = "{0} {1} {2}: {3}, {4}, {5}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          503 | service_unavailable | Not enough capacity | NO_CAPACITY | verda/prod/FIN-01/FIN-01/8H100.80S.176V/spot | PT10M
          503 | - | {"code":"service_unavailable","message":"Not enough capacity"} | NO_CAPACITY | verda/prod/FIN-01/FIN-01/8H100.80S.176V/spot | PT10M
          0 | no_capacity | - | NO_CAPACITY | verda/prod/FIN-01/FIN-01/8H100.80S.176V/spot | PT10M
          400 | invalid_request | No capacity for this instance type | NO_CAPACITY | verda/prod/FIN-01/FIN-01/8H100.80S.176V/spot | PT10M
          400 | - | 8H100.80S.176V is out of stock | NO_CAPACITY | verda/prod/FIN-01/FIN-01/8H100.80S.176V/spot | PT10M
          404 | not_found | Instance type is not available in this location | NO_CAPACITY | verda/prod/FIN-01/FIN-01/8H100.80S.176V/spot | PT10M
          400 | invalid_request | GPU quota exceeded | QUOTA | verda/prod/*/*/*/open | PT1H
          403 | forbidden_action | Limit exceeded for running instances | AUTH | verda/prod/*/*/*/* | PT1H
          400 | - | Spot limit exceeded: not available to this project | QUOTA | verda/prod/*/*/*/open | PT1H
          402 | insufficient_funds | Insufficient funds | QUOTA | verda/prod/*/*/*/open | PT1H
          402 | - | - | QUOTA | verda/prod/*/*/*/open | PT1H
          503 | - | insufficient funds: capacity unavailable | QUOTA | verda/prod/*/*/*/open | PT1H
          401 | unauthorized_request | Access token is missing or invalid | AUTH | verda/prod/*/*/*/* | PT1H
          403 | forbidden_action | - | AUTH | verda/prod/*/*/*/* | PT1H
          401 | - | - | AUTH | verda/prod/*/*/*/* | PT1H
          400 | invalid_request | hostname is too long | INVALID | verda/prod/FIN-01/FIN-01/8H100.80S.176V/spot | PT0S
          404 | not_found | Unknown image | INVALID | verda/prod/FIN-01/FIN-01/8H100.80S.176V/spot | PT0S
          429 | - | - | THROTTLED | verda/prod/*/*/*/* | PT5S
          400 | - | Can't discontinue a provisioning instance | TRANSIENT | verda/prod/FIN-01/FIN-01/8H100.80S.176V/spot | PT30S
          503 | service_unavailable | Service temporarily unavailable | TRANSIENT | verda/prod/FIN-01/*/*/* | PT30S
          503 | - | <html>503 Service Unavailable</html> | TRANSIENT | verda/prod/FIN-01/*/*/* | PT30S
          500 | - | - | TRANSIENT | verda/prod/FIN-01/*/*/* | PT30S
          502 | - | Bad gateway | TRANSIENT | verda/prod/FIN-01/*/*/* | PT30S
          504 | - | - | TRANSIENT | verda/prod/FIN-01/*/*/* | PT30S
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
  void no_event_is_verdas() {
    assertThat(
            new VerdaProvider()
                .normalizer()
                .normalize("{\"source\":\"verda\"}", (p, id) -> Optional.empty(), AT))
        .isInstanceOf(NotMine.class);
  }
}
