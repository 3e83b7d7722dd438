package io.spillway.server.jobs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.model.JobShape;
import io.spillway.server.json.Durations;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A specification as canonical JSON: keys sorted, defaults filled in, durations and prices in their
 * shortest form; what was not given and has no default is left out. Equal specifications have equal
 * texts, however they were written.
 */
public final class JobSpecJson {
  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS).build();

  private JobSpecJson() {}

  /** The canonical JSON. */
  public static String write(JobSpec spec) {
    try {
      return JSON.writeValueAsString(tree(spec));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a specification is always JSON", e);
    }
  }

  /** SHA-256 of the text, hexadecimal: tells a repeat from a conflict. */
  public static String hash(String canonical) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256")
                  .digest(canonical.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static Map<String, Object> tree(JobSpec spec) {
    Map<String, Object> job = new TreeMap<>();
    job.put("name", spec.name());
    job.put("queue", spec.queue().value());
    put(job, "priorityClass", spec.priorityClass());
    job.put("preemptible", spec.preemptible());
    JobSpec.Program program = spec.program();
    job.put("image", program.image());
    job.put("command", program.command());
    job.put("args", program.args());
    job.put("env", program.env());
    job.put("secrets", program.secrets().stream().map(JobSpecJson::secret).toList());
    job.put("imagePullSecrets", program.imagePullSecrets());
    job.put("resources", resources(spec.resources()));
    job.put("framework", spec.launch().framework().text());
    job.put("launcher", spec.launch().launcher().text());
    job.put("network", Map.of("rdma", SpecSyntax.lower(spec.launch().rdma())));
    job.put("storage", spec.storage().stream().map(JobSpecJson::mount).toList());
    put(job, "identity", spec.identity());
    put(job, "checkpoint", spec.checkpoint().map(JobSpecJson::checkpoint));
    job.put("constraints", constraints(spec.constraints()));
    put(job, "timeout", spec.timeout().map(Durations::text));
    put(job, "queueTtl", spec.queueTtl().map(Durations::text));
    job.put("labels", spec.labels());
    return job;
  }

  private static Map<String, Object> secret(JobSpec.SecretVariable secret) {
    return new TreeMap<>(
        Map.of("env", secret.env(), "secret", secret.secret(), "key", secret.key()));
  }

  private static Map<String, Object> resources(JobSpec.Resources resources) {
    Map<String, Object> map = new TreeMap<>();
    map.put("nodes", resources.nodes());
    map.put("gpusPerNode", resources.gpusPerNode());
    map.put("gpu", resources.gpu().stream().map(GpuModel::name).toList());
    putIfSet(map, "cpusPerNode", resources.cpusPerNode());
    putIfSet(map, "memoryGiBPerNode", resources.memoryGiBPerNode());
    putIfSet(map, "sharedMemoryGiB", resources.sharedMemoryGiB());
    return map;
  }

  private static Map<String, Object> mount(JobSpec.Mount mount) {
    Map<String, Object> map = new TreeMap<>();
    map.put("mountPath", mount.mountPath());
    put(map, "s3", mount.s3().map(JobSpecJson::bucket));
    put(map, "weights", mount.weights());
    put(map, "volume", mount.volume());
    return map;
  }

  private static Map<String, Object> bucket(JobSpec.Bucket bucket) {
    Map<String, Object> map = new TreeMap<>();
    map.put("bucket", bucket.bucket());
    map.put("prefix", bucket.prefix());
    put(map, "region", bucket.region());
    map.put("readOnly", bucket.readOnly());
    return map;
  }

  private static Map<String, Object> checkpoint(JobSpec.Checkpoint checkpoint) {
    Map<String, Object> map = new TreeMap<>();
    map.put("interval", Durations.text(checkpoint.interval()));
    putIfSet(map, "sizeGiB", checkpoint.sizeGiB());
    return map;
  }

  private static Map<String, Object> constraints(JobShape.Constraints constraints) {
    Map<String, Object> map = new TreeMap<>();
    map.put("providers", constraints.providers());
    map.put("regions", constraints.regions());
    map.put("clusters", texts(constraints.clusters()));
    map.put("pools", texts(constraints.pools()));
    put(
        map,
        "maxPricePerGpuHour",
        constraints.maxPricePerGpuHour().map(price -> price.dollars().toPlainString()));
    return map;
  }

  private static List<String> texts(Collection<?> names) {
    return names.stream().map(Object::toString).toList();
  }

  private static void put(Map<String, Object> map, String key, Optional<?> value) {
    value.ifPresent(present -> map.put(key, present));
  }

  private static void putIfSet(Map<String, Object> map, String key, int value) {
    if (value > 0) {
      map.put(key, value);
    }
  }
}
