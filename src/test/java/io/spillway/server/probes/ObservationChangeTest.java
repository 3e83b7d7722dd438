package io.spillway.server.probes;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.NodeShape;
import io.spillway.scheduler.model.Trust;
import io.spillway.scheduler.model.UsdPerGpuHour;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ObservationChangeTest {
  private static final Instant NOW = Instant.parse("2026-11-30T10:00:00Z");

  private final ObservationChange change = new ObservationChange(Duration.ofMinutes(30));

  @Test
  void the_first_sight_of_a_key_is_news() {
    assertThat(change.matters(Optional.empty(), seen("2.0000", NOW))).isTrue();
  }

  @Test
  void a_price_within_half_a_percent_is_no_news_and_beyond_it_is() {
    Optional<Observation> known = Optional.of(seen("2.0000", NOW));

    assertThat(change.matters(known, seen("2.0100", NOW.plusSeconds(60)))).isFalse();
    assertThat(change.matters(known, seen("2.0101", NOW.plusSeconds(60)))).isTrue();
    assertThat(change.matters(known, seen("1.9899", NOW.plusSeconds(60)))).isTrue();
  }

  @Test
  void a_price_that_came_or_went_is_news() {
    Observation without =
        new Observation(
            seen("2.0000", NOW).key(),
            seen("2.0000", NOW).shape(),
            Optional.empty(),
            Optional.empty(),
            Observation.Availability.AVAILABLE,
            Trust.OFFERED,
            NOW,
            NOW,
            "test");

    assertThat(change.matters(Optional.of(without), seen("2.0000", NOW))).isTrue();
    assertThat(change.matters(Optional.of(seen("2.0000", NOW)), without)).isTrue();
  }

  @Test
  void an_unchanged_observation_is_told_again_before_it_ages_out_of_use() {
    Optional<Observation> known = Optional.of(seen("2.0000", NOW));

    assertThat(change.matters(known, seen("2.0000", NOW.plusSeconds(1_800)))).isFalse();
    assertThat(change.matters(known, seen("2.0000", NOW.plusSeconds(1_801)))).isTrue();
  }

  private static Observation seen(String price, Instant at) {
    return new Observation(
        new MarketKey(
            "aws",
            "prod",
            "us-east-2",
            "use2-az1",
            "p5.48xlarge",
            CapacityType.SPOT,
            Optional.empty()),
        new NodeShape(new GpuModel("nvidia-h100-80gb"), 8, 192, 2048),
        Optional.of(UsdPerGpuHour.parse(price)),
        Optional.empty(),
        Observation.Availability.AVAILABLE,
        Trust.OFFERED,
        at,
        at,
        "test");
  }
}
