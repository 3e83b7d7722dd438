package io.spillway.scheduler.state;

import io.spillway.scheduler.input.AgentInput.ReportedNode;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.NodeShape;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Index of reported nodes by cluster and by instance, and of node shapes by instance type. Derived;
 * never part of the digest.
 */
public final class Inventory {
  /** A cluster's node names are unique; the key of the table of nodes. */
  record NodeKey(ClusterName cluster, String name) implements Comparable<NodeKey> {
    @Override
    public int compareTo(NodeKey other) {
      int byCluster = cluster.compareTo(other.cluster);
      return byCluster != 0 ? byCluster : name.compareTo(other.name);
    }
  }

  private final Map<ClusterName, NavigableMap<String, ReportedNode>> byCluster = new TreeMap<>();
  private final Map<String, Memo.Node> byInstance = new HashMap<>();
  private final Map<String, NavigableMap<MarketKey, NodeShape>> observed = new HashMap<>();

  private final Map<String, Integer> reportedShapes = new HashMap<>();
  private long generation;
  private long shapesGeneration;

  Inventory() {}

  /** Rises with every change of a node or an observed shape, undone ones too; never falls. */
  public long generation() {
    return generation;
  }

  /**
   * Rises when the set of known shapes changes, by observation or by reported nodes; undone changes
   * count too; never falls.
   */
  long shapesGeneration() {
    return shapesGeneration;
  }

  /** Nodes of the cluster by name. A live read-only view. */
  public NavigableMap<String, ReportedNode> nodes(ClusterName cluster) {
    return Collections.unmodifiableNavigableMap(byCluster.getOrDefault(cluster, new TreeMap<>()));
  }

  /** Clusters that reported nodes. */
  public Collection<ClusterName> clusters() {
    return Collections.unmodifiableCollection(byCluster.keySet());
  }

  /** The node that is that instance, if an agent reported one. */
  public Optional<Memo.Node> byInstance(String providerId) {
    return Optional.ofNullable(byInstance.get(providerId));
  }

  /** What a node of that type has, by the agent's word. */
  Optional<NodeShape> reportedShape(ClusterName cluster, String instanceType) {
    return nodes(cluster).values().stream()
        .filter(node -> node.instanceType().equals(instanceType))
        .map(ReportedNode::shape)
        .findFirst();
  }

  /** What a node of that type has, by any observation of the provider. */
  Optional<NodeShape> observedShape(String provider, String instanceType) {
    return Optional.ofNullable(observed.get(type(provider, instanceType)))
        .map(shapes -> shapes.firstEntry().getValue());
  }

  void node(NodeKey key, Memo.Node before, Memo.Node after) {
    generation++;
    count(before, -1);
    count(after, 1);
    if (before != null) {
      NavigableMap<String, ReportedNode> nodes = byCluster.get(key.cluster());
      nodes.remove(key.name());
      if (nodes.isEmpty()) {
        byCluster.remove(key.cluster());
      }
      byInstance.remove(before.node().providerId(), before);
    }
    if (after != null) {
      byCluster.computeIfAbsent(key.cluster(), c -> new TreeMap<>()).put(key.name(), after.node());
      byInstance.put(after.node().providerId(), after);
    }
  }

  /** Counts nodes of one cluster, type and shape; the first and the last change what is known. */
  private void count(Memo.Node node, int change) {
    if (node == null) {
      return;
    }
    String kind = node.cluster() + "/" + node.node().instanceType() + "/" + node.node().shape();
    int alike = reportedShapes.merge(kind, change, Integer::sum);
    if (alike == 0) {
      reportedShapes.remove(kind);
    }
    if (alike == 0 || (alike == 1 && change == 1)) {
      shapesGeneration++;
    }
  }

  void observation(MarketKey key, Observation before, Observation after) {
    boolean same = before != null && after != null && before.shape().equals(after.shape());
    if (!same) {
      generation++;
      shapesGeneration++;
    }
    String type = type(key.provider(), key.instanceType());
    NavigableMap<MarketKey, NodeShape> shapes =
        observed.computeIfAbsent(type, t -> new TreeMap<>());
    if (after == null) {
      shapes.remove(key);
      if (shapes.isEmpty()) {
        observed.remove(type);
      }
    } else {
      shapes.put(key, after.shape());
    }
  }

  private static String type(String provider, String instanceType) {
    return provider + "/" + instanceType;
  }
}
