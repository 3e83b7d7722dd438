package io.spillway.scheduler.market;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.model.UsdPerGpuHour;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PriceBandTest {
  @Test
  void every_known_model_has_a_band_whose_floor_is_no_bid_floor() {
    for (GpuModel model : GpuModel.all()) {
      PriceBand band = PriceBand.of(model);
      assertThat(band.floor()).as(model.name()).isGreaterThan(UsdPerGpuHour.parse("0.01"));
      assertThat(band.ceiling()).as(model.name()).isGreaterThan(band.floor());
    }
  }

  @Test
  void the_bounds_of_a_band_belong_to_it() {
    PriceBand band = PriceBand.of(new GpuModel("nvidia-b200-180gb"));

    assertThat(band.floor()).isEqualTo(UsdPerGpuHour.parse("0.2375"));
    assertThat(band.ceiling()).isEqualTo(UsdPerGpuHour.parse("28.5"));
    assertThat(band.holds(band.floor())).isTrue();
    assertThat(band.holds(band.ceiling())).isTrue();
    assertThat(band.holds(new UsdPerGpuHour(band.floor().micros() - 1))).isFalse();
    assertThat(band.holds(new UsdPerGpuHour(band.ceiling().micros() + 1))).isFalse();
    assertThat(band.text()).isEqualTo("0.2375 to 28.5000 USD per GPU-hour");
  }

  @Test
  void a_market_price_ages_faster_than_a_list_price() {
    assertThat(PriceAge.DEFAULT.limit(CapacityType.SPOT)).isEqualTo(Duration.ofHours(1));
    assertThat(PriceAge.DEFAULT.limit(CapacityType.ON_DEMAND)).isEqualTo(Duration.ofDays(30));
    assertThat(PriceAge.DEFAULT.limit(CapacityType.RESERVED)).isEqualTo(Duration.ofDays(30));
    assertThatThrownBy(() -> new PriceAge(Duration.ZERO, Duration.ofDays(1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new PriceAge(Duration.ofDays(1), Duration.ofDays(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
