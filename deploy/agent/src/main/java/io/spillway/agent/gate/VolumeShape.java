package io.spillway.agent.gate;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Volumes. Of the many kinds only those that jobs need; none of them brings in a token, a secret
 * file, another machine's export or a device by number.
 */
final class VolumeShape {
  private static final String NAME = "[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?";
  private static final Shape QUANTITY = Shape.matching("[0-9.]{1,20}([EPTGMkm]i?|Ki)?");

  /** Drivers that mount object storage for the pod's own identity. */
  private static final String[] INLINE = {"gcsfuse.csi.storage.gke.io", "blob.csi.azure.com"};

  private static final String[] PERSISTENT = {
    "s3.csi.aws.com",
    "fsx.csi.aws.com",
    "efs.csi.aws.com",
    "blob.csi.azure.com",
    "gcsfuse.csi.storage.gke.io",
    "blockvolume.csi.oraclecloud.com",
    "fss.csi.oraclecloud.com",
    "lustre.csi.oraclecloud.com",
    "csi.vastdata.com"
  };

  private final GateRules rules;

  VolumeShape(GateRules rules) {
    this.rules = rules;
  }

  Shape shape() {
    return Shape.fields()
        .must("name", Shape.matching(NAME))
        .may(
            "emptyDir",
            Shape.fields().may("medium", Shape.oneOf("", "Memory")).may("sizeLimit", QUANTITY))
        .may(
            "hostPath",
            Shape.fields()
                .must("path", Shape.text(this::allowed, "a path that this cluster does not allow"))
                .may("type", Shape.oneOf("", "Directory", "File", "CharDevice", "BlockDevice")))
        .may(
            "persistentVolumeClaim",
            Shape.fields().must("claimName", Shape.matching(NAME)).may("readOnly", Shape.flag()))
        .may(
            "configMap",
            Shape.fields()
                .must("name", Shape.matching(NAME))
                .may("defaultMode", Shape.number(0, 0777))
                .may("optional", Shape.flag()))
        .may(
            "csi",
            Shape.fields()
                .must("driver", Shape.oneOf(INLINE))
                .may("readOnly", Shape.flag())
                .may("volumeAttributes", attributes()))
        .and(VolumeShape::one);
  }

  private static Shape attributes() {
    return Shape.map(key -> key.matches("[A-Za-z0-9_.-]{1,63}"), Shape.text(1024));
  }

  private static void one(String path, JsonNode volume) throws RefusedException {
    if (volume.size() != 2) {
      throw new RefusedException(path + ", which is not of exactly one kind");
    }
  }

  /** The path itself or below it, without a way up again. */
  private boolean allowed(String path) {
    boolean plain = path.matches("/[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*");
    boolean climbs = path.matches("(.*/)?[.]{1,2}(/.*)?");
    return plain
        && !climbs
        && rules.hostPaths().stream()
            .anyMatch(rule -> path.equals(rule) || path.startsWith(rule + "/"));
  }

  /** A claim on storage. */
  static Shape claim() {
    return Shape.fields()
        .must("accessModes", modes())
        .must("resources", Shape.fields().must("requests", Shape.map("storage"::equals, QUANTITY)))
        .may("storageClassName", Shape.text(253))
        .may("volumeName", Shape.matching(NAME))
        .may("volumeMode", Shape.oneOf("Filesystem", "Block"));
  }

  /** A volume that exists already, bound to a claim of the attempt; what is on it stays. */
  Shape persistent() {
    return Shape.fields()
        .must("accessModes", modes())
        .must("capacity", Shape.map("storage"::equals, QUANTITY))
        .must("persistentVolumeReclaimPolicy", Shape.oneOf("Retain"))
        .must(
            "claimRef",
            Shape.fields()
                .must("name", Shape.matching(NAME))
                .must(
                    "namespace",
                    Shape.text(
                        ns -> GateRules.names(rules.namespaces(), ns),
                        "a namespace that is not allowed")))
        .must(
            "csi",
            Shape.fields()
                .must("driver", Shape.oneOf(PERSISTENT))
                .must("volumeHandle", Shape.text(1024))
                .may("fsType", Shape.oneOf("ext4", "xfs", "lustre"))
                .may("readOnly", Shape.flag())
                .may("volumeAttributes", attributes()))
        .may("storageClassName", Shape.oneOf(""))
        .may("volumeMode", Shape.oneOf("Filesystem", "Block"))
        // The prefix of a bucket may be as long as a key, and holds what S3 calls safe.
        .may("mountOptions", Shape.list(Shape.matching("[-A-Za-z0-9_=./,: !*'()]{1,1100}"), 32));
  }

  private static Shape modes() {
    return Shape.list(
        Shape.oneOf("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod"), 4);
  }
}
