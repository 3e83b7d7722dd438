package io.spillway.scheduler.placement;

import io.spillway.scheduler.lifecycle.Standing.Exclusion;
import io.spillway.scheduler.model.JobShape;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.model.UsdPerGpuHour;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BinaryOperator;

/**
 * What of a job the filters look at: its shape, the user's price limit and the offerings that it
 * stays away from.
 *
 * @param excluded by offering
 */
public record Gang(JobShape shape, Map<OfferingId, Exclusion> excluded) {

  public Gang {
    excluded = Map.copyOf(excluded);
  }

  /**
   * @param exclusions those whose grounds hold; of two for one offering the longer counts
   */
  public static Gang of(JobShape shape, List<Exclusion> exclusions) {
    Map<OfferingId, Exclusion> excluded = new HashMap<>();
    for (Exclusion exclusion : exclusions) {
      excluded.merge(
          exclusion.offering(),
          exclusion,
          BinaryOperator.maxBy(Comparator.comparing(Exclusion::until)));
    }
    return new Gang(shape, excluded);
  }

  /** Why and until when it stays away from the offering, if it does now. */
  public Optional<Exclusion> awayFrom(OfferingId offering, Instant now) {
    return Optional.ofNullable(excluded.get(offering))
        .filter(exclusion -> now.isBefore(exclusion.until()));
  }

  Optional<UsdPerGpuHour> maxPrice() {
    return shape.constraints().maxPricePerGpuHour();
  }
}
