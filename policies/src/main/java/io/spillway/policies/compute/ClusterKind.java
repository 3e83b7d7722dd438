package io.spillway.policies.compute;

/** Whose Kubernetes it is: nodes' labels, taints and devices are called differently in each. */
public enum ClusterKind {
  EKS("eks"),
  AKS("aks"),
  GKE("gke"),
  OKE("oke"),
  COREWEAVE("coreweave"),
  /** K3s or any other on rented nodes, with no cloud's own words. */
  K3S("k3s");

  private final String text;

  ClusterKind(String text) {
    this.text = text;
  }

  /** The name in YAML. */
  public String text() {
    return text;
  }

  /**
   * @throws IllegalArgumentException for any other text
   */
  public static ClusterKind parse(String text) {
    for (ClusterKind kind : values()) {
      if (kind.text.equals(text)) {
        return kind;
      }
    }
    throw new IllegalArgumentException("no kind of cluster: '" + text + "'");
  }

  /** The managed Kubernetes of a provider; {@link #K3S} where there is none. */
  public static ClusterKind ofProvider(String provider) {
    return switch (provider) {
      case "aws" -> EKS;
      case "azure" -> AKS;
      case "gcp" -> GKE;
      case "oci" -> OKE;
      case "coreweave" -> COREWEAVE;
      default -> K3S;
    };
  }
}
