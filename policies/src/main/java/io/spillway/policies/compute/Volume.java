package io.spillway.policies.compute;

import io.spillway.scheduler.model.QueueName;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Something that jobs mount by name.
 *
 * @param store what it is in truth; equal stores of two clusters hold the same files. Empty = it is
 *     this cluster's alone, unless the source itself is reached from everywhere
 */
public record Volume(
    Source source, boolean readOnly, Optional<String> store, SortedSet<QueueName> queues) {

  public Volume {
    queues = Collections.unmodifiableSortedSet(new TreeSet<>(queues));
  }

  /** Where it lies. */
  public sealed interface Source {}

  /** A PersistentVolumeClaim of the namespace, mounted as a file system. */
  public record Claim(String name) implements Source {}

  /**
   * A PersistentVolumeClaim of the namespace that is a raw device, attached to many nodes at once;
   * the container mounts the file system on it, read-only. OCI Block Volume knows no other way to
   * many nodes.
   *
   * @param fsType {@code ext4} or {@code xfs}
   */
  public record Device(String claim, String fsType) implements Source {}

  /**
   * A part of a bucket that speaks S3, mounted by Mountpoint.
   *
   * @param prefix without a slash at the end; empty = all of it
   * @param endpoint of a store that is not Amazon's
   */
  public record S3(String bucket, String prefix, Optional<String> region, Optional<String> endpoint)
      implements Source {}

  /** A part of a Google Cloud Storage bucket, mounted by GCS FUSE. */
  public record Gcs(String bucket, String prefix) implements Source {}

  /**
   * An Azure Blob container, mounted by blobfuse.
   *
   * @param clientId the managed identity that may read it
   */
  public record AzureBlob(String storageAccount, String container, Optional<String> clientId)
      implements Source {}

  /** A part of an OCI Object Storage bucket. */
  public record OciBucket(String namespace, String bucket, String prefix) implements Source {}

  /** A path of every node, for example a cache on local NVMe. */
  public record HostPath(String path) implements Source {}

  /** What other clusters must name too to hold the same files; empty = nobody else can. */
  public Optional<String> reach() {
    return store.or(
        () ->
            switch (source) {
              case S3 s3 ->
                  Optional.of(
                      "s3:" + s3.endpoint().orElse("") + '/' + s3.bucket() + '/' + s3.prefix());
              case Gcs gcs -> Optional.of("gcs:" + gcs.bucket() + '/' + gcs.prefix());
              case AzureBlob blob ->
                  Optional.of("azure:" + blob.storageAccount() + '/' + blob.container());
              case OciBucket oci ->
                  Optional.of("oci:" + oci.namespace() + '/' + oci.bucket() + '/' + oci.prefix());
              case Claim claim -> Optional.empty();
              case Device device -> Optional.empty();
              case HostPath path -> Optional.empty();
            });
  }
}
