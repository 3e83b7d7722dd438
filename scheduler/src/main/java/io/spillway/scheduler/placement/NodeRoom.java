package io.spillway.scheduler.placement;

import io.spillway.scheduler.model.JobShape;
import io.spillway.scheduler.model.NodeShape;
import java.util.Map;

/**
 * How many nodes members take. Members with equal GPU counts share nodes, others do not: of nodes
 * with G GPUs, members with g each take ceil(members / floor(G / g)). That is never less than a
 * cluster needs, whatever it packs where, so a gang that fits by this count fits.
 */
public final class NodeRoom {
  private NodeRoom() {}

  /**
   * @param members by GPUs per node
   */
  public static int used(NodeShape node, Map<Integer, Integer> members) {
    int nodes = 0;
    for (Map.Entry<Integer, Integer> alike : members.entrySet()) {
      nodes += nodes(node, alike.getKey(), alike.getValue());
    }
    return nodes;
  }

  /** Nodes that the gang takes beyond those already used there. */
  public static int more(NodeShape node, Map<Integer, Integer> members, JobShape gang) {
    int alike = members.getOrDefault(gang.gpusPerNode(), 0);
    return nodes(node, gang.gpusPerNode(), alike + gang.nodes())
        - nodes(node, gang.gpusPerNode(), alike);
  }

  /** Nodes that so many members with so many GPUs take; one each if a node is too small. */
  public static int nodes(NodeShape node, int gpusPerNode, int members) {
    int perNode = Math.max(1, node.gpus() / gpusPerNode);
    return Math.ceilDiv(members, perNode);
  }
}
