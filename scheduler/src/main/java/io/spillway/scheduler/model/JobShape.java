package io.spillway.scheduler.model;

import java.util.List;
import java.util.Optional;

/**
 * Everything of a job that decides where it fits. Equal shapes in one queue are evaluated once.
 *
 * @param nodes the gang's nodes, at least 1
 * @param gpusPerNode GPUs on each node, at least 1
 * @param gpus acceptable models, in no order of preference, sorted, not empty
 * @param cpusPerNode 0 = whatever the node has
 * @param memoryGiBPerNode 0 = whatever the node has
 * @param needs what the cluster must name for the job's queue
 * @param constraints where the user allows it
 */
public record JobShape(
    int nodes,
    int gpusPerNode,
    List<GpuModel> gpus,
    int cpusPerNode,
    int memoryGiBPerNode,
    Rdma rdma,
    Needs needs,
    Constraints constraints) {

  public JobShape {
    gpus = gpus.stream().sorted().distinct().toList();
    if (nodes < 1 || gpusPerNode < 1 || gpus.isEmpty()) {
      throw new IllegalArgumentException("a gang has nodes, GPUs and a model");
    }
  }

  /** GPUs of the whole gang. */
  public int totalGpus() {
    return Math.multiplyExact(nodes, gpusPerNode);
  }

  /** Names that a cluster's policy must offer to the job's queue; each list sorted. */
  public record Needs(
      Optional<String> identity, List<String> volumes, List<String> weights, List<String> secrets) {
    public static final Needs NONE = new Needs(Optional.empty(), List.of(), List.of(), List.of());

    public Needs {
      volumes = volumes.stream().sorted().distinct().toList();
      weights = weights.stream().sorted().distinct().toList();
      secrets = secrets.stream().sorted().distinct().toList();
    }
  }

  /** The user's own limits; an empty list allows everything. Each list sorted. */
  public record Constraints(
      List<String> providers,
      List<String> regions,
      List<ClusterName> clusters,
      List<PoolName> pools,
      Optional<UsdPerGpuHour> maxPricePerGpuHour) {
    public static final Constraints NONE =
        new Constraints(List.of(), List.of(), List.of(), List.of(), Optional.empty());

    public Constraints {
      providers = providers.stream().sorted().distinct().toList();
      regions = regions.stream().sorted().distinct().toList();
      clusters = clusters.stream().sorted().distinct().toList();
      pools = pools.stream().sorted().distinct().toList();
    }
  }
}
