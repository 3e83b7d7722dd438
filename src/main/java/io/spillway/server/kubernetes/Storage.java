package io.spillway.server.kubernetes;

import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeDevice;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import io.spillway.policies.compute.ClusterCompute;
import io.spillway.policies.compute.Volume;
import io.spillway.server.jobs.JobSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a job mounts, in the cluster's own words. Names of volumes and weights are the policy's;
 * buckets are opened by the job's identity, or by the storage driver's own where the policy says
 * so.
 */
final class Storage {
  private final PodDraft pod;
  private final Placement placement;
  private final Buckets buckets;

  private Storage(PodDraft pod, Placement placement, Names names, Marks marks) {
    this.pod = pod;
    this.placement = placement;
    this.buckets = new Buckets(pod, placement, names, marks);
  }

  static void addTo(PodDraft pod, Placement placement, Names names, Marks marks)
      throws Untranslatable {
    Storage storage = new Storage(pod, placement, names, marks);
    List<JobSpec.Mount> mounts = placement.job().storage();
    for (int i = 0; i < mounts.size(); i++) {
      storage.mount(i, mounts.get(i));
    }
  }

  private void mount(int index, JobSpec.Mount mount) throws Untranslatable {
    if (pod.mounts.stream().anyMatch(there -> there.getMountPath().equals(mount.mountPath()))) {
      throw new Untranslatable(
          RefusalCode.STORAGE_PATH,
          "something that the job needs in this cluster is mounted at " + mount.mountPath());
    }
    if (mount.s3().isPresent()) {
      JobSpec.Bucket bucket = mount.s3().get();
      Volume.S3 source =
          new Volume.S3(bucket.bucket(), bucket.prefix(), bucket.region(), Optional.empty());
      mount(index, mount.mountPath(), source, bucket.readOnly());
    } else if (mount.weights().isPresent()) {
      named(index, mount, mount.weights().get(), RefusalCode.WEIGHTS_NOT_GRANTED);
    } else {
      named(index, mount, mount.volume().orElseThrow(), RefusalCode.VOLUME_NOT_GRANTED);
    }
  }

  private void named(int index, JobSpec.Mount mount, String name, RefusalCode otherwise)
      throws Untranslatable {
    boolean weights = otherwise == RefusalCode.WEIGHTS_NOT_GRANTED;
    Map<String, Volume> known =
        weights ? placement.compute().grants().weights() : placement.compute().grants().volumes();
    Volume volume = known.get(name);
    if (volume == null || !volume.queues().contains(placement.queue())) {
      throw new Untranslatable(
          otherwise,
          "the cluster grants the %s '%s' to no job of this queue"
              .formatted(weights ? "weights" : "volume", name));
    }
    if (!weights && !volume.readOnly()) {
      reachable(name, volume);
    }
    mount(index, mount.mountPath(), volume.source(), volume.readOnly());
  }

  /**
   * A job that saves checkpoints goes on from them: where it ran before, the volume of that name
   * must have been the same one. Better no launch than a silent start from nothing.
   */
  private void reachable(String name, Volume here) throws Untranslatable {
    if (placement.job().checkpoint().isEmpty()) {
      return;
    }
    for (ClusterCompute before : placement.earlier()) {
      Volume there = before.grants().volumes().get(name);
      boolean same =
          before.name().equals(placement.compute().name())
              || (there != null && there.reach().isPresent() && there.reach().equals(here.reach()));
      if (!same) {
        throw new Untranslatable(
            RefusalCode.CHECKPOINTS_OUT_OF_REACH,
            "the job ran in %s and its checkpoints lie on the volume '%s' there, which %s cannot"
                    .formatted(before.name(), name, placement.compute().name())
                + " read; volumes that hold the same files say so by the same store");
      }
    }
  }

  private void mount(int index, String path, Volume.Source source, boolean readOnly)
      throws Untranslatable {
    String name = "s" + index;
    switch (source) {
      case Volume.Claim claim -> {
        pod.volumes.add(
            new VolumeBuilder()
                .withName(name)
                .withNewPersistentVolumeClaim()
                .withClaimName(claim.name())
                .withReadOnly(readOnly ? true : null)
                .endPersistentVolumeClaim()
                .build());
        pod.mounts.add(at(name, path, readOnly));
      }
      case Volume.Device device -> device(name, path, device);
      case Volume.HostPath host -> hostPath(name, path, host, readOnly);
      case Volume.S3 s3 -> pod.mounts.add(at(name, path, buckets.s3(index, name, s3, readOnly)));
      case Volume.OciBucket oci ->
          pod.mounts.add(at(name, path, buckets.oci(index, name, oci, readOnly)));
      case Volume.Gcs gcs -> pod.mounts.add(at(name, path, buckets.gcs(name, gcs, readOnly)));
      case Volume.AzureBlob blob ->
          pod.mounts.add(at(name, path, buckets.azure(name, blob, readOnly)));
    }
  }

  /**
   * OCI Block Volume goes to many nodes only as a raw device that all may write; its file system is
   * mounted read-only, and without its journal's replay, by the container itself. Reference §4.2.
   */
  private void device(String name, String path, Volume.Device device) throws Untranslatable {
    if (!placement.compute().allow().privileged()) {
      throw new Untranslatable(
          RefusalCode.PRIVILEGED_NOT_ALLOWED,
          "a raw device is mounted by a privileged container, which the cluster's policy does not"
              + " allow");
    }
    if (placement.job().program().command().isEmpty()) {
      throw new Untranslatable(
          RefusalCode.STORAGE_NEEDS_COMMAND,
          "a raw device is mounted before the program starts: the job must say its command");
    }
    pod.volumes.add(
        new VolumeBuilder()
            .withName(name)
            .withNewPersistentVolumeClaim()
            .withClaimName(device.claim())
            .endPersistentVolumeClaim()
            .build());
    String at = "/dev/spillway-" + name;
    pod.devices.add(new VolumeDevice(at, name));
    pod.privileged = true;
    // The user's path is a variable, so that no word of it becomes part of the script.
    String variable = "SPILLWAY_MOUNT_" + name.toUpperCase(java.util.Locale.ROOT);
    pod.env(variable, path);
    String options = device.fsType().equals("xfs") ? "ro,norecovery" : "ro,noload";
    pod.preludes.add(
        "mkdir -p \"$%s\" && mount -t %s -o %s %s \"$%s\""
            .formatted(variable, device.fsType(), options, at, variable));
  }

  private void hostPath(String name, String path, Volume.HostPath host, boolean readOnly)
      throws Untranslatable {
    if (!placement.compute().allow().hostPath(host.path())) {
      throw new Untranslatable(
          RefusalCode.HOST_PATH_NOT_ALLOWED,
          "the cluster's policy names " + host.path() + " as storage and does not allow it");
    }
    pod.volumes.add(
        new VolumeBuilder()
            .withName(name)
            .withNewHostPath()
            .withPath(host.path())
            .withType("Directory")
            .endHostPath()
            .build());
    pod.mounts.add(at(name, path, readOnly));
  }

  private static VolumeMount at(String name, String path, boolean readOnly) {
    return new VolumeMountBuilder()
        .withName(name)
        .withMountPath(path)
        .withReadOnly(readOnly ? true : null)
        .build();
  }
}
