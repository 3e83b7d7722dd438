package io.spillway.server.jobs;

import io.spillway.server.json.JsonFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads a job's mounts. */
final class StorageReader {
  private StorageReader() {}

  static List<JobSpec.Mount> read(JsonFields job) {
    List<JobSpec.Mount> mounts = new ArrayList<>();
    for (JsonFields fields : job.objects("storage", 32)) {
      Optional<JobSpec.Mount> mount = mount(fields);
      if (mount.isPresent() && taken(mounts, mount.get().mountPath())) {
        fields.fault("mountPath", "is used by another mount");
      }
      mount.ifPresent(mounts::add);
    }
    return mounts;
  }

  private static Optional<JobSpec.Mount> mount(JsonFields fields) {
    if (!fields.has("mountPath")) {
      fields.fault("mountPath", "is required");
    }
    Optional<String> path = fields.parsed("mountPath", 255, SpecSyntax::mountPath);
    long sources = List.of("s3", "weights", "volume").stream().filter(fields::has).count();
    if (sources != 1) {
      fields.fault("", "names exactly one of s3, weights, volume");
    }
    Optional<JobSpec.Bucket> s3 = fields.object("s3").flatMap(StorageReader::bucket);
    Optional<String> weights = fields.parsed("weights", 63, SpecSyntax::dnsLabel);
    Optional<String> volume = fields.parsed("volume", 63, SpecSyntax::dnsLabel);
    fields.end();
    return path.map(at -> new JobSpec.Mount(at, s3, weights, volume));
  }

  private static Optional<JobSpec.Bucket> bucket(JsonFields fields) {
    if (!fields.has("bucket")) {
      fields.fault("bucket", "is required");
    }
    Optional<String> bucket = fields.parsed("bucket", 63, SpecSyntax::bucket);
    String prefix = fields.parsed("prefix", 1024, SpecSyntax::prefix).orElse("");
    Optional<String> region = fields.parsed("region", 63, SpecSyntax::region);
    boolean readOnly = fields.flag("readOnly").orElse(true);
    fields.end();
    return bucket.map(name -> new JobSpec.Bucket(name, prefix, region, readOnly));
  }

  private static boolean taken(List<JobSpec.Mount> mounts, String path) {
    return mounts.stream().anyMatch(mount -> mount.mountPath().equals(path));
  }
}
