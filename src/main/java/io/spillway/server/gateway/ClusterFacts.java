package io.spillway.server.gateway;

import io.spillway.scheduler.event.ClusterEvent;
import io.spillway.scheduler.input.AgentInput.ReportedNode;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.model.NodeShape;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.model.PoolName;
import io.spillway.scheduler.policy.ClusterPolicy;
import io.spillway.scheduler.policy.PolicySet;
import io.spillway.scheduler.policy.PoolPolicy;
import io.spillway.scheduler.state.View;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * What streams need to know of the state, kept beside it: policies, RECOVERY, the head, and which
 * GPU an instance type has, and which nodes are not well. Written on the loop's thread with each
 * commit, read from any thread.
 */
final class ClusterFacts {
  private volatile Snapshot snapshot = new Snapshot(false, PolicySet.EMPTY, true, 0);
  private final Map<String, NodeShape> shapes = new ConcurrentHashMap<>();
  private final Map<ClusterName, SortedSet<String>> sick = new ConcurrentHashMap<>();

  /**
   * @param loaded whether a state is there at all
   * @param recovery nothing but sweeps is sent to agents
   * @param head the newest journal row this replica has seen
   */
  private record Snapshot(boolean loaded, PolicySet policies, boolean recovery, long head) {}

  void learn(View view, long head) {
    Snapshot before = snapshot;
    snapshot =
        new Snapshot(
            true,
            view.policies(),
            view.system().recovery().isPresent(),
            Math.max(head, before.head()));
  }

  void learn(View view, OfferingId offering) {
    if (!shapes.containsKey(offering.instanceType())) {
      view.shape(offering).ifPresent(shape -> shapes.put(offering.instanceType(), shape));
    }
  }

  /** All nodes of the cluster. */
  void learn(ClusterName cluster, Collection<ReportedNode> nodes) {
    sick.put(cluster, new TreeSet<>(sick(nodes)));
  }

  void learn(ClusterEvent.NodesChanged changed) {
    SortedSet<String> now = new TreeSet<>(changed.complete() ? Set.of() : sick(changed.cluster()));
    now.removeAll(changed.gone());
    changed.nodes().forEach(node -> now.remove(node.name()));
    now.addAll(sick(changed.nodes()));
    sick.put(changed.cluster(), now);
  }

  private static List<String> sick(Collection<ReportedNode> nodes) {
    return nodes.stream()
        .filter(node -> !node.healthSigns().isEmpty())
        .map(ReportedNode::name)
        .toList();
  }

  /** Names of nodes that show a sign of ill health, sorted: nothing new is to run on them. */
  List<String> sick(ClusterName cluster) {
    return List.copyOf(sick.getOrDefault(cluster, Collections.emptySortedSet()));
  }

  /** Whether this replica has a state; before that no agent is taken. */
  boolean loaded() {
    return snapshot.loaded();
  }

  /** Whether RECOVERY lasts, or nothing is known yet. */
  boolean recovery() {
    return snapshot.recovery();
  }

  long head() {
    return snapshot.head();
  }

  Optional<ClusterPolicy> policy(ClusterName cluster) {
    return Optional.ofNullable(snapshot.policies().clusters().get(cluster));
  }

  /**
   * A zone as the policies write it. Providers spell some names in one case in their API and in the
   * other on nodes ({@code EU-FRANKFURT-1-AD-1}); offerings and nodes are joined by the text.
   */
  String zone(ClusterName cluster, String reported) {
    PolicySet policies = snapshot.policies();
    Stream<String> startable =
        policy(cluster).stream()
            .flatMap(policy -> policy.capacity().stream())
            .flatMap(entry -> entry.zones().stream());
    Stream<String> pools =
        policies.pools().values().stream()
            .filter(pool -> pool.cluster().equals(cluster))
            .map(PoolPolicy::zone);
    return Stream.concat(startable, pools)
        .filter(reported::equalsIgnoreCase)
        .findFirst()
        .orElse(reported);
  }

  Optional<String> reservation(PoolName pool) {
    return Optional.ofNullable(snapshot.policies().pools().get(pool))
        .flatMap(PoolPolicy::reservationId);
  }

  PolicySet policies() {
    return snapshot.policies();
  }

  /** What a node of that type has, as far as anybody said. */
  Optional<NodeShape> shape(String instanceType) {
    return Optional.ofNullable(shapes.get(instanceType));
  }

  Optional<GpuModel> gpu(String instanceType) {
    return shape(instanceType).map(NodeShape::gpu);
  }
}
