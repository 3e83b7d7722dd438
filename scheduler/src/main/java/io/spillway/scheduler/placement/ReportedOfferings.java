package io.spillway.scheduler.placement;

import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.policy.ClusterPolicy;
import io.spillway.scheduler.policy.PolicySet;
import io.spillway.scheduler.state.Catalogue;
import io.spillway.scheduler.state.OfferingSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Offerings that are nothing but nodes which an agent reported: they belong to no capacity entry
 * and no pool, are as many as they are, and no more can be started.
 */
final class ReportedOfferings {
  private final PolicySet policies;
  private final Catalogue catalogue;
  private final Map<ClusterName, NodeCensus> nodes;

  ReportedOfferings(PolicySet policies, Catalogue catalogue, Map<ClusterName, NodeCensus> nodes) {
    this.policies = policies;
    this.catalogue = catalogue;
    this.nodes = nodes;
  }

  List<OfferingSpec> specs() {
    Set<Place> pooled = new HashSet<>();
    policies
        .pools()
        .values()
        .forEach(pool -> pooled.add(new Place(pool.cluster(), PoolNodes.kind(pool))));
    List<OfferingSpec> specs = new ArrayList<>();
    for (ClusterPolicy cluster : policies.clusters().values()) {
      NodeCensus census = nodes.getOrDefault(cluster.name(), NodeCensus.NONE);
      census
          .kinds()
          .forEach(
              (kind, count) -> {
                if (!pooled.contains(new Place(cluster.name(), kind))) {
                  specs.add(spec(cluster, kind, count));
                }
              });
    }
    specs.removeIf(spec -> catalogue.spec(spec.id()).isPresent());
    return specs;
  }

  private static OfferingSpec spec(
      ClusterPolicy cluster, NodeCensus.Kind kind, NodeCensus.Count count) {
    OfferingId id =
        new OfferingId(
            cluster.name(),
            kind.zone(),
            kind.instanceType(),
            kind.capacityType(),
            Optional.empty());
    MarketKey key =
        new MarketKey(
            cluster.provider(),
            cluster.account(),
            cluster.region(),
            kind.zone(),
            kind.instanceType(),
            kind.capacityType(),
            Optional.empty());
    return new OfferingSpec(
        id,
        key,
        "nodes " + id,
        count.nodes(),
        Catalogue.DEFAULT_LAUNCH_DEADLINE,
        count.fabric(),
        Optional.empty());
  }

  private record Place(ClusterName cluster, NodeCensus.Kind kind) {}
}
