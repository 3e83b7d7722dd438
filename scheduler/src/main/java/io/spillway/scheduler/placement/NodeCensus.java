package io.spillway.scheduler.placement;

import io.spillway.scheduler.input.AgentInput.ReportedNode;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.Fabric;
import io.spillway.scheduler.model.NodeShape;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What one cluster's reported nodes say of its capacity: how many of each kind, and their shape.
 * Equal censuses give equal catalogues, so that nodes which come and go without changing a count
 * that matters do not cost a new one.
 *
 * @param kinds by zone, instance type and capacity type
 * @param shapes by instance type
 */
public record NodeCensus(SortedMap<Kind, Count> kinds, SortedMap<String, NodeShape> shapes) {
  /** A cluster whose agent reported nothing yet. */
  public static final NodeCensus NONE =
      new NodeCensus(Collections.emptySortedMap(), Collections.emptySortedMap());

  /** Nodes that are alike for placement. */
  public record Kind(String zone, String instanceType, CapacityType capacityType)
      implements Comparable<Kind> {
    private static final Comparator<Kind> ORDER =
        Comparator.comparing(Kind::zone)
            .thenComparing(Kind::instanceType)
            .thenComparing(Kind::capacityType);

    @Override
    public int compareTo(Kind other) {
      return ORDER.compare(this, other);
    }
  }

  /**
   * How many there are and how many of them take work.
   *
   * @param fabric the one that all of them share, if they do
   */
  public record Count(int nodes, int ready, Optional<Fabric> fabric) {}

  public NodeCensus {
    kinds = Collections.unmodifiableSortedMap(new TreeMap<>(kinds));
    shapes = Collections.unmodifiableSortedMap(new TreeMap<>(shapes));
  }

  /** Counts the nodes of one cluster; of two shapes of one instance type the smaller is taken. */
  public static NodeCensus of(Collection<ReportedNode> nodes) {
    if (nodes.isEmpty()) {
      return NONE;
    }
    SortedMap<Kind, Count> kinds = new TreeMap<>();
    SortedMap<String, NodeShape> shapes = new TreeMap<>();
    for (ReportedNode node : nodes) {
      Kind kind = new Kind(node.zone(), node.instanceType(), node.capacityType());
      Count one = new Count(1, node.ready() ? 1 : 0, node.fabric());
      kinds.merge(kind, one, NodeCensus::together);
      shapes.merge(node.instanceType(), node.shape(), NodeCensus::smaller);
    }
    return new NodeCensus(kinds, shapes);
  }

  /** Nodes in different fabrics share none: a gang that needs one could land astride. */
  private static Count together(Count one, Count other) {
    Optional<Fabric> fabric = one.fabric().equals(other.fabric()) ? one.fabric() : Optional.empty();
    return new Count(one.nodes() + other.nodes(), one.ready() + other.ready(), fabric);
  }

  private static NodeShape smaller(NodeShape one, NodeShape other) {
    Comparator<NodeShape> size =
        Comparator.comparingInt(NodeShape::gpus)
            .thenComparingInt(NodeShape::cpus)
            .thenComparingInt(NodeShape::memoryGiB)
            .thenComparing(NodeShape::gpu);
    return size.compare(one, other) <= 0 ? one : other;
  }
}
