package io.spillway.server.rest;

import io.spillway.scheduler.input.MarketInput.ObservationChanged;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.NodeShape;
import io.spillway.scheduler.model.Trust;
import io.spillway.scheduler.model.UsdPerGpuHour;
import java.time.Instant;
import java.util.Optional;

/** The spot capacity that {@link TestPolicies#cluster} can start, there to be had at 2.41 USD. */
final class SpotMarket {
  private SpotMarket() {}

  static ObservationChanged seen() {
    Instant now = Instant.now();
    MarketKey key =
        new MarketKey(
            "aws",
            "test-account",
            "us-west-2",
            "usw2-az1",
            "p5.48xlarge",
            CapacityType.SPOT,
            Optional.empty());
    return new ObservationChanged(
        new Observation(
            key,
            new NodeShape(new GpuModel("nvidia-h100-80gb"), 8, 192, 2048),
            Optional.of(new UsdPerGpuHour(2_410_000)),
            Optional.of(new UsdPerGpuHour(6_880_000)),
            Observation.Availability.AVAILABLE,
            Trust.OFFERED,
            now,
            now,
            "test"));
  }
}
