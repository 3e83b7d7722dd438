package io.spillway.server.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpec;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpecBuilder;
import java.util.List;
import java.util.Map;

/**
 * Jobs of {@code batch/v1}: one pod, or an Indexed gang that finds itself by a headless Service.
 */
final class Jobs {
  /** How long what is left of an attempt stays, if its agent does not clean up before. */
  static final int KEPT_SECONDS = 86_400;

  private Jobs() {}

  /**
   * A gang's job: no pod is ever started again, since the gang begins anew as a whole, by another
   * attempt. A pod that its node's fate ends fails the job at once, with a reason of its own
   * (PodFailurePolicy), while a program's exit code fails it by the back-off limit.
   */
  static JobSpec spec(PodTemplateSpec template, int pods) {
    return new JobSpecBuilder()
        .withCompletionMode("Indexed")
        .withCompletions(pods)
        .withParallelism(pods)
        .withBackoffLimit(0)
        .withPodReplacementPolicy("Failed")
        .withTtlSecondsAfterFinished(KEPT_SECONDS)
        .withNewPodFailurePolicy()
        .addNewRule()
        .withAction("FailJob")
        .addNewOnPodCondition()
        .withType("DisruptionTarget")
        .withStatus("True")
        .endOnPodCondition()
        .endRule()
        .endPodFailurePolicy()
        .withTemplate(template)
        .build();
  }

  static HasMetadata job(Marks marks, PodTemplateSpec template, int pods) {
    return new JobBuilder()
        .withMetadata(marks.workload(pods))
        .withSpec(spec(template, pods))
        .build();
  }

  /** Gives the pods of an Indexed Job their names; peers must be found before they are ready. */
  static HasMetadata service(Names names, Marks marks, int port) {
    return new ServiceBuilder()
        .withMetadata(marks.object(names.base(), "support"))
        .withNewSpec()
        .withClusterIP("None")
        .withPublishNotReadyAddresses(true)
        .withSelector(Map.of("batch.kubernetes.io/job-name", names.base()))
        .addNewPort()
        .withName("rendezvous")
        .withPort(port)
        .withProtocol("TCP")
        .endPort()
        .endSpec()
        .build();
  }

  static List<HasMetadata> together(PodDraft pod, HasMetadata... objects) {
    java.util.ArrayList<HasMetadata> all = new java.util.ArrayList<>(pod.shared);
    all.addAll(pod.support);
    all.addAll(List.of(objects));
    return all;
  }
}
