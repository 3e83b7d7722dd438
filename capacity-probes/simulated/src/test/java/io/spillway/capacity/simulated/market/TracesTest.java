package io.spillway.capacity.simulated.market;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.spillway.capacity.simulated.time.VirtualTimeline;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.UsdPerGpuHour;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TracesTest {
  private static final Instant START = Instant.parse("2026-11-30T08:00:00Z");

  @TempDir Path folder;

  private final VirtualTimeline timeline = new VirtualTimeline(START);

  private Market replaying(Path traces, double speed) throws IOException {
    Market market =
        new Market(timeline, new MarketSettings(1, 16, 16, 0, Duration.ofMinutes(10), speed));
    Catalogue.all().forEach(market::sell);
    market.replay(Traces.load(traces));
    return market;
  }

  private static Path data(String name) {
    String data = System.getenv("SPILLWAY_DATA");
    assumeTrue(data != null, "skipped: SPILLWAY_DATA is not set, the recorded traces are not here");
    return Path.of(data).resolve(name);
  }

  @Test
  void counted_zones_follow_their_column_and_begin_again_after_the_last_row() throws IOException {
    Files.writeString(
        folder.resolve("x_counts.csv"),
        """
        utc,us-central1-a
        2025-01-01T00:00:00Z,5
        2025-01-01T00:10:00Z,2
        2025-01-01T00:20:00Z,0
        2025-01-01T00:50:00Z,9
        """);
    Files.writeString(
        folder.resolve("zone_prices.csv"),
        """
        zone,region,spot,on_demand
        us-central1-a,us-central1,16.00,88.00
        """);
    Market market = replaying(folder, 1);
    Line line = new Line("gcp", "us-central1", "us-central1-a", "a3-highgpu-1g", CapacityType.SPOT);
    assertThat(market.price(line)).contains(UsdPerGpuHour.parse("2"));
    assertThat(market.capacity(line)).isEqualTo(5);
    timeline.advance(Duration.ofMinutes(11));
    assertThat(market.capacity(line)).isEqualTo(2);
    timeline.advance(Duration.ofMinutes(30));
    assertThat(market.capacity(line)).as("a gap carries the last value").isZero();
    timeline.advance(Duration.ofMinutes(10));
    assertThat(market.capacity(line)).as("from the beginning").isEqualTo(5);
  }

  @Test
  void a_folder_without_traces_is_refused_with_what_was_expected() {
    assertThatThrownBy(() -> Traces.load(folder))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("zone_prices.csv");
  }

  @Test
  void a_torn_row_is_refused_with_its_line() throws IOException {
    Files.writeString(
        folder.resolve("x_counts.csv"),
        """
        utc,a
        2025-01-01T00:00:00Z,5
        2025-01-01T00:10:00Z
        """);
    Files.writeString(
        folder.resolve("zone_prices.csv"),
        """
        zone,region,s,o
        a,r,1,2
        """);
    assertThatThrownBy(() -> Traces.load(folder)).hasMessageContaining("line 3");
  }

  @Test
  void the_recorded_fortnight_of_h100_can_be_replayed() throws IOException {
    Market market = replaying(data("h100-gcp-2025"), 600);
    Line iowa = new Line("gcp", "us-central1", "us-central1-a", "a3-highgpu-1g", CapacityType.SPOT);
    assertThat(market.capacity(iowa)).isEqualTo(16);
    assertThat(market.lines("gcp").stream().filter(l -> l.instanceType().equals("a3-highgpu-1g")))
        .hasSizeGreaterThanOrEqualTo(26);
    int least = 16;
    for (int i = 0; i < 2_000; i++) {
      timeline.advance(Duration.ofSeconds(1));
      least = Math.min(least, market.capacity(iowa));
    }
    assertThat(least).as("within the fortnight it ran dry").isZero();
  }

  @Test
  void the_recorded_weeks_of_v100_bring_their_price_at_every_tick() throws IOException {
    Market market = replaying(data("v100-aws-2023"), 1);
    Line oregon = new Line("aws", "us-west-2", "us-west-2a", "p3.2xlarge", CapacityType.SPOT);
    assertThat(market.capacity(oregon)).isEqualTo(Traces.NODES_WHEN_AVAILABLE);
    assertThat(market.price(oregon)).isPresent();
    assertThat(
            market.price(
                new Line("aws", "us-west-2", "us-west-2a", "p3.2xlarge", CapacityType.ON_DEMAND)))
        .contains(UsdPerGpuHour.parse("3.06"));
  }
}
