package io.spillway.scheduler.placement;

import static io.spillway.scheduler.model.CapacityType.ON_DEMAND;
import static io.spillway.scheduler.model.CapacityType.SPOT;
import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.scheduler.event.Event;
import io.spillway.scheduler.event.MarketEvent;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.Trust;
import io.spillway.scheduler.model.UsdPerGpuHour;
import io.spillway.scheduler.plan.Evaluation.Candidate;
import io.spillway.scheduler.plan.RefusalReason;
import io.spillway.scheduler.policy.PriceOverride;
import io.spillway.scheduler.policy.Rung;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PriceStoryTest {
  private final World world = new World();

  private void given(List<PriceOverride> overrides, Rung... ladder) {
    world.policies(
        Given.policies(
            List.of(Given.queue(Given.RESEARCH, ladder)),
            List.of(Given.cluster("east", Given.capacity(8, List.of("a", "b"), SPOT, ON_DEMAND))),
            List.of(),
            overrides));
  }

  private Event observed(String zone, CapacityType type, String price, Instant at) {
    return new MarketEvent.ObservationAdopted(Given.priced(Given.key(zone, type), price, at));
  }

  private Event observed(String zone, CapacityType type, Optional<String> micros, Trust trust) {
    MarketKey key = Given.key(zone, type);
    return new MarketEvent.ObservationAdopted(
        new Observation(
            key,
            Given.H100_NODE,
            micros.map(text -> new UsdPerGpuHour(Long.parseLong(text))),
            Optional.empty(),
            Observation.Availability.UNKNOWN,
            trust,
            world.now(),
            world.now(),
            "test"));
  }

  private Candidate verdict(String zone, CapacityType type) {
    return world.explain("train").candidates().stream()
        .filter(it -> it.offering().equals(Given.offering("east", zone, type)))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void SKY_17_a_price_of_zero_is_quarantined_and_shown_not_the_cheapest() {
    given(List.of(), Given.rung("spot", SPOT));
    world.cycle(observed("a", SPOT, Optional.of("0"), Trust.OFFERED));
    world.cycle(observed("b", SPOT, "2.50", world.now()));

    world.submit("train", Given.job());

    assertThat(world.placeText("train")).isEqualTo("east~b~p5.48xlarge~spot");
    assertThat(verdict("a", SPOT).refusal()).contains(RefusalReason.PRICE_QUARANTINED);
    assertThat(verdict("a", SPOT).price()).contains(UsdPerGpuHour.ZERO);
    assertThat(verdict("a", SPOT).detail()).contains("nvidia-h100-80gb");
  }

  @Test
  void SKY_19_a_bid_floor_is_not_a_price() {
    given(List.of(), Given.rung("spot", SPOT));
    world.cycle(observed("a", SPOT, "0.01", world.now()), observed("b", SPOT, "3.45", world.now()));

    world.submit("train", Given.job());

    assertThat(world.placeText("train")).isEqualTo("east~b~p5.48xlarge~spot");
    assertThat(verdict("a", SPOT).refusal()).contains(RefusalReason.PRICE_QUARANTINED);
  }

  @Test
  void SKY_20_a_price_too_old_is_not_trusted_and_a_fresh_one_wakes_the_job() {
    given(List.of(), Given.rung("spot", SPOT));
    world.cycle(observed("a", SPOT, "2.10", Instant.parse("2006-01-01T00:00:00Z")));
    world.submit("train", Given.job());
    assertThat(verdict("a", SPOT).refusal()).contains(RefusalReason.STALE_PRICE);
    assertThat(verdict("a", SPOT).detail()).contains("limit 3600 s");

    world.cycle(observed("a", SPOT, "2.10", world.now().minusSeconds(3_599)));

    assertThat(world.placeText("train")).isEqualTo("east~a~p5.48xlarge~spot");
  }

  @Test
  void SKY_20_spot_priced_as_on_demand_is_never_taken() {
    given(List.of(), Given.rung("spot", SPOT), Given.rung("last", ON_DEMAND));
    world.cycle(
        observed("a", SPOT, "6.88", world.now()), observed("b", ON_DEMAND, "6.88", world.now()));

    world.submit("train", Given.job());

    assertThat(world.placeText("train")).isEqualTo("east~b~p5.48xlarge~on-demand");
    assertThat(verdict("a", SPOT).refusal()).contains(RefusalReason.NOT_CHEAPER_THAN_FALLBACK);
  }

  @Test
  void spot_dearer_than_a_fallback_on_a_closed_rung_waits_until_the_fallback_is_no_longer_there() {
    given(
        List.of(),
        Given.until(Given.rung("spot", SPOT), Given.waited(Duration.ofHours(9))),
        Given.rung("last", ON_DEMAND));
    world.cycle(
        observed("a", SPOT, "7.00", world.now()), observed("b", ON_DEMAND, "6.88", world.now()));
    world.submit("train", Given.job());
    assertThat(world.placeText("train")).isEqualTo("waits");

    world.cycle(world.block(Given.offering("east", "b", ON_DEMAND), Duration.ofHours(1)));

    assertThat(world.placeText("train")).isEqualTo("east~a~p5.48xlarge~spot");
  }

  @Test
  void KAR_05_no_price_is_not_offered() {
    given(List.of(), Given.rung("spot", SPOT));
    world.cycle(observed("a", SPOT, Optional.empty(), Trust.OFFERED));

    world.submit("train", Given.job());

    assertThat(verdict("a", SPOT).refusal()).contains(RefusalReason.NO_PRICE);
    assertThat(verdict("b", SPOT).refusal()).contains(RefusalReason.NOT_OBSERVED);
  }

  @Test
  void KAR_13_a_rung_caps_the_price_and_the_cheaper_type_that_fits_is_taken() {
    given(List.of(), Given.atMost(Given.rung("any", ON_DEMAND), "9.00"));
    world.cycle(
        observed("a", ON_DEMAND, "14.05", world.now()),
        observed("b", ON_DEMAND, "9.00", world.now()));

    world.submit("train", Given.job());

    assertThat(world.placeText("train")).isEqualTo("east~b~p5.48xlarge~on-demand");
    assertThat(verdict("a", ON_DEMAND).refusal()).contains(RefusalReason.RUNG_PRICE);
  }

  @Test
  void KAR_14_the_price_of_a_placement_is_the_one_known_in_its_commit() {
    given(List.of(), Given.rung("spot", SPOT));
    world.cycle(observed("a", SPOT, "2.00", world.now()), observed("b", SPOT, "2.50", world.now()));

    world.cycle(observed("a", SPOT, "3.00", world.now()), world.submitted("train", Given.job()));

    assertThat(world.placeText("train")).isEqualTo("east~b~p5.48xlarge~spot");
    assertThat(world.attempt("train").orElseThrow().placement().price())
        .isEqualTo(UsdPerGpuHour.parse("2.50"));
    assertThat(world.attempt("train").orElseThrow().placement().onDemandPrice())
        .isEqualTo(UsdPerGpuHour.parse("6.88"));
  }

  @Test
  void KAR_04_a_zone_that_sells_only_on_demand_is_no_spot_candidate() {
    given(List.of(), Given.rung("spot", SPOT));
    world.cycle(observed("a", ON_DEMAND, "6.88", world.now()));

    world.submit("train", Given.job());

    assertThat(world.placeText("train")).isEqualTo("waits");
    assertThat(verdict("a", SPOT).refusal()).contains(RefusalReason.NOT_OBSERVED);
    assertThat(verdict("a", ON_DEMAND).refusal()).contains(RefusalReason.RUNG_CAPACITY_TYPE);
  }

  @Test
  void an_override_is_trusted_where_an_observation_would_not_be_and_ends_at_its_time() {
    PriceOverride override =
        new PriceOverride(
            "aws",
            "us-east-2",
            Given.TYPE,
            SPOT,
            UsdPerGpuHour.parse("0.05"),
            Optional.of(world.now().plusSeconds(60)));
    given(List.of(override), Given.rung("spot", SPOT));
    world.cycle(observed("a", SPOT, Optional.of("10000"), Trust.FALLBACK));
    world.submit("train", Given.job());
    assertThat(world.placeText("train")).isEqualTo("east~a~p5.48xlarge~spot");
    assertThat(world.attempt("train").orElseThrow().placement().price())
        .isEqualTo(UsdPerGpuHour.parse("0.05"));

    world.later(Duration.ofSeconds(60)).submit("late", Given.job());

    assertThat(world.placeText("late")).isEqualTo("waits");
  }

  @Test
  void what_only_the_shipped_catalogue_knows_is_shown_and_no_candidate() {
    given(List.of(), Given.rung("spot", SPOT));
    world.cycle(observed("a", SPOT, Optional.of("2000000"), Trust.FALLBACK));

    world.submit("train", Given.job());

    assertThat(verdict("a", SPOT).refusal()).contains(RefusalReason.TRUST_TOO_LOW);
    assertThat(verdict("a", SPOT).price()).contains(UsdPerGpuHour.parse("2"));
  }

  @Test
  void a_listed_price_does_and_the_providers_no_does_not() {
    given(List.of(), Given.rung("spot", SPOT));
    world.cycle(observed("a", SPOT, Optional.of("2000000"), Trust.LISTED));
    world.submit("train", Given.job());
    assertThat(world.placeText("train")).isEqualTo("east~a~p5.48xlarge~spot");

    Observation seen = Given.priced(Given.key("b", SPOT), "1.50", world.now());
    world.cycle(
        new MarketEvent.ObservationAdopted(
            new Observation(
                seen.key(),
                seen.shape(),
                seen.price(),
                seen.onDemandPrice(),
                Observation.Availability.UNAVAILABLE,
                seen.trust(),
                seen.priceAt(),
                seen.observedAt(),
                seen.source())));
    world.submit("second", Given.job());

    assertThat(world.placeText("second")).isEqualTo("waits");
  }
}
