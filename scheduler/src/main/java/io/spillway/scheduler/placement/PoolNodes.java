package io.spillway.scheduler.placement;

import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.policy.PolicySet;
import io.spillway.scheduler.policy.PoolPolicy;
import java.util.Map;
import java.util.Optional;

/** How many nodes of each pool are ready by the agents' word. */
final class PoolNodes {
  private final PolicySet policies;
  private final Map<ClusterName, NodeCensus> nodes;

  PoolNodes(PolicySet policies, Map<ClusterName, NodeCensus> nodes) {
    this.policies = policies;
    this.nodes = nodes;
  }

  /**
   * The pool's ready nodes, at most its own number; empty until its agent reported any of the kind.
   * Pools of alike nodes in one cluster share the ready ones in the order of their names.
   */
  Optional<Integer> ready(PoolPolicy pool) {
    int before =
        policies.pools().values().stream()
            .filter(other -> other.name().compareTo(pool.name()) < 0)
            .filter(other -> other.cluster().equals(pool.cluster()))
            .filter(other -> kind(other).equals(kind(pool)))
            .mapToInt(PoolPolicy::nodes)
            .sum();
    return count(pool.cluster(), kind(pool))
        .map(count -> Math.clamp(count.ready() - (long) before, 0, pool.nodes()));
  }

  /** What was reported of the offering's kind. */
  Optional<NodeCensus.Count> count(OfferingId id) {
    return count(
        id.cluster(), new NodeCensus.Kind(id.zone(), id.instanceType(), id.capacityType()));
  }

  /** The kind of node that a pool consists of. */
  static NodeCensus.Kind kind(PoolPolicy pool) {
    return new NodeCensus.Kind(pool.zone(), pool.instanceType(), pool.capacityType());
  }

  private Optional<NodeCensus.Count> count(ClusterName cluster, NodeCensus.Kind kind) {
    return Optional.ofNullable(nodes.getOrDefault(cluster, NodeCensus.NONE).kinds().get(kind));
  }
}
