package io.spillway.capacity.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.capacity.spi.FailureClassifier.Failure;
import io.spillway.scheduler.model.CapacityFailure;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.FailureClass;
import io.spillway.scheduler.model.MarketKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What every provider's classifier keeps, whatever it is given. */
public interface FailureClassifierContract {
  /** When the failures of this contract happen. */
  Instant AT = Instant.parse("2026-11-30T12:00:00Z");

  FailureClassifier classifier();

  /** An offering of the provider. */
  MarketKey key(CapacityType type);

  @Test
  default void it_never_throws_and_always_answers_within_its_bounds() {
    long seed = 20_261_130L;
    Random random = new Random(seed);
    for (int i = 0; i < 5_000; i++) {
      Failure failure =
          new Failure(
              key(
                  List.of(CapacityType.SPOT, CapacityType.ON_DEMAND, CapacityType.RESERVED)
                      .get(random.nextInt(3))),
              Noise.text(random, 80),
              Noise.text(random, 1_500),
              random.nextInt(4) == 0 ? 0 : random.nextInt(700),
              AT);
      CapacityFailure answer = classifier().classify(failure);
      assertThat(answer.failureClass()).as("seed %d, round %d", seed, i).isNotNull();
      assertThat(answer.block())
          .as("seed %d, round %d", seed, i)
          .isGreaterThanOrEqualTo(Duration.ZERO);
      assertThat(answer.code().length()).as("seed %d, round %d", seed, i).isLessThanOrEqualTo(200);
      assertThat(answer.at()).isEqualTo(AT);
      assertThat(answer.scope().provider()).isEqualTo(failure.key().provider());
      assertThat(answer.scope().account()).isEqualTo(failure.key().account());
    }
  }

  /**
   * Reserved capacity is where jobs go when the market has none: a refusal that took it along would
   * close the way out. Only what is wrong with the account or the service reaches into it.
   */
  @Test
  default void what_the_open_market_refuses_is_not_said_of_what_is_reserved() {
    Random random = new Random(20_261_201L);
    for (int i = 0; i < 1_500; i++) {
      CapacityType asked = random.nextBoolean() ? CapacityType.SPOT : CapacityType.ON_DEMAND;
      String code = random.nextBoolean() ? "" : Noise.phrase(random);
      String message = Noise.phrase(random) + ' ' + Noise.text(random, 60);
      int status = List.of(0, 200, 400, 402, 403, 404, 409, 500, 503).get(random.nextInt(9));
      CapacityFailure answer =
          classifier().classify(new Failure(key(asked), code, message, status, AT));
      boolean ofAccountOrService =
          List.of(FailureClass.AUTH, FailureClass.THROTTLED, FailureClass.TRANSIENT)
              .contains(answer.failureClass());
      if (!ofAccountOrService) {
        assertThat(answer.scope().covers(key(CapacityType.RESERVED)))
            .as("%s %s %d: %s %s", code, message, status, answer.failureClass(), answer.scope())
            .isFalse();
      }
    }
  }

  @Test
  default void what_a_reservation_refuses_is_said_of_it_at_least() {
    Random random = new Random(20_261_202L);
    MarketKey reserved = key(CapacityType.RESERVED);
    for (int i = 0; i < 1_500; i++) {
      String message = Noise.phrase(random) + ' ' + Noise.text(random, 60);
      int status = List.of(0, 400, 403, 500, 503).get(random.nextInt(5));
      CapacityFailure answer =
          classifier().classify(new Failure(reserved, "", message, status, AT));
      boolean ofSpotAlone = answer.scope().capacityType().equals(Optional.of(CapacityType.SPOT));
      assertThat(ofSpotAlone || answer.scope().covers(reserved))
          .as("%s %d: %s %s", message, status, answer.failureClass(), answer.scope())
          .isTrue();
    }
  }

  @Test
  default void names_and_quoted_words_of_users_are_never_read_as_capacity() {
    for (String name :
        List.of(
            "out-of-host-capacity",
            "out_of_capacity_0",
            "no-capacity",
            "insufficientinstancecapacity",
            "quota-exceeded-job",
            "team/out-of-stock:1")) {
      for (String message :
          List.of(
              "pod " + name + " could not be created",
              "instance named " + name + " has an unknown image",
              "label value \"Out of host capacity. no capacity\" of " + name + " is too long",
              "Value (" + name + ") for parameter x cannot be used",
              "field 'insufficient capacity' of `out of stock` is not known")) {
        CapacityFailure answer =
            classifier().classify(new Failure(key(CapacityType.ON_DEMAND), "", message, 0, AT));
        assertThat(answer.failureClass()).as(message).isEqualTo(FailureClass.UNKNOWN);
      }
    }
  }

  @Test
  default void what_nobody_knows_is_unknown_for_that_offering_and_not_the_jobs_fault() {
    MarketKey key = key(CapacityType.SPOT);
    CapacityFailure answer =
        classifier().classify(new Failure(key, "FluxTensorDrained", "the flux ran dry", 0, AT));
    assertThat(answer.failureClass()).isEqualTo(FailureClass.UNKNOWN);
    assertThat(answer.scope().covers(key)).isTrue();
    assertThat(answer.scope().kind()).isIn("offering", "reservation");
    assertThat(answer.block()).isPositive();
    assertThat(answer.code()).isEqualTo("FluxTensorDrained");
  }

  @Test
  default void throttling_is_never_taken_for_missing_capacity() {
    CapacityFailure answer =
        classifier()
            .classify(new Failure(key(CapacityType.RESERVED), "", "slow down, capacity", 429, AT));
    assertThat(answer.failureClass()).isEqualTo(FailureClass.THROTTLED);
    assertThat(answer.block()).isLessThanOrEqualTo(Duration.ofMinutes(1));
  }

  /** A key with the parts given, in an account named {@code prod}. */
  static MarketKey key(
      String provider, String region, String zone, String instanceType, CapacityType type) {
    return new MarketKey(
        provider,
        "prod",
        region,
        zone,
        instanceType,
        type,
        type == CapacityType.RESERVED ? Optional.of("res-1") : Optional.empty());
  }
}
