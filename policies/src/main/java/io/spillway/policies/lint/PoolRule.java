package io.spillway.policies.lint;

import io.spillway.policies.finding.FindingCode;
import io.spillway.policies.read.DeclaredSet;
import io.spillway.policies.read.Report;
import io.spillway.policies.source.Tree;
import io.spillway.scheduler.model.PoolName;
import io.spillway.scheduler.policy.ClusterPolicy;
import io.spillway.scheduler.policy.PoolPolicy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Pools, each by itself and against each other. */
final class PoolRule implements Rule {

  @Override
  public void check(DeclaredSet set, Report report) {
    Map<String, String> reservations = new HashMap<>();
    Set<PoolName> used = used(set);
    for (DeclaredSet.Pool pool : set.pools()) {
      Tree spec = pool.document().tree().nearest("spec");
      owners(pool.policy(), spec, report);
      times(pool.policy(), spec, report);
      set.cluster(pool.policy())
          .ifPresent(cluster -> zone(cluster.policy(), pool.policy(), spec, report));
      pool.policy()
          .reservationId()
          .map(id -> reservations.putIfAbsent(id, pool.document().name()))
          .ifPresent(
              first ->
                  report.at(
                      spec.nearest("reservationId"),
                      FindingCode.SAME_RESERVATION,
                      "pool '" + first + "' is this reservation too: its nodes count twice"));
      if (!used.contains(pool.policy().name()) && !set.queues().isEmpty()) {
        report.about(
            pool.document(), FindingCode.POOL_UNUSED, "no rung of any queue leads to this pool");
      }
    }
  }

  private static Set<PoolName> used(DeclaredSet set) {
    List<Startable> pooled =
        Startable.of(set).stream().filter(one -> one.pool().isPresent()).toList();
    return set.queues().stream()
        .flatMap(queue -> queue.policy().ladder().stream())
        .flatMap(rung -> pooled.stream().filter(one -> one.allowedBy(rung)))
        .flatMap(one -> one.poolName().stream())
        .collect(Collectors.toSet());
  }

  private static void owners(PoolPolicy pool, Tree spec, Report report) {
    long owned = pool.owners().values().stream().mapToLong(Integer::longValue).sum();
    if (owned > pool.nodes()) {
      report.at(
          spec.nearest("owners"),
          FindingCode.OWNERS_EXCEED_NODES,
          "owners have " + owned + " nodes, the pool has " + pool.nodes());
    }
  }

  private static void times(PoolPolicy pool, Tree spec, Report report) {
    if (pool.from().isPresent()
        && pool.until().isPresent()
        && !pool.from().get().isBefore(pool.until().get())) {
      report.at(
          spec.nearest("until"),
          FindingCode.POOL_ENDS_BEFORE_IT_STARTS,
          "until is not after from: the pool never exists");
    }
  }

  private static void zone(ClusterPolicy cluster, PoolPolicy pool, Tree spec, Report report) {
    Zones.doubt(cluster.provider(), cluster.region(), pool.zone())
        .ifPresent(
            doubt ->
                report.at(
                    spec.nearest("zone"),
                    FindingCode.ZONE_NOT_IN_REGION,
                    doubt + " (cluster '" + cluster.name() + "')"));
  }
}
