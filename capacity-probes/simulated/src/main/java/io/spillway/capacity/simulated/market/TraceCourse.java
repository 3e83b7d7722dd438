package io.spillway.capacity.simulated.market;

import io.spillway.scheduler.model.UsdPerGpuHour;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;

/** A recorded course; a gap in the record carries the last value forward. */
final class TraceCourse implements Course {
  private final Instant opened;
  private final Traces.Zone zone;
  private final Duration length;

  TraceCourse(Instant opened, Traces.Zone zone) {
    this.opened = opened;
    this.zone = zone;
    this.length = Duration.between(zone.ticks().getFirst(), zone.ticks().getLast());
  }

  @Override
  public int nodes(Instant at) {
    return zone.nodes().get(tick(at));
  }

  @Override
  public UsdPerGpuHour price(Instant at) {
    return zone.spot().get(Math.min(tick(at), zone.spot().size() - 1));
  }

  private int tick(Instant at) {
    long since = Math.max(0, Duration.between(opened, at).toMillis());
    long within = length.isZero() ? 0 : since % length.toMillis();
    int found = Collections.binarySearch(zone.ticks(), zone.ticks().getFirst().plusMillis(within));
    return found >= 0 ? found : -found - 2;
  }
}
