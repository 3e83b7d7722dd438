package io.spillway.scheduler.lifecycle;

import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.model.Usd;
import io.spillway.scheduler.model.UsdPerGpuHour;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One try of a job on one offering.
 *
 * @param epoch leader epoch of the commit that intended it; a stop carries at least this
 * @param unreachable its cluster is cut off; it runs on and is charged on
 * @param instances provider ids of the nodes it runs on, as the agent reported them
 * @param runningSince first instant at which all members ran
 */
public record Attempt(
    AttemptId id,
    Placement placement,
    AttemptState state,
    long epoch,
    boolean unreachable,
    List<String> instances,
    Optional<Instant> runningSince) {

  public Attempt {
    instances = List.copyOf(instances);
  }

  public Attempt in(AttemptState next) {
    return new Attempt(id, placement, next, epoch, unreachable, instances, runningSince);
  }

  public Attempt withUnreachable(boolean flag) {
    return new Attempt(id, placement, state, epoch, flag, instances, runningSince);
  }

  public Attempt on(List<String> nodes) {
    return new Attempt(id, placement, state, epoch, unreachable, nodes, runningSince);
  }

  public Attempt ranFrom(Instant at) {
    return new Attempt(
        id, placement, state, epoch, unreachable, instances, Optional.of(runningSince.orElse(at)));
  }

  /** Time in which all members ran, up to its end or {@code now}. */
  public Duration ran(Instant now) {
    Instant end = state instanceof AttemptState.Ended ended ? ended.at() : now;
    return runningSince
        .map(since -> Duration.between(since, end))
        .filter(time -> !time.isNegative())
        .orElse(Duration.ZERO);
  }

  /** What it cost up to its end or {@code now}, at the price fixed at placement. */
  public Usd cost(Instant now) {
    return placement.price().cost(placement.totalGpus(), ran(now));
  }

  /** What the same time would have cost on demand. */
  public Usd onDemandEquivalent(Instant now) {
    return placement.onDemandPrice().cost(placement.totalGpus(), ran(now));
  }

  /**
   * Where, on which rung and at which price it was placed.
   *
   * @param rung index into the ladder, from 0
   * @param rungName its name then, for people and metrics
   * @param price fixed at placement; zero on a sunk pool
   * @param onDemandPrice the on-demand price of the same machine, else {@code price}
   * @param nodes the gang's nodes
   * @param gpusPerNode GPUs on each
   */
  public record Placement(
      OfferingId offering,
      int rung,
      String rungName,
      UsdPerGpuHour price,
      UsdPerGpuHour onDemandPrice,
      int nodes,
      int gpusPerNode) {
    public int totalGpus() {
      return nodes * gpusPerNode;
    }
  }
}
