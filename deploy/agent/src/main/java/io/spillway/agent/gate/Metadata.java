package io.spillway.agent.gate;

import java.util.Set;

/** Names, labels and annotations. No owners, no finalizers: nothing that outlives a deletion. */
final class Metadata {
  /** What switches something on that a job may have; each was looked at. */
  private static final Set<String> ANNOTATIONS =
      Set.of(
          "cluster-autoscaler.kubernetes.io/safe-to-evict",
          "karpenter.sh/do-not-disrupt",
          "gke-gcsfuse/volumes",
          "gke-gcsfuse/cpu-limit",
          "gke-gcsfuse/memory-limit",
          "gke-gcsfuse/ephemeral-storage-limit",
          "k8s.v1.cni.cncf.io/networks",
          "networking.gke.io/default-interface",
          "networking.gke.io/interfaces",
          "autoscaling.x-k8s.io/consume-provisioning-request",
          "autoscaling.x-k8s.io/provisioning-class-name",
          "kueue.x-k8s.io/podset-required-topology",
          "kueue.x-k8s.io/podset-preferred-topology",
          "kueue.x-k8s.io/podset-unconstrained-topology");

  private static final Set<String> IDENTITY =
      Set.of(
          "eks.amazonaws.com/role-arn",
          "eks.amazonaws.com/audience",
          "eks.amazonaws.com/token-expiration",
          "eks.amazonaws.com/sts-regional-endpoints",
          "azure.workload.identity/client-id",
          "azure.workload.identity/tenant-id",
          "azure.workload.identity/service-account-token-expiration",
          "iam.gke.io/gcp-service-account");

  private Metadata() {}

  static Shape.Fields ofObject() {
    return Shape.fields()
        .must("name", Shape.matching("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?"))
        .may("namespace", Shape.matching("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?"))
        .must("labels", labels())
        .may("annotations", annotations(false));
  }

  /** Of an identity, which its cloud reads from annotations. */
  static Shape.Fields ofServiceAccount() {
    return ofObject().may("annotations", annotations(true));
  }

  static Shape.Fields ofPod() {
    return Shape.fields().must("labels", labels()).may("annotations", annotations(false));
  }

  static Shape.Fields ofChild() {
    return Shape.fields().may("labels", labels()).may("annotations", annotations(false));
  }

  private static Shape labels() {
    return Shape.map(
        Metadata::label, Shape.matching("([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?"));
  }

  /**
   * Those of Kubernetes itself mean something to its controllers, those of meshes bring containers
   * in: only names that describe are let in.
   */
  private static boolean label(String key) {
    int slash = key.indexOf('/');
    String domain = slash < 0 ? "" : key.substring(0, slash);
    boolean reserved =
        domain.equals("kubernetes.io")
            || domain.equals("k8s.io")
            || domain.endsWith(".kubernetes.io")
            || domain.endsWith(".k8s.io")
            || domain.endsWith("istio.io")
            || domain.endsWith("linkerd.io");
    return key.length() <= 316
        && key.matches("([a-z0-9.-]+/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?")
        && (!reserved || domain.equals("app.kubernetes.io"));
  }

  private static Shape annotations(boolean identity) {
    return Shape.map(
        key ->
            key.startsWith("spillway.io/")
                || ANNOTATIONS.contains(key)
                || (identity && IDENTITY.contains(key)),
        Shape.text(16_384));
  }
}
