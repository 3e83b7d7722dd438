package io.spillway.server.kubernetes;

import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import io.spillway.policies.compute.ClusterCompute.SecretRef;
import io.spillway.server.jobs.JobSpec;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** The environment of a job's container, its shared memory, and what it tells and is told. */
final class Surroundings {
  /**
   * Set by us or by the cluster's device plugin and webhooks; a user's word would break isolation.
   */
  private static final Set<String> RESERVED =
      Set.of("NVIDIA_VISIBLE_DEVICES", "JOB_COMPLETION_INDEX", "K_MPI_JOB_ROLE");

  private static final int SHARE_OF_MEMORY = 2;

  private Surroundings() {}

  /** The first to be called: variables that others may refer to stand before them. */
  static void addTo(PodDraft pod, Placement placement) throws Untranslatable {
    pod.graceSeconds = GraceTimes.seconds(placement);
    ours(pod, placement);
    users(pod, placement.job());
    secrets(pod, placement);
    pullSecrets(pod, placement);
    sharedMemory(pod, placement);
    pod.volume(
        new VolumeBuilder()
            .withName("spillway")
            .withNewEmptyDir()
            .withSizeLimit(new Quantity("16Mi"))
            .endEmptyDir()
            .build(),
        new VolumeMountBuilder().withName("spillway").withMountPath("/spillway").build());
  }

  private static void ours(PodDraft pod, Placement placement) {
    pod.env("SPILLWAY_JOB_ID", placement.attempt().job().value());
    pod.env("SPILLWAY_JOB_NAME", placement.job().name());
    pod.env("SPILLWAY_QUEUE", placement.queue().value());
    pod.env("SPILLWAY_ATTEMPT", Integer.toString(placement.attempt().number()));
    pod.env("SPILLWAY_CLUSTER", placement.offering().cluster().value());
    pod.env("SPILLWAY_NODES", Integer.toString(placement.nodes()));
    pod.env("SPILLWAY_GPUS_PER_NODE", Integer.toString(placement.gpusPerNode()));
    pod.env("SPILLWAY_CAPACITY_TYPE", placement.offering().capacityType().text());
    pod.env("SPILLWAY_CHECKPOINT_SIGNAL", "SIGTERM");
    pod.env("SPILLWAY_GRACE_SECONDS", Integer.toString(pod.graceSeconds));
  }

  private static void users(PodDraft pod, JobSpec job) {
    job.program()
        .env()
        .forEach(
            (name, value) -> {
              if (!RESERVED.contains(name)) {
                pod.envUnlessSet(name, value);
              }
            });
  }

  private static void secrets(PodDraft pod, Placement placement) throws Untranslatable {
    for (JobSpec.SecretVariable secret : placement.job().program().secrets()) {
      SecretRef granted = placement.compute().grants().secrets().get(secret.secret());
      if (granted == null || !granted.queues().contains(placement.queue())) {
        throw new Untranslatable(
            RefusalCode.SECRET_NOT_GRANTED,
            "the cluster grants the secret '" + secret.secret() + "' to no job of this queue");
      }
      if (!RESERVED.contains(secret.env())) {
        pod.env.putIfAbsent(
            secret.env(),
            new EnvVarBuilder()
                .withName(secret.env())
                .withNewValueFrom()
                .withNewSecretKeyRef()
                .withName(granted.name())
                .withKey(secret.key())
                .endSecretKeyRef()
                .endValueFrom()
                .build());
      }
    }
  }

  /**
   * By the cluster's word; where it says nothing of that name and the namespace is the queue's own,
   * the Secret of that very name.
   */
  private static void pullSecrets(PodDraft pod, Placement placement) throws Untranslatable {
    boolean ownNamespace = placement.site().policy().namespace().contains("{queue}");
    // Sorted and once each: the API server merges them by name.
    SortedSet<String> secrets = new TreeSet<>();
    for (String name : placement.job().program().imagePullSecrets()) {
      SecretRef named = placement.compute().grants().pullSecrets().get(name);
      boolean granted = named == null ? ownNamespace : named.queues().contains(placement.queue());
      if (!granted) {
        throw new Untranslatable(
            RefusalCode.PULL_SECRET_NOT_GRANTED,
            "the cluster grants the pull secret '" + name + "' to no job of this queue");
      }
      secrets.add(named == null ? name : named.name());
    }
    secrets.forEach(secret -> pod.pullSecrets.add(new LocalObjectReference(secret)));
  }

  /** PyTorch's loaders and NCCL share memory by it; the runtime's 64 MiB are too few. */
  private static void sharedMemory(PodDraft pod, Placement placement) {
    JobSpec.Resources resources = placement.job().resources();
    int gib = resources.sharedMemoryGiB();
    if (gib == 0) {
      gib = placement.compute().sharedMemoryGiB();
      if (resources.memoryGiBPerNode() > 0) {
        // It counts as the pod's memory.
        gib = Math.max(1, Math.min(gib, resources.memoryGiBPerNode() / SHARE_OF_MEMORY));
      }
    }
    pod.volume(
        new VolumeBuilder()
            .withName("shm")
            .withNewEmptyDir()
            .withMedium("Memory")
            .withSizeLimit(new Quantity(gib + "Gi"))
            .endEmptyDir()
            .build(),
        new VolumeMountBuilder().withName("shm").withMountPath("/dev/shm").build());
  }
}
