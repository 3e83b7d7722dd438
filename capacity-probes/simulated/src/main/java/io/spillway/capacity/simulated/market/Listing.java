package io.spillway.capacity.simulated.market;

import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.NodeShape;
import io.spillway.scheduler.model.UsdPerGpuHour;
import java.util.Optional;

/**
 * An instance type on sale in a zone.
 *
 * @param onDemand list price of a GPU-hour; empty = not sold on demand
 * @param spot typical price of a GPU-hour; empty = not sold as spot
 */
public record Listing(
    String provider,
    String region,
    String zone,
    String instanceType,
    NodeShape shape,
    Optional<UsdPerGpuHour> onDemand,
    Optional<UsdPerGpuHour> spot) {

  /** The same machine at the same price in another place. */
  public Listing in(String otherRegion, String otherZone) {
    return new Listing(provider, otherRegion, otherZone, instanceType, shape, onDemand, spot);
  }

  /** The price of that capacity type, if it is sold so. */
  public Optional<UsdPerGpuHour> price(CapacityType type) {
    return switch (type) {
      case SPOT -> spot;
      case ON_DEMAND -> onDemand;
      case RESERVED -> Optional.empty();
    };
  }

  public Line line(CapacityType type) {
    return new Line(provider, region, zone, instanceType, type);
  }
}
