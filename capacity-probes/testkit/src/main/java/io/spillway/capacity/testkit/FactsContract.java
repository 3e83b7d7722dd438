package io.spillway.capacity.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.spillway.capacity.spi.CapacityProvider;
import io.spillway.capacity.spi.Facts;
import io.spillway.capacity.spi.FailureClassifier.Failure;
import io.spillway.scheduler.model.CapacityFailure;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.FailureClass;
import io.spillway.scheduler.model.MarketKey;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What every provider does with times that it is told: each notice and each block time can be, the
 * most exact one counts, one that it does not have is named, and what is not told stays.
 */
public final class FactsContract {
  private static final Duration WIDE = Duration.ofSeconds(1_001);
  private static final Duration NARROWER = Duration.ofSeconds(1_002);
  private static final Duration EXACT = Duration.ofSeconds(1_003);

  /** Refusals as every provider's controllers and clusters may tell them, class by class. */
  private static final List<Refused> REFUSED =
      List.of(
          new Refused("", "out of stock", 0),
          new Refused("", "quota exceeded", 0),
          new Refused("", "connection reset", 0),
          new Refused("", "denied", 401),
          new Refused("", "slow down", 429),
          new Refused("", "something went wrong", 500),
          new Refused("FluxTensorDrained", "the flux ran dry", 0));

  private record Refused(String code, String message, int status) {}

  private FactsContract() {}

  /** Fails with what the module does otherwise. */
  public static void holdsFor(CapacityProvider module) {
    assertThat(module.facts().notices()).containsKey(Facts.SPOT_NOTICE);
    module.facts().notices().keySet().forEach(name -> noticeCanBeTold(module, name));
    Set<FailureClass> seen = EnumSet.noneOf(FailureClass.class);
    for (CapacityType market : CapacityType.values()) {
      for (Refused refused : REFUSED) {
        seen.add(blockCanBeTold(module, refused, market));
      }
    }
    assertThat(seen)
        .contains(
            FailureClass.NO_CAPACITY,
            FailureClass.QUOTA,
            FailureClass.AUTH,
            FailureClass.THROTTLED,
            FailureClass.TRANSIENT,
            FailureClass.UNKNOWN);
    for (String wrong : List.of("spot-notise", "block-", "block-quota-zone-cheap", "")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> module.with(Map.of(wrong, WIDE)))
          .withMessageStartingWith(wrong + ": there is no such");
    }
  }

  private static void noticeCanBeTold(CapacityProvider module, String name) {
    CapacityProvider told = module.with(Map.of(name, WIDE));
    assertThat(told.name()).isEqualTo(module.name());
    module
        .facts()
        .notices()
        .forEach(
            (other, usual) ->
                assertThat(told.facts().notice(other))
                    .isEqualTo(other.equals(name) ? WIDE : usual));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> module.with(Map.of(name, Duration.ofDays(2))))
        .withMessageStartingWith(name + ": ");
  }

  private static FailureClass blockCanBeTold(
      CapacityProvider module, Refused refused, CapacityType market) {
    MarketKey key =
        new MarketKey(module.name(), "prod", "r-1", "r-1-a", "t.8x", market, Optional.empty());
    Failure failure =
        new Failure(
            key, refused.code(), refused.message(), refused.status(), FailureClassifierContract.AT);
    CapacityFailure usual = module.classifier().classify(failure);
    if (usual.block().isZero()) {
      return usual.failureClass();
    }
    String type = "block-" + usual.failureClass().name().toLowerCase(Locale.ROOT).replace('_', '-');
    String reach = type + '-' + usual.scope().kind();
    String exact = reach + '-' + market.text();
    CapacityProvider wide = module.with(Map.of(type, WIDE));
    CapacityProvider narrower = wide.with(Map.of(reach, NARROWER));
    assertThat(wide.classifier().classify(failure)).isEqualTo(usual.blocking(WIDE));
    assertThat(narrower.classifier().classify(failure)).isEqualTo(usual.blocking(NARROWER));
    assertThat(narrower.with(Map.of(exact, EXACT)).classifier().classify(failure))
        .isEqualTo(usual.blocking(EXACT));
    assertThat(
            module
                .with(Map.of("block-price-too-low", WIDE, "block-quota-limit-of-zero", WIDE))
                .classifier()
                .classify(failure))
        .isEqualTo(usual);
    return usual.failureClass();
  }
}
