package io.spillway.server.policy;

import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.PoolName;
import io.spillway.scheduler.policy.ClusterPolicy;
import io.spillway.scheduler.policy.PolicySet;
import io.spillway.scheduler.policy.PoolPolicy;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BinaryOperator;

/**
 * Zones of a policy set as their providers' nodes and observations carry them, so that what a
 * person wrote as {@code eu-frankfurt-1-ad-1} is joined with what is called {@code
 * EU-FRANKFURT-1-AD-1}. Done before the set goes to the scheduler, whose joins are exact.
 */
final class ZoneSpelling {
  private final BinaryOperator<String> zoneOf;

  /**
   * @param zoneOf of a provider and a zone as written: the zone as the provider spells it
   */
  ZoneSpelling(BinaryOperator<String> zoneOf) {
    this.zoneOf = zoneOf;
  }

  PolicySet of(PolicySet written) {
    Map<ClusterName, ClusterPolicy> clusters = new TreeMap<>();
    written.clusters().forEach((name, cluster) -> clusters.put(name, of(cluster)));
    Map<PoolName, PoolPolicy> pools = new TreeMap<>();
    written
        .pools()
        .forEach(
            (name, pool) -> {
              ClusterPolicy cluster = clusters.get(pool.cluster());
              pools.put(name, cluster == null ? pool : of(pool, cluster.provider()));
            });
    return new PolicySet(
        written.version(),
        written.queues(),
        written.priorityClasses(),
        clusters,
        pools,
        written.priceOverrides());
  }

  private ClusterPolicy of(ClusterPolicy cluster) {
    return new ClusterPolicy(
        cluster.name(),
        cluster.provider(),
        cluster.account(),
        cluster.region(),
        cluster.namespace(),
        cluster.lostAfter(),
        cluster.capacity().stream().map(entry -> of(entry, cluster.provider())).toList(),
        cluster.access());
  }

  private ClusterPolicy.Capacity of(ClusterPolicy.Capacity entry, String provider) {
    return new ClusterPolicy.Capacity(
        entry.instanceType(),
        entry.capacityTypes(),
        entry.zones().stream().map(zone -> zoneOf.apply(provider, zone)).distinct().toList(),
        entry.maxNodes(),
        entry.launchDeadline(),
        entry.fabric());
  }

  private PoolPolicy of(PoolPolicy pool, String provider) {
    return new PoolPolicy(
        pool.name(),
        pool.cluster(),
        pool.instanceType(),
        zoneOf.apply(provider, pool.zone()),
        pool.capacityType(),
        pool.reservationId(),
        pool.nodes(),
        pool.owners(),
        pool.from(),
        pool.until(),
        pool.pricePerNodeHour(),
        pool.accounting(),
        pool.launchDeadline(),
        pool.fabric());
  }
}
