package io.spillway.agent.kube;

import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.Arrays;
import java.util.Optional;

/** Every kind of object that an attempt may consist of. There are no others. */
public enum Kind {
  SERVICE("v1", "Service", "services", true),
  CONFIG_MAP("v1", "ConfigMap", "configmaps", true),
  VOLUME_CLAIM("v1", "PersistentVolumeClaim", "persistentvolumeclaims", true),
  VOLUME("v1", "PersistentVolume", "persistentvolumes", false),
  SERVICE_ACCOUNT("v1", "ServiceAccount", "serviceaccounts", true),
  POD("v1", "Pod", "pods", true),
  POD_TEMPLATE("v1", "PodTemplate", "podtemplates", true),
  JOB("batch/v1", "Job", "jobs", true),
  JOB_SET("jobset.x-k8s.io/v1alpha2", "JobSet", "jobsets", true),
  MPI_JOB("kubeflow.org/v2beta1", "MPIJob", "mpijobs", true),
  PROVISIONING_REQUEST(
      "autoscaling.x-k8s.io/v1", "ProvisioningRequest", "provisioningrequests", true);

  private final String apiVersion;
  private final String text;
  private final String plural;
  private final boolean namespaced;

  Kind(String apiVersion, String text, String plural, boolean namespaced) {
    this.apiVersion = apiVersion;
    this.text = text;
    this.plural = plural;
    this.namespaced = namespaced;
  }

  public static Optional<Kind> of(String apiVersion, String kind) {
    return Arrays.stream(values())
        .filter(k -> k.apiVersion.equals(apiVersion) && k.text.equals(kind))
        .findFirst();
  }

  public String apiVersion() {
    return apiVersion;
  }

  /** The word in a manifest. */
  public String text() {
    return text;
  }

  public boolean namespaced() {
    return namespaced;
  }

  /** Whether its end can be an attempt's. */
  public boolean runs() {
    return this == JOB || this == JOB_SET || this == MPI_JOB;
  }

  /** Whether every cluster has it; the others come with an operator. */
  public boolean builtIn() {
    return !apiVersion.contains(".");
  }

  ResourceDefinitionContext context() {
    int slash = apiVersion.indexOf('/');
    return new ResourceDefinitionContext.Builder()
        .withGroup(slash < 0 ? "" : apiVersion.substring(0, slash))
        .withVersion(apiVersion.substring(slash + 1))
        .withKind(text)
        .withPlural(plural)
        .withNamespaced(namespaced)
        .build();
  }
}
