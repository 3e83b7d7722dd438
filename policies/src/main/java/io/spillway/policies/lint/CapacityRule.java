package io.spillway.policies.lint;

import io.spillway.policies.finding.FindingCode;
import io.spillway.policies.read.DeclaredSet;
import io.spillway.policies.read.Report;
import io.spillway.policies.source.Tree;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.policy.ClusterPolicy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What clusters say that they can start. */
final class CapacityRule implements Rule {

  @Override
  public void check(DeclaredSet set, Report report) {
    for (DeclaredSet.Cluster cluster : set.clusters()) {
      overlaps(cluster, report);
      zones(cluster, report);
      Tree spec = cluster.document().tree().nearest("spec");
      boolean pools =
          set.pools().stream()
              .anyMatch(pool -> pool.policy().cluster().equals(cluster.policy().name()));
      if (cluster.policy().capacity().isEmpty() && !pools) {
        report.about(
            cluster.document(),
            FindingCode.CLUSTER_WITHOUT_CAPACITY,
            "neither capacity nor a pool: only nodes that its agent reports can be used");
      }
      if (!cluster.policy().namespace().contains("{queue}")) {
        report.at(
            spec.nearest("namespace"),
            FindingCode.SHARED_NAMESPACE,
            "all queues share this namespace, with its secrets; '{queue}' keeps them apart");
      }
    }
    if (set.queues().isEmpty() && !set.clusters().isEmpty()) {
      report.about(
          set.clusters().getFirst().document(),
          FindingCode.NO_QUEUES,
          "the set has no Queue, so nothing can be submitted");
    }
  }

  private static void overlaps(DeclaredSet.Cluster cluster, Report report) {
    Map<List<Object>, Integer> seen = new HashMap<>();
    List<ClusterPolicy.Capacity> entries = cluster.policy().capacity();
    for (int i = 0; i < entries.size(); i++) {
      ClusterPolicy.Capacity entry = entries.get(i);
      for (String zone : entry.zones()) {
        for (CapacityType type : entry.capacityTypes()) {
          Integer first = seen.putIfAbsent(List.of(entry.instanceType(), zone, type), i);
          if (first != null && first != i) {
            report.at(
                cluster.document().tree().nearest("spec", "capacity", i),
                FindingCode.OVERLAPPING_CAPACITY,
                "%s, %s in %s stands in entry %d too: which maxNodes would hold?"
                    .formatted(entry.instanceType(), type.text(), zone, first + 1));
          }
        }
      }
    }
  }

  private static void zones(DeclaredSet.Cluster cluster, Report report) {
    ClusterPolicy policy = cluster.policy();
    for (int i = 0; i < policy.capacity().size(); i++) {
      Tree entry = cluster.document().tree().nearest("spec", "capacity", i);
      List<String> zones = policy.capacity().get(i).zones();
      for (int z = 0; z < zones.size(); z++) {
        Tree at = entry.nearest("zones", z);
        Zones.doubt(policy.provider(), policy.region(), zones.get(z))
            .ifPresent(doubt -> report.at(at, FindingCode.ZONE_NOT_IN_REGION, doubt));
      }
    }
  }
}
