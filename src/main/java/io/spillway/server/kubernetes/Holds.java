package io.spillway.server.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodTemplateBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.spillway.policies.compute.ClusterCompute.HoldSetup;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What makes a cluster bring up the nodes of an attempt before it starts: placeholder pods of the
 * workload's own shape, as one Job however many there are, or a ProvisioningRequest where the
 * policy names a class and the cluster serves it.
 */
final class Holds {
  /** The usual name of a class below all jobs'; used where the cluster has it. */
  static final String PRIORITY_CLASS = "spillway-placeholder";

  private Holds() {}

  static List<HasMetadata> objects(Placement placement, Pods pods, Names names, Marks marks)
      throws Untranslatable {
    HoldSetup setup = placement.compute().hold();
    PodDraft pod = pods.placeholder();
    lower(pod, placement);
    PodTemplateSpec template = PodWriter.template(pod, setup.image(), List.of(), List.of());
    Optional<String> provisioning =
        setup
            .provisioningClass()
            .filter(name -> placement.ability().serves(ClusterAbility.PROVISIONING));
    return provisioning.isPresent()
        ? request(placement, names, marks, template, provisioning.get())
        : List.of(
            new JobBuilder()
                .withMetadata(marks.hold(placement.nodes()))
                .withNewSpec()
                .withCompletions(placement.nodes())
                .withParallelism(placement.nodes())
                // A placeholder that loses its node asks for another.
                .withBackoffLimit(Integer.MAX_VALUE)
                .withTemplate(template)
                .endSpec()
                .build());
  }

  private static List<HasMetadata> request(
      Placement placement,
      Names names,
      Marks marks,
      PodTemplateSpec template,
      String provisioningClass) {
    GenericKubernetesResource request = new GenericKubernetesResource();
    request.setApiVersion(ClusterAbility.PROVISIONING);
    request.setKind("ProvisioningRequest");
    request.setMetadata(marks.hold(placement.nodes()));
    request.setAdditionalProperty(
        "spec",
        Map.of(
            "provisioningClassName",
            provisioningClass,
            "podSets",
            List.of(
                Map.of(
                    "count", placement.nodes(), "podTemplateRef", Map.of("name", names.hold())))));
    return List.of(
        new PodTemplateBuilder()
            .withMetadata(marks.object(names.hold(), "hold"))
            .withTemplate(template)
            .build(),
        request);
  }

  /** Below the workload, which then takes the nodes at once. */
  private static void lower(PodDraft pod, Placement placement) throws Untranslatable {
    Optional<String> written = placement.compute().hold().priorityClass();
    if (written.isPresent() && !placement.ability().priorityClasses().contains(written.get())) {
      throw new Untranslatable(
          RefusalCode.PRIORITY_CLASS_MISSING,
          "the cluster has no PriorityClass '"
              + written.get()
              + "', which its policy names for holds");
    }
    pod.priorityClass =
        written.or(
            () ->
                placement.ability().priorityClasses().contains(PRIORITY_CLASS)
                    ? Optional.of(PRIORITY_CLASS)
                    : Optional.empty());
  }
}
