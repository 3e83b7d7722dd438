package io.spillway.agent.nodes;

import java.util.Map;
import java.util.Set;

/** The fast network that a node hangs on, by its resources and the labels of its cluster. */
final class Fabrics {
  private static final Fabric NONE = new Fabric("", "");

  private Fabrics() {}

  /** Both empty: none. */
  record Fabric(String type, String name) {}

  static Fabric of(Map<String, String> labels, Set<String> resources) {
    String type = labels.getOrDefault("spillway.io/fabric-type", "");
    if (!type.isEmpty()) {
      return new Fabric(type, labels.getOrDefault("spillway.io/fabric", ""));
    }
    if (resources.contains("vpc.amazonaws.com/efa")) {
      return new Fabric("efa", labels.getOrDefault("spillway.io/fabric", ""));
    }
    String island = label(labels, "oci.oraclecloud.com/rdma.hpc_island_id");
    if (!island.isEmpty() || resources.contains("nvidia.com/rdma-vf")) {
      return new Fabric("roce-v2", island);
    }
    if (labels.containsKey("backend.coreweave.cloud/fabric")
        || labels.containsKey("ib.coreweave.cloud/fabric")) {
      String flavor = label(labels, "backend.coreweave.cloud/flavor");
      String name = label(labels, "backend.coreweave.cloud/fabric");
      return new Fabric(
          flavor.toLowerCase(java.util.Locale.ROOT).contains("roce") ? "roce-v2" : "infiniband",
          name.isEmpty() ? label(labels, "ib.coreweave.cloud/fabric") : name);
    }
    if (labels.containsKey("cloud.google.com/gce-topology-block")) {
      return new Fabric("gpudirect", label(labels, "cloud.google.com/gce-topology-block"));
    }
    if (resources.contains("rdma/ib") || resources.contains("rdma/shared_ib")) {
      // Azure: one partition of InfiniBand for each scale set, which is a node pool.
      return new Fabric("infiniband", label(labels, "kubernetes.azure.com/agentpool"));
    }
    return NONE;
  }

  private static String label(Map<String, String> labels, String key) {
    String value = labels.getOrDefault(key, "");
    return value.equals("no-imds-data") ? "" : value;
  }
}
