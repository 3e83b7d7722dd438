package io.spillway.capacity.simulated.market;

import io.spillway.scheduler.model.CapacityType;

/** One thing that is sold, in one place, in one way. */
public record Line(
    String provider, String region, String zone, String instanceType, CapacityType capacityType) {

  /** The canonical text, used for seeds. */
  public String text() {
    return provider + '/' + region + '/' + zone + '/' + instanceType + '/' + capacityType.text();
  }
}
