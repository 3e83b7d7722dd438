package io.spillway.scheduler.state;

import io.spillway.scheduler.input.AgentInput.ReportedNode;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.NodeShape;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.model.QueueName;
import io.spillway.scheduler.policy.PoolPolicy;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** Puts the boards together for readers. Costs what is shown; no cycle calls it. */
final class Boards {
  private final State state;
  private final Tables tables;

  Boards(State state, Tables tables) {
    this.state = state;
    this.tables = tables;
  }

  List<OfferingStatus> offerings(Instant now) {
    NavigableSet<OfferingId> ids = new TreeSet<>(state.catalogue().specs().keySet());
    for (ClusterName cluster : state.inventory().clusters()) {
      state.inventory().nodes(cluster).values().stream()
          .filter(node -> !isNamed(cluster, node))
          .map(node -> unnamed(cluster, node))
          .forEach(ids::add);
    }
    return ids.stream().map(id -> offering(id, now)).toList();
  }

  private OfferingStatus offering(OfferingId id, Instant now) {
    Optional<OfferingSpec> spec = state.catalogue().spec(id);
    Optional<MarketKey> key = state.catalogue().key(id);
    Optional<NodeShape> shape = state.shape(id);
    return new OfferingStatus(
        id,
        key,
        spec.isPresent(),
        shape,
        key.flatMap(state::observation),
        key.flatMap(state::oddPrice),
        key.flatMap(k -> state.block(k, now)),
        state.launchLimit(id),
        state.usage().inFlight(id),
        spec.map(OfferingSpec::maxNodes).orElse(0),
        readyNodes(id),
        usedNodes(id, shape),
        now);
  }

  private int usedNodes(OfferingId id, Optional<NodeShape> shape) {
    return state.usage().nodes(id, shape.map(NodeShape::gpus).orElse(1));
  }

  private int readyNodes(OfferingId id) {
    return (int)
        state.inventory().nodes(id.cluster()).values().stream()
            .filter(ReportedNode::ready)
            .filter(node -> isMadeOf(id, node))
            .count();
  }

  private static boolean isMadeOf(OfferingId id, ReportedNode node) {
    return node.zone().equals(id.zone())
        && node.instanceType().equals(id.instanceType())
        && node.capacityType() == id.capacityType();
  }

  private boolean isNamed(ClusterName cluster, ReportedNode node) {
    return state.catalogue().specs().keySet().stream()
        .anyMatch(id -> id.cluster().equals(cluster) && isMadeOf(id, node));
  }

  private static OfferingId unnamed(ClusterName cluster, ReportedNode node) {
    return new OfferingId(
        cluster, node.zone(), node.instanceType(), node.capacityType(), Optional.empty());
  }

  List<Observation> unlaunchable() {
    return tables.observations.values().stream()
        .filter(seen -> state.catalogue().startableFrom(seen.key()).isEmpty())
        .sorted(Comparator.comparing(Observation::key))
        .toList();
  }

  List<PoolStatus> pools() {
    return state.catalogue().specs().values().stream()
        .flatMap(spec -> spec.pool().map(pool -> pool(spec, pool)).stream())
        .toList();
  }

  private PoolStatus pool(OfferingSpec spec, PoolPolicy pool) {
    return new PoolStatus(
        pool,
        spec.id(),
        state.poolCordoned(pool.name()),
        readyNodes(spec.id()),
        usedNodes(spec.id(), state.shape(spec.id())));
  }

  List<ClusterStatus> clusters() {
    NavigableSet<ClusterName> names = new TreeSet<>(state.policies().clusters().keySet());
    names.addAll(tables.clusters.keys());
    return names.stream()
        .map(
            name ->
                new ClusterStatus(
                    state.cluster(name),
                    Optional.ofNullable(state.policies().clusters().get(name)),
                    state.inventory().nodes(name).size(),
                    state.usage().on(name).size()))
        .toList();
  }

  List<NodeStatus> nodes() {
    return tables.nodes.values().stream()
        .sorted(Comparator.comparing(Memo.Node::cluster).thenComparing(n -> n.node().name()))
        .map(
            n ->
                new NodeStatus(
                    n.cluster(),
                    n.node(),
                    List.copyOf(state.usage().onInstance(n.node().providerId()))))
        .toList();
  }

  List<QueueStatus> queues() {
    NavigableSet<QueueName> names = new TreeSet<>(state.policies().queues().keySet());
    names.addAll(state.waiting().queues());
    Map<QueueName, Instant> oldest = oldest();
    return names.stream()
        .map(
            name ->
                new QueueStatus(
                    name,
                    state.policies().queues().containsKey(name),
                    state.queuePaused(name),
                    state.waiting().counts(name),
                    Optional.ofNullable(oldest.get(name))))
        .toList();
  }

  private Map<QueueName, Instant> oldest() {
    Map<QueueName, Instant> oldest = new TreeMap<>();
    for (Waiting.WaitingClass waiting : state.waiting().classes()) {
      oldest.merge(
          waiting.shapeClass().queue(),
          waiting.jobs().first().submittedAt(),
          (a, b) -> a.isBefore(b) ? a : b);
    }
    return oldest;
  }
}
