package io.spillway.capacity.fluidstack;

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

class FluidStackFailuresTest implements FailureClassifierContract {

  @Override
  public FailureClassifier classifier() {
    return new FluidStackProvider().classifier();
  }

  @Override
  public MarketKey key(CapacityType type) {
    return FailureClassifierContract.key(
        "fluidstack", "NORWAY_4_EU", "NORWAY_4_EU", "8x_H100_SXM5_80GB", type);
  }

  @ParameterizedTest(name = "{0} {1} {2}: {3}, {4}, {5}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          400 | - | {"error":"The requested configuration is out of stock"} | NO_CAPACITY | fluidstack/prod/NORWAY_4_EU/NORWAY_4_EU/8x_H100_SXM5_80GB/open | PT10M
          500 | - | {"message":"No capacity in this region"} | NO_CAPACITY | fluidstack/prod/NORWAY_4_EU/NORWAY_4_EU/8x_H100_SXM5_80GB/open | PT10M
          404 | - | Configuration is not available | NO_CAPACITY | fluidstack/prod/NORWAY_4_EU/NORWAY_4_EU/8x_H100_SXM5_80GB/open | PT10M
          0 | out_of_stock | - | NO_CAPACITY | fluidstack/prod/NORWAY_4_EU/NORWAY_4_EU/8x_H100_SXM5_80GB/open | PT10M
          0 | - | instance status: out of stock | NO_CAPACITY | fluidstack/prod/NORWAY_4_EU/NORWAY_4_EU/8x_H100_SXM5_80GB/open | PT10M
          0 | failed | the instance failed right after it was ordered | NO_CAPACITY | fluidstack/prod/NORWAY_4_EU/NORWAY_4_EU/8x_H100_SXM5_80GB/open | PT10M
          402 | - | - | QUOTA | fluidstack/prod/*/*/*/open | PT1H
          400 | - | {"error":"insufficient balance, top up your account"} | QUOTA | fluidstack/prod/*/*/*/open | PT1H
          400 | - | insufficient balance: machine not available until paid | QUOTA | fluidstack/prod/*/*/*/open | PT1H
          401 | - | - | AUTH | fluidstack/prod/*/*/*/* | PT1H
          403 | - | {"error":"forbidden"} | AUTH | fluidstack/prod/*/*/*/* | PT1H
          400 | - | {"error":"unknown operating system"} | INVALID | fluidstack/prod/NORWAY_4_EU/NORWAY_4_EU/8x_H100_SXM5_80GB/on-demand | PT0S
          404 | - | - | INVALID | fluidstack/prod/NORWAY_4_EU/NORWAY_4_EU/8x_H100_SXM5_80GB/on-demand | PT0S
          422 | - | {"message":"ssh_key is required"} | INVALID | fluidstack/prod/NORWAY_4_EU/NORWAY_4_EU/8x_H100_SXM5_80GB/on-demand | PT0S
          429 | - | - | THROTTLED | fluidstack/prod/*/*/*/* | PT10S
          500 | - | Internal Server Error | TRANSIENT | fluidstack/prod/NORWAY_4_EU/*/*/* | PT10S
          502 | - | - | TRANSIENT | fluidstack/prod/NORWAY_4_EU/*/*/* | PT10S
          503 | - | - | TRANSIENT | fluidstack/prod/NORWAY_4_EU/*/*/* | PT10S
          504 | - | - | TRANSIENT | fluidstack/prod/NORWAY_4_EU/*/*/* | PT10S
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
  void no_event_is_fluidstacks() {
    assertThat(
            new FluidStackProvider()
                .normalizer()
                .normalize("{\"source\":\"fluidstack\"}", (p, id) -> Optional.empty(), AT))
        .isInstanceOf(NotMine.class);
  }
}
