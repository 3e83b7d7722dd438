package io.spillway.server.kubernetes;

import io.fabric8.kubernetes.api.model.Quantity;
import io.spillway.policies.compute.ClusterKind;
import io.spillway.scheduler.model.GpuModel;
import io.spillway.server.jobs.JobSpec;
import java.util.Optional;

/** GPUs, CPUs and memory of a pod, and the runtime that shows them to it. */
final class Devices {
  private static final String NVIDIA_RUNTIME = "nvidia";

  private Devices() {}

  static void addTo(PodDraft pod, Placement placement) throws Untranslatable {
    pod.device(isAmd(placement) ? "amd.com/gpu" : "nvidia.com/gpu", placement.gpusPerNode());
    sizes(pod, placement.job().resources());
    runtimeClass(pod, placement);
    priorityClass(pod, placement);
    if (!isAmd(placement)) {
      // Which devices is the device plugin's word; "all" would break isolation.
      pod.envUnlessSet("NVIDIA_DRIVER_CAPABILITIES", "compute,utility");
    }
  }

  /** What a pod that needs no GPU carries: the launcher of an MPIJob. */
  static void classesTo(PodDraft pod, Placement placement) throws Untranslatable {
    priorityClass(pod, placement);
  }

  static boolean isAmd(Placement placement) {
    GpuModel model =
        placement.node().map(shape -> shape.gpu()).orElse(placement.job().resources().gpu().get(0));
    return model.name().startsWith("amd-");
  }

  private static void sizes(PodDraft pod, JobSpec.Resources resources) {
    if (resources.cpusPerNode() > 0) {
      // No limit: a throttled data loader starves its GPU.
      pod.requests.put("cpu", new Quantity(Integer.toString(resources.cpusPerNode())));
    }
    if (resources.memoryGiBPerNode() > 0) {
      Quantity memory = new Quantity(resources.memoryGiBPerNode() + "Gi");
      pod.requests.put("memory", memory);
      pod.limits.put("memory", memory);
    }
  }

  private static void runtimeClass(PodDraft pod, Placement placement) throws Untranslatable {
    Optional<String> written = placement.compute().scheduling().runtimeClass();
    if (written.isPresent()) {
      must(
          placement.ability().runtimeClasses().contains(written.get()),
          RefusalCode.RUNTIME_CLASS_MISSING,
          "the cluster has no RuntimeClass '" + written.get() + "', which its policy names");
      pod.runtimeClass = written;
    } else if (placement.kind() == ClusterKind.K3S
        && placement.ability().runtimeClasses().contains(NVIDIA_RUNTIME)) {
      // K3s makes it when it finds the toolkit, and gives no GPU without it unless told otherwise.
      pod.runtimeClass = Optional.of(NVIDIA_RUNTIME);
    }
  }

  private static void priorityClass(PodDraft pod, Placement placement) throws Untranslatable {
    Optional<String> written = placement.compute().scheduling().priorityClass();
    if (written.isPresent()) {
      must(
          placement.ability().priorityClasses().contains(written.get()),
          RefusalCode.PRIORITY_CLASS_MISSING,
          "the cluster has no PriorityClass '" + written.get() + "', which its policy names");
      pod.priorityClass = written;
    }
  }

  private static void must(boolean so, RefusalCode code, String otherwise) throws Untranslatable {
    if (!so) {
      throw new Untranslatable(code, otherwise);
    }
  }
}
