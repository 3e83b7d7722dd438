package io.spillway.server.kubernetes;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.PodAffinityTerm;
import io.fabric8.kubernetes.api.model.PodAffinityTermBuilder;
import io.fabric8.kubernetes.api.model.WeightedPodAffinityTerm;
import io.spillway.policies.compute.ClusterCompute.NodeGroup;
import io.spillway.policies.compute.ClusterKind;
import io.spillway.scheduler.model.Fabric;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Keeps all pods of an attempt in one fabric. Strictly, by one of two: labels that the policy says
 * the fabric's nodes have, which also work for nodes that are not there yet; or the pods' affinity
 * to each other over a label whose equal values mean one fabric. Nearer neighbours are preferred.
 */
final class Fabrics {
  private static final String OCI = "oci.oraclecloud.com/";

  /**
   * What OKE's labels say where nobody told; two nodes that say so share nothing. Reference §2.3.
   */
  private static final String UNKNOWN = "no-imds-data";

  private static final String LEAF_GROUP = "backend.coreweave.cloud/leafgroup";

  private Fabrics() {}

  static void addTo(PodDraft pod, Placement placement, Fabric fabric) {
    LabelSelector gang = gang(pod, placement);
    Optional<NodeGroup> group = placement.group();
    boolean byLabels = group.map(nodes -> !nodes.nodeLabels().isEmpty()).orElse(false);
    Optional<String> key = group.flatMap(NodeGroup::topologyKey);
    if (key.isEmpty() && !byLabels) {
      key = usualKey(placement.kind());
    }
    key.ifPresent(label -> pod.together.add(term(label, gang)));
    key.filter(label -> label.startsWith(OCI))
        .ifPresent(
            label -> pod.required.add(NodeChoice.requirement(label, "NotIn", List.of(UNKNOWN))));
    int weight = 100;
    for (String label : neighbourhoods(placement.kind())) {
      pod.near.add(new WeightedPodAffinityTerm(term(label, gang), weight));
      weight /= 2;
    }
    if (placement.kind() == ClusterKind.COREWEAVE && !fabric.name().isEmpty()) {
      pod.required.add(NodeChoice.requirement(LEAF_GROUP, "In", List.of(fabric.name())));
    }
  }

  /** Equal values of it mean one fabric. */
  private static Optional<String> usualKey(ClusterKind kind) {
    return switch (kind) {
      // A cluster network or compute cluster lies in one island.
      case OKE -> Optional.of("oci.oraclecloud.com/rdma.hpc_island_id");
      // EFA reaches all of one zone's subnet; a placement group is the node group's matter.
      case EKS -> Optional.of("topology.kubernetes.io/zone");
      case COREWEAVE -> Optional.of("backend.coreweave.cloud/fabric");
      // One scale set is one InfiniBand partition.
      case AKS -> Optional.of("kubernetes.azure.com/agentpool");
      case GKE -> Optional.of("cloud.google.com/gke-nodepool");
      // Rented machines come as one cluster, and no label tells more.
      case K3S -> Optional.empty();
    };
  }

  /** Labels of closer and closer neighbourhoods, the closest first. */
  private static List<String> neighbourhoods(ClusterKind kind) {
    return switch (kind) {
      case OKE ->
          List.of(
              "oci.oraclecloud.com/rdma.local_block_id",
              "oci.oraclecloud.com/rdma.network_block_id",
              "oci.oraclecloud.com/rdma.hpc_island_id");
      case COREWEAVE -> List.of(LEAF_GROUP, "backend.coreweave.cloud/superpod");
      case GKE -> List.of("cloud.google.com/gce-topology-block");
      case EKS, AKS, K3S -> List.of();
    };
  }

  /**
   * The gang's nodes and what keeps places for them; not the launcher of an MPI job, which runs
   * wherever there is room.
   */
  private static LabelSelector gang(PodDraft pod, Placement placement) {
    return new LabelSelectorBuilder()
        .withMatchLabels(Map.of(Marks.ATTEMPT, placement.attempt().toString()))
        .addNewMatchExpression()
        .withKey(Marks.PART)
        .withOperator("In")
        .withValues(
            Stream.of(pod.labels.get(Marks.PART), Pods.PLACEHOLDER).sorted().distinct().toList())
        .endMatchExpression()
        .build();
  }

  private static PodAffinityTerm term(String key, LabelSelector gang) {
    return new PodAffinityTermBuilder().withTopologyKey(key).withLabelSelector(gang).build();
  }
}
