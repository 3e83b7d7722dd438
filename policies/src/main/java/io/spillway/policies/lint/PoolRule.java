package io.spillway.policies.lint;

import io.spillway.policies.finding.FindingCode;
import io.spillway.policies.read.DeclaredSet;
import io.spillway.policies.read.Report;
import io.spillway.policies.source.Tree;
import io.spillway.scheduler.policy.ClusterPolicy;
import io.spillway.scheduler.policy.PoolPolicy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Pools, each by itself and against each other. */
final class PoolRule implements Rule {

  @Override
  public void check(DeclaredSet set, Report report) {
    Map<String, String> reservations = new HashMap<>();
    List<Startable> startables = Startable.of(set);
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
      boolean used =
          set.queues().stream()
              .flatMap(queue -> queue.policy().ladder().stream())
              .anyMatch(
                  rung ->
                      startables.stream()
                          .filter(
                              one ->
                                  one.poolName().filter(pool.policy().name()::equals).isPresent())
                          .anyMatch(one -> one.allowedBy(rung)));
      if (!used && !set.queues().isEmpty()) {
        report.about(
            pool.document(), FindingCode.POOL_UNUSED, "no rung of any queue leads to this pool");
      }
    }
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
