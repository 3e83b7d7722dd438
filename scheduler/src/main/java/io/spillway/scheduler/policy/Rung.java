package io.spillway.scheduler.policy;

import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.PoolName;
import io.spillway.scheduler.model.UsdPerGpuHour;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One placement preference of a ladder. Empty lists allow everything; a rung that names pools
 * offers these pools only.
 *
 * @param until what opens the next rung; empty = the next rung is open in the same decision as soon
 *     as this one yields nothing
 */
public record Rung(
    String name,
    List<CapacityType> capacityTypes,
    List<String> providers,
    List<String> regions,
    List<ClusterName> clusters,
    List<PoolName> pools,
    Optional<UsdPerGpuHour> maxPricePerGpuHour,
    Optional<Until> until) {

  public Rung {
    capacityTypes = List.copyOf(capacityTypes);
    providers = List.copyOf(providers);
    regions = List.copyOf(regions);
    clusters = List.copyOf(clusters);
    pools = List.copyOf(pools);
  }

  /**
   * Any one of these opens the next rung.
   *
   * @param waited queued time on this rung since the job last became QUEUED
   * @param interruptions suffered on this rung over the job's life
   * @param refusals capacity refusals on this rung since the job last became QUEUED
   * @param exhausted no admissible offering on this rung for that long
   */
  public record Until(
      Optional<Duration> waited,
      OptionalInt interruptions,
      OptionalInt refusals,
      Optional<Duration> exhausted) {}
}
