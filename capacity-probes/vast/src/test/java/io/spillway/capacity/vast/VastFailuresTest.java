package io.spillway.capacity.vast;

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

class VastFailuresTest implements FailureClassifierContract {

  @Override
  public FailureClassifier classifier() {
    return new VastProvider().classifier();
  }

  @Override
  public MarketKey key(CapacityType type) {
    return FailureClassifierContract.key("vast", "NO", "NO", "8x_H100-SXM", type);
  }

  @ParameterizedTest(name = "{0} {1} {2}: {3}, {4}, {5}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          404 | no_such_ask | Instance type 7654321 is not available | NO_CAPACITY | vast/prod/NO/NO/8x_H100-SXM/spot | PT0S
          410 | - | {"success":false,"error":"no_such_ask","msg":"made-up"} | NO_CAPACITY | vast/prod/NO/NO/8x_H100-SXM/spot | PT0S
          400 | - | {"success":false,"error":"no_such_ask"} | NO_CAPACITY | vast/prod/NO/NO/8x_H100-SXM/spot | PT0S
          410 | - | - | NO_CAPACITY | vast/prod/NO/NO/8x_H100-SXM/spot | PT0S
          400 | - | Instance type no longer available | NO_CAPACITY | vast/prod/NO/NO/8x_H100-SXM/spot | PT0S
          200 | - | Required resources are currently unavailable, state change queued. | NO_CAPACITY | vast/prod/NO/NO/8x_H100-SXM/spot | PT10M
          0 | no_offers | the search found nothing | NO_CAPACITY | vast/prod/NO/NO/8x_H100-SXM/spot | PT1M
          200 | - | {"success":false,"new_contract":998877,"msg":"instance is stopped"} | PRICE_TOO_LOW | vast/prod/NO/NO/8x_H100-SXM/spot | PT1M
          0 | outbid | - | PRICE_TOO_LOW | vast/prod/NO/NO/8x_H100-SXM/spot | PT1M
          0 | - | the instance was outbid | PRICE_TOO_LOW | vast/prod/NO/NO/8x_H100-SXM/spot | PT1M
          400 | insufficient_credit | Your account lacks credit | QUOTA | vast/prod/*/*/*/open | PT1H
          400 | - | {"success":false,"error":"insufficient_credit","msg":"no longer available without credit"} | QUOTA | vast/prod/*/*/*/open | PT1H
          402 | - | - | QUOTA | vast/prod/*/*/*/open | PT1H
          401 | auth_error | Invalid user key | AUTH | vast/prod/*/*/*/* | PT1H
          200 | - | {"success":false,"error":"auth_error","msg":"made-up"} | AUTH | vast/prod/*/*/*/* | PT1H
          401 | - | - | AUTH | vast/prod/*/*/*/* | PT1H
          403 | - | - | AUTH | vast/prod/*/*/*/* | PT1H
          400 | invalid_args | disk is too small | INVALID | vast/prod/NO/NO/8x_H100-SXM/spot | PT0S
          404 | no_such_instance | - | INVALID | vast/prod/NO/NO/8x_H100-SXM/spot | PT0S
          400 | - | something else | INVALID | vast/prod/NO/NO/8x_H100-SXM/spot | PT0S
          429 | - | API requests too frequent | THROTTLED | vast/prod/*/*/*/* | PT10S
          500 | server_error | - | TRANSIENT | vast/prod/NO/*/*/* | PT5S
          500 | - | - | TRANSIENT | vast/prod/NO/*/*/* | PT5S
          502 | - | - | TRANSIENT | vast/prod/NO/*/*/* | PT5S
          503 | - | - | TRANSIENT | vast/prod/NO/*/*/* | PT5S
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
  void no_event_is_vasts() {
    assertThat(
            new VastProvider()
                .normalizer()
                .normalize("{\"cur_state\":\"stopped\"}", (p, id) -> Optional.empty(), AT))
        .isInstanceOf(NotMine.class);
  }

  @Test
  void its_market_can_be_compared_but_no_cluster_can_be_made_of_it() {
    assertThat(new VastProvider().wayIn().possible()).isFalse();
  }
}
