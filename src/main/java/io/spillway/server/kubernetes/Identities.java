package io.spillway.server.kubernetes;

import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.spillway.policies.compute.ClusterCompute.Identity;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Who a job's pods are in the cluster and, by it, in the cloud. The policy maps the job's word to a
 * ServiceAccount; what the pods need beside it is the kind's own (reference §5). A job that names
 * no identity gets no token at all.
 */
final class Identities {
  private static final String AZURE_CLIENT = "azure.workload.identity/client-id";

  private Identities() {}

  static Optional<Identity> granted(Placement placement) throws Untranslatable {
    Optional<String> wanted = placement.job().identity();
    if (wanted.isEmpty()) {
      return Optional.empty();
    }
    Identity identity = placement.compute().grants().identities().get(wanted.get());
    if (identity == null || !identity.queues().contains(placement.queue())) {
      throw new Untranslatable(
          RefusalCode.IDENTITY_NOT_GRANTED,
          "the cluster grants the identity '" + wanted.get() + "' to no job of this queue");
    }
    return Optional.of(identity);
  }

  static void addTo(PodDraft pod, Placement placement, Marks marks) throws Untranslatable {
    Optional<Identity> granted = granted(placement);
    if (granted.isEmpty()) {
      return;
    }
    Identity identity = granted.get();
    pod.serviceAccount = Optional.of(identity.serviceAccount());
    if (identity.create()) {
      pod.shared.add(
          new ServiceAccountBuilder()
              .withMetadata(
                  marks.shared(identity.serviceAccount(), new TreeMap<>(identity.annotations())))
              .build());
    }
    if (identity.workloadIdentity()) {
      ofKind(pod, placement, identity);
    }
  }

  private static void ofKind(PodDraft pod, Placement placement, Identity identity) {
    switch (placement.kind()) {
      // The webhook looks for the label on pods, not on the account.
      case AKS -> pod.labels.put("azure.workload.identity/use", "true");
      // Without the metadata server of its node a pod would be the node's own account.
      case GKE -> pod.nodeSelector.put("iam.gke.io/gke-metadata-server-enabled", "true");
      case OKE -> {
        // The SDK sends the pod's token to the cluster's own endpoint; nothing is injected.
        pod.token = true;
        pod.env("OCI_RESOURCE_PRINCIPAL_VERSION", "2.2");
        pod.env("OCI_RESOURCE_PRINCIPAL_REGION", placement.site().policy().region());
      }
      // IRSA and Pod Identity are injected by the account alone; a token of its own is projected.
      case EKS -> {}
      case COREWEAVE, K3S -> {
        if (identity.annotations().containsKey(AZURE_CLIENT)) {
          pod.labels.put("azure.workload.identity/use", "true");
        }
      }
    }
  }
}
