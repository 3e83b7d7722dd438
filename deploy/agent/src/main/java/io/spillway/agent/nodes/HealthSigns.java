package io.spillway.agent.nodes;

import io.fabric8.kubernetes.api.model.NodeCondition;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What speaks against a node's health: conditions that node problem detectors set (OKE's GPU stack,
 * Azure's, EKS' node monitoring agent), labels of OKE and CoreWeave. Named by the condition's type.
 */
final class HealthSigns {
  /** True is bad. */
  private static final Set<String> FAULTS =
      Set.of(
          "GpuEcc",
          "GpuRowRemap",
          "GpuBus",
          "GpuCount",
          "GpuPcie",
          "GpuFabricMgr",
          "GpuXid",
          "GpuImex",
          "RdmaLink",
          "RdmaLinkFlapping",
          "RdmaWpaAuth",
          "RdmaRttcc",
          "RdmaVfRoutes",
          "RdmaVfCounters",
          "NvlinkSpeed",
          "DcgmiHealth",
          "MaintenanceFault",
          "KernelDeadlock",
          "ReadonlyFilesystem",
          "CorruptDockerOverlay2",
          "GPUMissing",
          "XIDErrors",
          "IBLinkFlapping",
          "PreemptionScheduled",
          "VMEventScheduled");

  /** False is bad: EKS' node monitoring agent. */
  private static final Set<String> SOUND =
      Set.of(
          "AcceleratedHardwareReady",
          "ContainerRuntimeReady",
          "KernelReady",
          "NetworkingReady",
          "StorageReady");

  private HealthSigns() {}

  static Set<String> of(Map<String, String> labels, List<NodeCondition> conditions) {
    Set<String> signs = new TreeSet<>();
    for (NodeCondition condition : conditions) {
      String type = condition.getType().substring(condition.getType().lastIndexOf('/') + 1);
      if (FAULTS.contains(type) && "True".equals(condition.getStatus())) {
        signs.add(type);
      } else if (SOUND.contains(type) && "False".equals(condition.getStatus())) {
        signs.add("Not" + type);
      }
    }
    if ("UNHEALTHY".equals(labels.get("oci.oraclecloud.com/host.health"))) {
      signs.add("HostUnhealthy");
    }
    if (labels.keySet().stream().anyMatch(l -> l.startsWith("oci.oraclecloud.com/host.fault."))) {
      signs.add("HostFault");
    }
    String state = labels.getOrDefault("node.coreweave.cloud/state", "");
    if (Set.of("triage", "zap").contains(state)) {
      signs.add("CoreWeave" + Character.toUpperCase(state.charAt(0)) + state.substring(1));
    }
    return signs;
  }
}
