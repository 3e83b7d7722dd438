package io.spillway.capacity.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.market.Observation.Availability;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.NodeShape;
import io.spillway.scheduler.model.Trust;
import io.spillway.scheduler.model.UsdPerGpuHour;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PricesTest {
  private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
  private static final String CATALOGUE =
      """
      # as of 2026-10-04
      # source: the provider's price page
      instance_type,gpu,gpus,cpus,memory_gib,on_demand_usd_node_hour,spot_usd_node_hour
      big-8x,nvidia-h100-80gb,8,128,2048,49.24,
      """;

  private final Prices prices = new Prices(new BigDecimal("0.8"));

  @Test
  void a_nodes_price_is_divided_by_its_gpus_and_lists_are_discounted() {
    assertThat(prices.listNode(new BigDecimal("23.92"), 8)).contains(new UsdPerGpuHour(2_392_000));
    assertThat(prices.marketNode(new BigDecimal("23.92"), 8))
        .contains(new UsdPerGpuHour(2_990_000));
    assertThat(prices.listGpu(BigDecimal.ONE)).contains(new UsdPerGpuHour(800_000));
    assertThat(prices.marketGpu(BigDecimal.ONE)).contains(new UsdPerGpuHour(1_000_000));
  }

  @Test
  void no_price_is_not_a_price_of_zero() {
    for (String none : new String[] {"0", "0.00", "-1", "0.00000001", "1000000000"}) {
      assertThat(prices.marketNode(new BigDecimal(none), 8)).as(none).isEmpty();
    }
    assertThat(prices.marketNode(BigDecimal.ONE, 0)).isEmpty();
  }

  @Test
  void a_discount_that_cannot_be_is_refused() {
    assertThatThrownBy(() -> new Prices(BigDecimal.ZERO)).hasMessageContaining("discount");
    assertThatThrownBy(() -> new Prices(new BigDecimal("-1"))).hasMessageContaining("discount");
  }

  @Test
  void a_shipped_price_stands_in_with_its_date_and_the_lowest_trust() {
    FallbackCatalogue catalogue = FallbackCatalogue.parse(CATALOGUE);

    Observation seen =
        catalogue.complete(seen("big-8x", CapacityType.ON_DEMAND, Optional.empty()), prices);

    assertThat(seen.price()).contains(new UsdPerGpuHour(4_924_000));
    assertThat(seen.trust()).isEqualTo(Trust.FALLBACK);
    assertThat(seen.priceAt()).isEqualTo(Instant.parse("2026-10-04T00:00:00Z"));
    assertThat(seen.source()).isEqualTo("nodepools, price of catalogue 2026-10-04");
    assertThat(seen.availability()).isEqualTo(Availability.AVAILABLE);
  }

  @Test
  void a_price_of_the_provider_is_never_replaced_nor_one_invented() {
    FallbackCatalogue catalogue = FallbackCatalogue.parse(CATALOGUE);
    Observation told =
        seen("big-8x", CapacityType.ON_DEMAND, Optional.of(new UsdPerGpuHour(1_000_000)));
    Observation spot = seen("big-8x", CapacityType.SPOT, Optional.empty());
    Observation other = seen("small-1x", CapacityType.ON_DEMAND, Optional.empty());

    assertThat(catalogue.complete(told, prices)).isEqualTo(told);
    assertThat(catalogue.complete(spot, prices)).isEqualTo(spot);
    assertThat(catalogue.complete(other, prices)).isEqualTo(other);
  }

  @Test
  void a_catalogue_without_a_date_is_none() {
    assertThatThrownBy(() -> FallbackCatalogue.parse(CATALOGUE.replace("# as of", "#")))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(
            () -> FallbackCatalogue.parse(CATALOGUE + "big-8x,nvidia-h100-80gb,8,1,1,,\n"))
        .hasMessageContaining("two lines for big-8x");
  }

  private static Observation seen(String type, CapacityType market, Optional<UsdPerGpuHour> price) {
    return new Observation(
        new MarketKey("x", "prod", "r", "r", type, market, Optional.empty()),
        new NodeShape(new GpuModel("nvidia-h100-80gb"), 8, 0, 0),
        price,
        Optional.empty(),
        Availability.AVAILABLE,
        Trust.OFFERED,
        NOW,
        NOW,
        "nodepools");
  }
}
