package io.spillway.capacity.simulated.market;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.capacity.simulated.time.VirtualTimeline;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.UsdPerGpuHour;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MarketTest {
  private static final Instant START = Instant.parse("2026-11-30T08:00:00Z");
  private static final Line NEBIUS =
      new Line(
          "nebius",
          "eu-north1",
          "eu-north1",
          "gpu-h100-sxm_8gpu-128vcpu-1600gb",
          CapacityType.SPOT);

  private final VirtualTimeline timeline = new VirtualTimeline(START);

  private Market market(double volatility, double speed) {
    Market market =
        new Market(
            timeline, new MarketSettings(7, 16, 16, volatility, Duration.ofMinutes(10), speed));
    Catalogue.all().forEach(market::sell);
    return market;
  }

  private List<Integer> aDayOf(Market market) {
    List<Integer> nodes = new ArrayList<>();
    for (int i = 0; i < 144; i++) {
      nodes.add(market.capacity(NEBIUS));
      timeline.advance(Duration.ofMinutes(10));
    }
    return nodes;
  }

  @Test
  void a_calm_market_keeps_its_list_prices_and_its_capacity() {
    Market market = market(0, 1);
    assertThat(aDayOf(market)).containsOnly(16);
    assertThat(market.price(NEBIUS)).contains(UsdPerGpuHour.parse("1.25"));
  }

  @Test
  void the_same_seed_gives_the_same_day_of_plenty_and_shortage() {
    List<Integer> first = aDayOf(market(1, 1));
    List<Integer> again = aDayOf(market(1, 1));
    assertThat(again).isEqualTo(first);
    assertThat(first.getFirst()).isEqualTo(16);
    assertThat(first).contains(0, 16);
  }

  @Test
  void prices_move_but_never_above_on_demand() {
    Market market = market(1, 1);
    List<UsdPerGpuHour> prices = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      prices.add(market.price(NEBIUS).orElseThrow());
      timeline.advance(Duration.ofMinutes(10));
    }
    assertThat(prices.stream().distinct().count()).isGreaterThan(20);
    assertThat(prices).allMatch(p -> p.compareTo(UsdPerGpuHour.parse("2.95")) <= 0);
  }

  @Test
  void market_time_runs_faster_than_real_time_by_the_speed_factor() {
    Market market = market(0, 300);
    timeline.advance(Duration.ofSeconds(2));
    assertThat(market.marketTime()).isEqualTo(START.plus(Duration.ofMinutes(10)));
  }

  @Test
  void a_forced_shortage_and_price_hold_for_their_time_only() {
    Market market = market(0, 1);
    market.hold(NEBIUS, 3);
    market.force(NEBIUS, 4, Duration.ofSeconds(30));
    market.forcePrice(NEBIUS, UsdPerGpuHour.parse("2.90"), Duration.ofSeconds(30));
    assertThat(market.free(NEBIUS)).isEqualTo(1);
    assertThat(market.price(NEBIUS)).contains(UsdPerGpuHour.parse("2.90"));
    timeline.advance(Duration.ofSeconds(31));
    assertThat(market.free(NEBIUS)).isEqualTo(13);
    assertThat(market.price(NEBIUS)).contains(UsdPerGpuHour.parse("1.25"));
  }

  @Test
  void a_type_that_is_listed_elsewhere_can_be_sold_in_any_zone_of_its_provider() {
    assertThat(Catalogue.find("aws", "eu-west-1", "euw1-az1", "p5.48xlarge"))
        .hasValueSatisfying(
            listing -> {
              assertThat(listing.zone()).isEqualTo("euw1-az1");
              assertThat(listing.onDemand()).contains(UsdPerGpuHour.parse("6.88"));
            });
    assertThat(Catalogue.find("aws", "eu-west-1", "euw1-az1", "p9.48xlarge")).isEmpty();
  }
}
