package io.spillway.server.kubernetes;

import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.spillway.policies.compute.ClusterKind;
import io.spillway.policies.compute.Volume;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Buckets as file systems, each by its cloud's own CSI driver. Methods return whether the mount is
 * read-only.
 */
final class Buckets {
  private static final String S3_DRIVER = "s3.csi.aws.com";
  private static final String GCS_DRIVER = "gcsfuse.csi.storage.gke.io";
  private static final String BLOB_DRIVER = "blob.csi.azure.com";

  /** One word of a mount option: nothing that could begin another. */
  private static final Pattern ONE_WORD = Pattern.compile("[A-Za-z0-9!_.*'()/-]+");

  /** Object stores have no size; the API wants one. */
  private static final Quantity ANY_SIZE = new Quantity("1Ti");

  private final PodDraft pod;
  private final Placement placement;
  private final Names names;
  private final Marks marks;

  Buckets(PodDraft pod, Placement placement, Names names, Marks marks) {
    this.pod = pod;
    this.placement = placement;
    this.names = names;
    this.marks = marks;
  }

  /** Mountpoint takes static volumes only: one of each attempt's own, since handles are unique. */
  boolean s3(int index, String name, Volume.S3 s3, boolean readOnly) throws Untranslatable {
    driver(S3_DRIVER, "an S3 bucket");
    List<String> options = new ArrayList<>();
    s3.region().ifPresent(region -> options.add("region " + region));
    s3.endpoint()
        .ifPresent(
            endpoint -> {
              options.add("endpoint-url " + endpoint);
              options.add("force-path-style");
            });
    if (!s3.prefix().isEmpty()) {
      options.add("prefix " + directory(s3.prefix()));
    }
    options.add("allow-other");
    if (readOnly) {
      options.add("read-only");
    } else {
      options.add("allow-delete");
      options.add("allow-overwrite");
    }
    Map<String, String> attributes = new TreeMap<>();
    attributes.put("bucketName", s3.bucket());
    attributes.put("authenticationSource", authentication(s3.endpoint().isEmpty()));
    s3.region().ifPresent(region -> attributes.put("stsRegion", region));
    volume(index, name, options, attributes, readOnly);
    return readOnly;
  }

  /**
   * OCI has no driver for its Object Storage; Mountpoint reads it by its S3 interface. That needs
   * the driver's own keys: a pod's workload identity opens the native interface only.
   */
  boolean oci(int index, String name, Volume.OciBucket oci, boolean readOnly)
      throws Untranslatable {
    String endpoint =
        "https://%s.compat.objectstorage.%s.oraclecloud.com"
            .formatted(oci.namespace(), placement.site().policy().region());
    return s3(
        index,
        name,
        new Volume.S3(
            oci.bucket(),
            oci.prefix(),
            Optional.of(placement.site().policy().region()),
            Optional.of(endpoint)),
        readOnly);
  }

  /** Inline, by the pod's own account; the webhook adds the sidecar that mounts it. */
  boolean gcs(String name, Volume.Gcs gcs, boolean readOnly) throws Untranslatable {
    driver(GCS_DRIVER, "a Google Cloud Storage bucket");
    identity("a Google Cloud Storage bucket");
    Map<String, String> attributes = new TreeMap<>();
    attributes.put("bucketName", gcs.bucket());
    attributes.put(
        "mountOptions",
        gcs.prefix().isEmpty() ? "implicit-dirs" : "implicit-dirs,only-dir=" + word(gcs.prefix()));
    pod.annotations.put("gke-gcsfuse/volumes", "true");
    inline(name, GCS_DRIVER, attributes, readOnly);
    return readOnly;
  }

  /** Inline, by the workload identity's token where the policy names its client. */
  boolean azure(String name, Volume.AzureBlob blob, boolean readOnly) throws Untranslatable {
    driver(BLOB_DRIVER, "an Azure Blob container");
    Map<String, String> attributes = new TreeMap<>();
    attributes.put("storageAccount", blob.storageAccount());
    attributes.put("containerName", blob.container());
    attributes.put("protocol", "fuse2");
    attributes.put("mountOptions", "-o allow_other --file-cache-timeout-in-seconds=120");
    if (blob.clientId().isPresent()) {
      identity("an Azure Blob container");
      attributes.put("clientID", blob.clientId().get());
      attributes.put("mountWithWorkloadIdentityToken", "true");
    } else {
      driversOwn("an Azure Blob container");
      attributes.put("AzureStorageAuthType", "MSI");
    }
    inline(name, BLOB_DRIVER, attributes, readOnly);
    return readOnly;
  }

  private void volume(
      int index,
      String name,
      List<String> options,
      Map<String, String> attributes,
      boolean readOnly) {
    String object = names.storage(index);
    String mode = readOnly ? "ReadOnlyMany" : "ReadWriteMany";
    pod.support.add(
        new PersistentVolumeBuilder()
            .withMetadata(marks.clusterWide(object, "support"))
            .withNewSpec()
            .addToCapacity("storage", ANY_SIZE)
            .withAccessModes(mode)
            .withStorageClassName("")
            .withPersistentVolumeReclaimPolicy("Retain")
            .withClaimRef(
                new ObjectReferenceBuilder()
                    .withNamespace(names.namespace())
                    .withName(object)
                    .build())
            .withMountOptions(options)
            .withNewCsi()
            .withDriver(S3_DRIVER)
            .withVolumeHandle(object)
            .withVolumeAttributes(attributes)
            .endCsi()
            .endSpec()
            .build());
    pod.support.add(
        new PersistentVolumeClaimBuilder()
            .withMetadata(marks.object(object, "support"))
            .withNewSpec()
            .withAccessModes(mode)
            .withStorageClassName("")
            .withVolumeName(object)
            .withNewResources()
            .addToRequests("storage", ANY_SIZE)
            .endResources()
            .endSpec()
            .build());
    pod.volumes.add(
        new VolumeBuilder()
            .withName(name)
            .withNewPersistentVolumeClaim()
            .withClaimName(object)
            .endPersistentVolumeClaim()
            .build());
  }

  private void inline(
      String name, String driver, Map<String, String> attributes, boolean readOnly) {
    pod.volumes.add(
        new VolumeBuilder()
            .withName(name)
            .withNewCsi()
            .withDriver(driver)
            .withReadOnly(readOnly ? true : null)
            .withVolumeAttributes(attributes)
            .endCsi()
            .build());
  }

  /** The pod's own account on EKS, which is where an identity opens S3; else the driver's. */
  private String authentication(boolean amazons) throws Untranslatable {
    if (amazons
        && placement.kind() == ClusterKind.EKS
        && Identities.granted(placement).isPresent()) {
      return "pod";
    }
    driversOwn("an S3 bucket");
    return "driver";
  }

  private void driversOwn(String what) throws Untranslatable {
    if (!placement.compute().allow().driverIdentity()) {
      throw new Untranslatable(
          RefusalCode.STORAGE_NEEDS_IDENTITY,
          what
              + " would be opened here with the storage driver's own rights, which the cluster's"
              + " policy does not allow (allow.driverIdentity); where the cloud has one, the job"
              + " can name an identity");
    }
  }

  private void identity(String what) throws Untranslatable {
    if (Identities.granted(placement).isEmpty()) {
      throw new Untranslatable(
          RefusalCode.STORAGE_NEEDS_IDENTITY,
          what + " is opened by the pod's own identity here: the job must name one");
    }
  }

  private void driver(String name, String what) throws Untranslatable {
    if (!placement.ability().csiDrivers().contains(name)) {
      throw new Untranslatable(
          RefusalCode.CSI_DRIVER_MISSING,
          what + " is mounted by the CSI driver " + name + ", which the cluster does not have");
    }
  }

  private static String directory(String prefix) throws Untranslatable {
    String one = word(prefix);
    return one.endsWith("/") ? one : one + '/';
  }

  private static String word(String prefix) throws Untranslatable {
    if (!ONE_WORD.matcher(prefix).matches()) {
      throw new Untranslatable(
          RefusalCode.STORAGE_SOURCE,
          "the prefix '" + prefix + "' cannot be one word of a mount option");
    }
    return prefix;
  }
}
