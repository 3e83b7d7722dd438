package io.spillway.server.kubernetes;

import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirementBuilder;
import io.spillway.policies.compute.ClusterCompute.NodeGroup;
import io.spillway.policies.compute.ClusterKind;
import io.spillway.scheduler.model.CapacityType;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Which nodes a pod may run on: exactly those of the offering, without the quarantined ones. */
final class NodeChoice {
  /** On rented nodes too: K3s keeps the label that a node was registered with. */
  private static final String INSTANCE_TYPE = "node.kubernetes.io/instance-type";

  private static final String ZONE = "topology.kubernetes.io/zone";

  /** Offerings of EC2 name the zone by its id, which is the same in every account. */
  private static final String EC2_ZONE_ID = "topology.k8s.aws/zone-id";

  private static final Pattern ZONE_ID = Pattern.compile("[a-z0-9]+-az[0-9]+");

  /** A node selector term has room for many more; nobody has so many sick nodes in one cluster. */
  private static final int MOST_AVOIDED = 200;

  private NodeChoice() {}

  static void addTo(PodDraft pod, Placement placement) {
    SortedMap<String, String> labels = pod.nodeSelector;
    instanceType(labels, placement);
    zone(pod, placement);
    Map<String, String> ofGroup =
        placement.group().<Map<String, String>>map(NodeGroup::nodeLabels).orElse(Map.of());
    Map<String, String> written =
        placement.compute().scheduling().capacityTypeLabels().get(capacityType(placement));
    if (written != null) {
      labels.putAll(written);
    } else if (ofGroup.isEmpty()) {
      // Labels of the group itself say which nodes are meant; a guess could only contradict them.
      capacityType(pod, placement);
    }
    labels.putAll(ofGroup);
    labels.putAll(placement.compute().scheduling().nodeSelector());
    avoid(pod, placement.avoided());
  }

  private static void instanceType(SortedMap<String, String> labels, Placement placement) {
    String type = placement.offering().instanceType();
    String key = placement.compute().scheduling().instanceTypeLabel().orElse(INSTANCE_TYPE);
    labels.put(key, type);
    if (placement.kind() == ClusterKind.GKE) {
      // Node auto-provisioning starts nothing for a pod that does not name the accelerator.
      RdmaProfiles.accelerator(type)
          .ifPresent(name -> labels.put("cloud.google.com/gke-accelerator", name));
    }
  }

  private static void zone(PodDraft pod, Placement placement) {
    String zone = placement.offering().zone();
    if (zone.equals(placement.site().policy().region()) || zone.isEmpty()) {
      return;
    }
    if (placement.kind() == ClusterKind.EKS && ZONE_ID.matcher(zone).matches()) {
      pod.nodeSelector.put(EC2_ZONE_ID, zone);
      return;
    }
    TreeSet<String> spellings = new TreeSet<>();
    spellings.add(zone);
    if (placement.kind() == ClusterKind.OKE) {
      // Contracts and APIs write availability domains in either case; labels match exactly.
      spellings.add(zone.toUpperCase(Locale.ROOT));
      spellings.add(zone.toLowerCase(Locale.ROOT));
    }
    if (spellings.size() == 1) {
      pod.nodeSelector.put(ZONE, zone);
    } else {
      pod.required.add(requirement(ZONE, "In", List.copyOf(spellings)));
    }
  }

  private static CapacityType capacityType(Placement placement) {
    return placement.offering().capacityType();
  }

  /** Reference §3.2: how each kind labels nodes by how they are paid for. */
  private static void capacityType(PodDraft pod, Placement placement) {
    boolean spot = placement.onSpot();
    switch (placement.kind()) {
      case EKS -> eks(pod.nodeSelector, placement);
      case AKS -> marked(pod, "kubernetes.azure.com/scalesetpriority", "spot", spot);
      case GKE -> marked(pod, "cloud.google.com/gke-spot", "true", spot);
      case OKE -> marked(pod, "oci.oraclecloud.com/oke-is-preemptible", "true", spot);
      // CoreWeave taints interruptible nodes and labels none; rented nodes are what they are.
      case COREWEAVE, K3S -> {}
    }
  }

  private static void eks(SortedMap<String, String> labels, Placement placement) {
    if (placement.ability().karpenter()) {
      labels.put("karpenter.sh/capacity-type", capacityType(placement).text());
      placement
          .site()
          .pool()
          .flatMap(pool -> pool.reservationId())
          .filter(id -> id.startsWith("cr-"))
          .ifPresent(id -> labels.put("karpenter.k8s.aws/capacity-reservation-id", id));
      return;
    }
    switch (capacityType(placement)) {
      case SPOT -> labels.put("eks.amazonaws.com/capacityType", "SPOT");
      case ON_DEMAND -> labels.put("eks.amazonaws.com/capacityType", "ON_DEMAND");
      // A node group on a reservation is ON_DEMAND or CAPACITY_BLOCK: only its own labels tell.
      case RESERVED -> {}
    }
  }

  private static void marked(PodDraft pod, String key, String value, boolean spot) {
    if (spot) {
      pod.nodeSelector.put(key, value);
    } else {
      pod.required.add(requirement(key, "NotIn", List.of(value)));
    }
  }

  /**
   * By the node's name itself: its host name label may be another. One value each is all it takes.
   */
  private static void avoid(PodDraft pod, List<String> nodes) {
    nodes.stream()
        .limit(MOST_AVOIDED)
        .forEach(
            node -> pod.requiredFields.add(requirement("metadata.name", "NotIn", List.of(node))));
  }

  static NodeSelectorRequirement requirement(String key, String operator, List<String> values) {
    return new NodeSelectorRequirementBuilder()
        .withKey(key)
        .withOperator(operator)
        .withValues(values)
        .build();
  }
}
