package io.spillway.capacity.simulated.agent;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** The nodes of a cluster and who has a place on them. Only from the timeline. */
final class NodeBook {
  private final Map<String, Node> byInstance = new LinkedHashMap<>();

  void add(Node node) {
    byInstance.put(node.instance.id(), node);
  }

  void remove(Node node) {
    byInstance.remove(node.instance.id());
  }

  Optional<Node> find(String instanceId) {
    return Optional.ofNullable(byInstance.get(instanceId));
  }

  Collection<Node> all() {
    return List.copyOf(byInstance.values());
  }

  /**
   * Places as many members as fit, fullest nodes first, so that whole nodes stay free for gangs.
   */
  void claim(Workload workload) {
    Order order = workload.order;
    List<Node> candidates = new ArrayList<>();
    for (Node node : byInstance.values()) {
      if (node.room(order.gpusPerNode()) > 0 && fits(node, order)) {
        candidates.add(node);
      }
    }
    candidates.sort(Comparator.comparingInt(Node::free));
    for (Node node : candidates) {
      while (workload.missing() > 0 && node.room(order.gpusPerNode()) > 0) {
        node.claim(order.gpusPerNode());
        workload.members().add(node);
      }
    }
  }

  /** All members or none. */
  boolean claimWhole(Workload workload) {
    int room = 0;
    for (Node node : byInstance.values()) {
      if (fits(node, workload.order)) {
        room += node.room(workload.order.gpusPerNode());
      }
    }
    if (room < workload.missing()) {
      return false;
    }
    claim(workload);
    return true;
  }

  /** Puts a restored workload on its node again. */
  void put(Workload workload, Node node) {
    node.claim(workload.order.gpusPerNode());
    workload.members().add(node);
  }

  /** Empties the workload's places and returns the nodes that are idle by that. */
  List<Node> letGo(Workload workload) {
    List<Node> idle = new ArrayList<>();
    for (Node node : workload.members()) {
      node.letGo(workload.order.gpusPerNode());
      if (node.idle() && byInstance.containsKey(node.instance.id())) {
        idle.add(node);
      }
    }
    workload.members().clear();
    return idle;
  }

  int count(Predicate<Node> which) {
    return (int) byInstance.values().stream().filter(which).count();
  }

  private static boolean fits(Node node, Order order) {
    return node.pool.equals(order.pool())
        && node.instance.line().instanceType().equals(order.instanceType())
        && node.instance.line().zone().equals(order.zone())
        && node.instance.line().capacityType().text().equals(order.capacityType());
  }
}
