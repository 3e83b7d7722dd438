package io.spillway.policies.lint;

import io.spillway.policies.read.DeclaredSet;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.PoolName;
import io.spillway.scheduler.policy.ClusterPolicy;
import io.spillway.scheduler.policy.PoolPolicy;
import io.spillway.scheduler.policy.PoolPolicy.Accounting;
import io.spillway.scheduler.policy.Rung;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One offering that the set declares, before any price. */
record Startable(
    ClusterPolicy at,
    String zone,
    String instanceType,
    CapacityType capacityType,
    Optional<PoolPolicy> pool) {

  static List<Startable> of(DeclaredSet set) {
    List<Startable> all = new ArrayList<>();
    for (DeclaredSet.Cluster cluster : set.clusters()) {
      for (ClusterPolicy.Capacity entry : cluster.policy().capacity()) {
        for (String zone : entry.zones()) {
          for (CapacityType type : entry.capacityTypes()) {
            all.add(
                new Startable(
                    cluster.policy(), zone, entry.instanceType(), type, Optional.empty()));
          }
        }
      }
    }
    for (DeclaredSet.Pool pool : set.pools()) {
      set.cluster(pool.policy())
          .ifPresent(
              cluster ->
                  all.add(
                      new Startable(
                          cluster.policy(),
                          pool.policy().zone(),
                          pool.policy().instanceType(),
                          pool.policy().capacityType(),
                          Optional.of(pool.policy()))));
    }
    return List.copyOf(all);
  }

  ClusterName cluster() {
    return at.name();
  }

  Optional<PoolName> poolName() {
    return pool.map(PoolPolicy::name);
  }

  /** Whether running there costs extra money. */
  boolean paid() {
    return pool.map(PoolPolicy::accounting).orElse(Accounting.METERED) == Accounting.METERED;
  }

  /** Whether the rung's names allow it; its price is not looked at. */
  boolean allowedBy(Rung rung) {
    return allows(rung.capacityTypes(), capacityType)
        && allows(rung.providers(), at.provider())
        && allows(rung.regions(), at.region())
        && allows(rung.clusters(), cluster())
        && (rung.pools().isEmpty() || poolName().filter(rung.pools()::contains).isPresent());
  }

  private static <T> boolean allows(List<T> named, T value) {
    return named.isEmpty() || named.contains(value);
  }
}
