package io.spillway.scheduler.placement;

import io.spillway.scheduler.plan.RefusalReason;
import io.spillway.scheduler.policy.ClusterPolicy;
import io.spillway.scheduler.policy.Rung;
import java.util.Optional;

/** Whether a rung of the ladder names an offering; its price limit is another filter's. */
public final class RungFilter {
  private RungFilter() {}

  /** The first reason against it, or empty. */
  public static Optional<RefusalReason> verdict(
      Offering offering, ClusterPolicy cluster, Rung rung) {
    if (!rung.capacityTypes().isEmpty()
        && !rung.capacityTypes().contains(offering.id().capacityType())) {
      return Optional.of(RefusalReason.RUNG_CAPACITY_TYPE);
    }
    if (!rung.providers().isEmpty() && !rung.providers().contains(cluster.provider())) {
      return Optional.of(RefusalReason.RUNG_PROVIDER);
    }
    if (!rung.regions().isEmpty() && !rung.regions().contains(cluster.region())) {
      return Optional.of(RefusalReason.RUNG_REGION);
    }
    if (!rung.clusters().isEmpty() && !rung.clusters().contains(cluster.name())) {
      return Optional.of(RefusalReason.RUNG_CLUSTER);
    }
    if (!rung.pools().isEmpty()
        && !offering.id().pool().map(rung.pools()::contains).orElse(false)) {
      return Optional.of(RefusalReason.RUNG_POOL);
    }
    return Optional.empty();
  }
}
