package io.spillway.capacity.coreweave;

import io.spillway.scheduler.market.Observation.Availability;
import io.spillway.scheduler.model.CapacityType;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a pool offers. A node that is wholly idle is there; so is what a pool may grow by, as far as
 * the vendor's conditions say. Where nothing is idle and the pool cannot grow, there is none; where
 * only a part of a node is idle, or nodes are on their way, nobody can say.
 *
 * @param nodes of the pool; empty when they could not be read
 * @param heldByNode GPUs that pods hold; empty when nobody asked or pods could not be read
 */
record PoolMarket(
    NodePool pool, Optional<List<PoolNode>> nodes, Optional<Map<String, Integer>> heldByNode) {

  /** The way to buy; empty when that cannot be told without the nodes. */
  Optional<CapacityType> capacityType() {
    if (pool.spot()) {
      return Optional.of(CapacityType.SPOT);
    }
    return nodes.map(
        all ->
            all.stream().anyMatch(PoolNode::reserved)
                ? CapacityType.RESERVED
                : CapacityType.ON_DEMAND);
  }

  /** Whether pods must be asked: the pool cannot grow, and one of its nodes may be idle. */
  boolean asksForPods() {
    return !grows() && nodes.map(all -> all.stream().anyMatch(PoolNode::usable)).orElse(false);
  }

  private boolean grows() {
    return pool.elastic() && pool.refusal().isEmpty();
  }

  Availability availability() {
    if (grows()) {
      return Availability.AVAILABLE;
    }
    if (nodes.isEmpty()) {
      return pool.current() == 0 && !pool.growing()
          ? Availability.UNAVAILABLE
          : Availability.UNKNOWN;
    }
    List<PoolNode> usable = nodes.get().stream().filter(PoolNode::usable).toList();
    if (usable.isEmpty()) {
      return arriving() ? Availability.UNKNOWN : Availability.UNAVAILABLE;
    }
    return heldByNode.map(held -> idle(usable, held)).orElse(Availability.UNKNOWN);
  }

  private Availability idle(List<PoolNode> usable, Map<String, Integer> held) {
    boolean someFree = false;
    for (PoolNode node : usable) {
      int taken = held.getOrDefault(node.name(), 0);
      if (taken == 0 && node.gpus() > 0) {
        return Availability.AVAILABLE;
      }
      someFree |= taken < node.gpus();
    }
    return someFree || arriving() ? Availability.UNKNOWN : Availability.UNAVAILABLE;
  }

  /** Nodes are on their way, and the vendor does not say that they will not come. */
  private boolean arriving() {
    return pool.growing() && pool.refusal().isEmpty();
  }
}
