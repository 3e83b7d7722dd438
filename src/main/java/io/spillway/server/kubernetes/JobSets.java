package io.spillway.server.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.List;
import java.util.Map;

/** A gang as a JobSet, which brings its own names and Service: {@code jobset.x-k8s.io/v1alpha2}. */
final class JobSets {
  static final String NODES = "node";

  private JobSets() {}

  static HasMetadata jobSet(Marks marks, PodTemplateSpec template, int pods) {
    GenericKubernetesResource jobSet = new GenericKubernetesResource();
    jobSet.setApiVersion(ClusterAbility.JOBSET);
    jobSet.setKind("JobSet");
    jobSet.setMetadata(marks.workload(pods));
    io.fabric8.kubernetes.api.model.batch.v1.JobSpec job = Jobs.spec(template, pods);
    // What is left of it goes with the set, not before.
    job.setTtlSecondsAfterFinished(null);
    jobSet.setAdditionalProperty(
        "spec",
        Map.of(
            "network",
            Map.of("enableDNSHostnames", true, "publishNotReadyAddresses", true),
            "failurePolicy",
            Map.of("maxRestarts", 0),
            "ttlSecondsAfterFinished",
            Jobs.KEPT_SECONDS,
            "replicatedJobs",
            List.of(Map.of("name", NODES, "replicas", 1, "template", Map.of("spec", job)))));
    return jobSet;
  }
}
