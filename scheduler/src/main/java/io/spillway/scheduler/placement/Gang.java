package io.spillway.scheduler.placement;

import io.spillway.scheduler.lifecycle.Standing;
import io.spillway.scheduler.model.JobShape;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.model.UsdPerGpuHour;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What of a job the filters look at: its shape, the user's price limit and the offerings that it
 * stays away from.
 *
 * @param excluded until when, by offering
 */
public record Gang(JobShape shape, Map<OfferingId, Instant> excluded) {

  public Gang {
    excluded = Map.copyOf(excluded);
  }

  public static Gang of(JobShape shape, List<Standing.Exclusion> exclusions) {
    Map<OfferingId, Instant> excluded = new HashMap<>();
    for (Standing.Exclusion exclusion : exclusions) {
      excluded.merge(exclusion.offering(), exclusion.until(), (a, b) -> a.isAfter(b) ? a : b);
    }
    return new Gang(shape, excluded);
  }

  /** Until when it stays away from the offering, if it does now. */
  public Optional<Instant> awayFrom(OfferingId offering, Instant now) {
    return Optional.ofNullable(excluded.get(offering)).filter(now::isBefore);
  }

  Optional<UsdPerGpuHour> maxPrice() {
    return shape.constraints().maxPricePerGpuHour();
  }
}
