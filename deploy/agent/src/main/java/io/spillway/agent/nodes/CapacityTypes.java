package io.spillway.agent.nodes;

import io.fabric8.kubernetes.api.model.Taint;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** How a node is paid for, by the labels of its cluster. What says nothing is on demand. */
final class CapacityTypes {
  private static final String SPOT = "spot";
  private static final String ON_DEMAND = "on-demand";
  private static final String RESERVED = "reserved";

  private CapacityTypes() {}

  static String of(Map<String, String> labels, List<Taint> taints) {
    String own = labels.getOrDefault("spillway.io/capacity-type", "");
    if (Set.of(SPOT, ON_DEMAND, RESERVED).contains(own)) {
      return own;
    }
    String karpenter = labels.getOrDefault("karpenter.sh/capacity-type", "");
    String eks = labels.getOrDefault("eks.amazonaws.com/capacityType", "").toUpperCase(Locale.ROOT);
    boolean spot =
        karpenter.equals(SPOT)
            || eks.equals("SPOT")
            || is(labels, "cloud.google.com/gke-spot", "true")
            || is(labels, "cloud.google.com/gke-preemptible", "true")
            || is(labels, "kubernetes.azure.com/scalesetpriority", SPOT)
            || is(labels, "oci.oraclecloud.com/oke-is-preemptible", "true")
            || taints.stream()
                .anyMatch(t -> t.getKey().equals("qos.coreweave.cloud/interruptable"));
    if (spot) {
      return SPOT;
    }
    boolean reserved =
        karpenter.equals(RESERVED)
            || eks.equals("CAPACITY_BLOCK")
            || labels.containsKey("karpenter.k8s.aws/capacity-reservation-id")
            || is(labels, "node.coreweave.cloud/reserved", "true")
            || named(labels, "oci.oraclecloud.com/host.capacity_reservation_id")
            || named(labels, "oci.oraclecloud.com/capacity-reservation-id");
    return reserved ? RESERVED : ON_DEMAND;
  }

  private static boolean is(Map<String, String> labels, String key, String value) {
    return value.equals(labels.get(key));
  }

  /** OKE writes this word where its metadata service said nothing. */
  private static boolean named(Map<String, String> labels, String key) {
    String value = labels.getOrDefault(key, "");
    return !value.isEmpty() && !value.equals("no-imds-data");
  }
}
