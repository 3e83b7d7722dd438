package io.spillway.capacity.simulated.agent;

import io.spillway.capacity.simulated.cloud.Account;
import java.util.List;

/**
 * A cluster as its policy document describes it.
 *
 * @param capacity what its autoscaler can start
 * @param pools what it has
 */
public record ClusterSpec(
    String name, Account account, String region, List<Entry> capacity, List<PoolSpec> pools) {

  public ClusterSpec {
    capacity = List.copyOf(capacity);
    pools = List.copyOf(pools);
  }

  /**
   * One kind of node that can be started.
   *
   * @param capacityTypes {@code spot} and {@code on-demand}
   * @param maxNodes over all zones and capacity types
   * @param fabricType empty = none
   */
  public record Entry(
      String instanceType,
      List<String> capacityTypes,
      List<String> zones,
      int maxNodes,
      String fabricType,
      String fabricName) {
    public Entry {
      capacityTypes = List.copyOf(capacityTypes);
      zones = List.copyOf(zones);
    }
  }

  /** A finite set of nodes that are always there. */
  public record PoolSpec(
      String name,
      String instanceType,
      String zone,
      String capacityType,
      int nodes,
      String fabricType,
      String fabricName) {}
}
