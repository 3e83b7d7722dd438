package io.spillway.server.kubernetes;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.AffinityBuilder;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.SecurityContextBuilder;
import io.spillway.server.jobs.JobSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Writes a draft as a pod template whose one container is called {@code main}. */
final class PodWriter {
  static final String MAIN = "main";

  private PodWriter() {}

  /** A pod that runs the job's program. */
  static PodTemplateSpec program(PodDraft draft, JobSpec.Program program) {
    List<String> command = program.command();
    List<String> args = program.args();
    if (!draft.preludes.isEmpty() && !command.isEmpty()) {
      List<String> words = new ArrayList<>();
      // The user's words are arguments of the shell, never part of its script.
      words.addAll(List.of("/bin/sh", "-c", script(draft), "spillway"));
      words.addAll(command);
      command = words;
    }
    return template(draft, program.image(), command, args);
  }

  /** A pod that runs something of ours. */
  static PodTemplateSpec template(
      PodDraft draft, String image, List<String> command, List<String> args) {
    return new PodTemplateSpecBuilder()
        .withNewMetadata()
        .withLabels(new TreeMap<>(draft.labels))
        .withAnnotations(draft.annotations.isEmpty() ? null : new TreeMap<>(draft.annotations))
        .endMetadata()
        .withSpec(spec(draft, container(draft, image, command, args)).build())
        .build();
  }

  private static String script(PodDraft draft) {
    return String.join(" && ", draft.preludes) + " && exec \"$@\"";
  }

  private static PodSpecBuilder spec(PodDraft draft, Container container) {
    PodSpecBuilder spec =
        new PodSpecBuilder()
            .withRestartPolicy("Never")
            .withTerminationGracePeriodSeconds((long) draft.graceSeconds)
            .withAutomountServiceAccountToken(draft.token)
            // Service variables would only tell the program of its neighbours.
            .withEnableServiceLinks(false)
            .withNodeSelector(
                draft.nodeSelector.isEmpty() ? null : new TreeMap<>(draft.nodeSelector))
            .withTolerations(draft.tolerations)
            .withImagePullSecrets(draft.pullSecrets)
            .withContainers(container)
            .withVolumes(draft.volumes);
    draft.serviceAccount.ifPresent(spec::withServiceAccountName);
    draft.runtimeClass.ifPresent(spec::withRuntimeClassName);
    draft.priorityClass.ifPresent(spec::withPriorityClassName);
    if (draft.hostNetwork) {
      spec.withHostNetwork(true).withDnsPolicy("ClusterFirstWithHostNet");
    }
    if (!draft.privileged) {
      spec.withNewSecurityContext()
          .withNewSeccompProfile()
          .withType("RuntimeDefault")
          .endSeccompProfile()
          .endSecurityContext();
    }
    return affine(draft) ? spec.withAffinity(affinity(draft)) : spec;
  }

  private static Container container(
      PodDraft draft, String image, List<String> command, List<String> args) {
    return new ContainerBuilder()
        .withName(MAIN)
        .withImage(image)
        .withCommand(command)
        .withArgs(args)
        .withEnv(List.copyOf(draft.env.values()))
        .withNewResources()
        .withLimits(draft.limits.isEmpty() ? null : new TreeMap<>(draft.limits))
        .withRequests(draft.requests.isEmpty() ? null : new TreeMap<>(draft.requests))
        .endResources()
        .withSecurityContext(security(draft))
        .withTerminationMessagePolicy("FallbackToLogsOnError")
        .withVolumeMounts(draft.mounts)
        .withVolumeDevices(draft.devices)
        .build();
  }

  private static SecurityContext security(PodDraft draft) {
    SecurityContextBuilder security = new SecurityContextBuilder();
    if (draft.privileged) {
      security.withPrivileged(true);
    } else {
      security.withAllowPrivilegeEscalation(false);
    }
    if (!draft.capabilities.isEmpty()) {
      security.withNewCapabilities().withAdd(List.copyOf(draft.capabilities)).endCapabilities();
    }
    return security.build();
  }

  private static boolean affine(PodDraft draft) {
    return !draft.required.isEmpty()
        || !draft.requiredFields.isEmpty()
        || !draft.together.isEmpty()
        || !draft.near.isEmpty();
  }

  private static Affinity affinity(PodDraft draft) {
    AffinityBuilder affinity = new AffinityBuilder();
    if (!draft.required.isEmpty() || !draft.requiredFields.isEmpty()) {
      affinity
          .withNewNodeAffinity()
          .withNewRequiredDuringSchedulingIgnoredDuringExecution()
          .addNewNodeSelectorTerm()
          .withMatchExpressions(draft.required)
          .withMatchFields(draft.requiredFields)
          .endNodeSelectorTerm()
          .endRequiredDuringSchedulingIgnoredDuringExecution()
          .endNodeAffinity();
    }
    if (!draft.together.isEmpty() || !draft.near.isEmpty()) {
      affinity
          .withNewPodAffinity()
          .withRequiredDuringSchedulingIgnoredDuringExecution(draft.together)
          .withPreferredDuringSchedulingIgnoredDuringExecution(draft.near)
          .endPodAffinity();
    }
    return affinity.build();
  }
}
