package io.spillway.scheduler.state;

import io.spillway.scheduler.input.AgentInput.ReportedNode;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.NodeShape;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.model.QueueName;
import io.spillway.scheduler.policy.PoolPolicy;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
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
    Map<Kind, Integer> ready = ready();
    Set<Kind> made = new HashSet<>(ready.keySet());
    NavigableSet<OfferingId> ids = new TreeSet<>(state.catalogue().specs().keySet());
    ids.forEach(id -> made.remove(Kind.of(id)));
    made.forEach(kind -> ids.add(kind.unnamed()));
    return ids.stream().map(id -> offering(id, ready, now)).toList();
  }

  private OfferingStatus offering(OfferingId id, Map<Kind, Integer> ready, Instant now) {
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
        ready.getOrDefault(Kind.of(id), 0),
        usedNodes(id, shape),
        now);
  }

  private int usedNodes(OfferingId id, Optional<NodeShape> shape) {
    return state.usage().nodes(id, shape.map(NodeShape::gpus).orElse(1));
  }

  /** What nodes are alike by, whoever names them. */
  private record Kind(
      ClusterName cluster, String zone, String instanceType, CapacityType capacityType) {
    static Kind of(OfferingId id) {
      return new Kind(id.cluster(), id.zone(), id.instanceType(), id.capacityType());
    }

    OfferingId unnamed() {
      return new OfferingId(cluster, zone, instanceType, capacityType, Optional.empty());
    }
  }

  /** Ready nodes by kind; 0 where all that were reported are not. One pass over all nodes. */
  private Map<Kind, Integer> ready() {
    Map<Kind, Integer> ready = new HashMap<>();
    for (Memo.Node reported : tables.nodes.values()) {
      ReportedNode node = reported.node();
      ready.merge(
          new Kind(reported.cluster(), node.zone(), node.instanceType(), node.capacityType()),
          node.ready() ? 1 : 0,
          Integer::sum);
    }
    return ready;
  }

  List<Observation> unlaunchable() {
    return tables.observations.values().stream()
        .filter(seen -> state.catalogue().startableFrom(seen.key()).isEmpty())
        .sorted(Comparator.comparing(Observation::key))
        .toList();
  }

  List<PoolStatus> pools() {
    Map<Kind, Integer> ready = ready();
    return state.catalogue().specs().values().stream()
        .flatMap(spec -> spec.pool().map(pool -> pool(spec, pool, ready)).stream())
        .toList();
  }

  private PoolStatus pool(OfferingSpec spec, PoolPolicy pool, Map<Kind, Integer> ready) {
    return new PoolStatus(
        pool,
        spec.id(),
        state.poolCordoned(pool.name()),
        ready.getOrDefault(Kind.of(spec.id()), 0),
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
