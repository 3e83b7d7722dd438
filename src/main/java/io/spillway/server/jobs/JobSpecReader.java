package io.spillway.server.jobs;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.model.JobShape;
import io.spillway.scheduler.model.PoolName;
import io.spillway.scheduler.model.QueueName;
import io.spillway.scheduler.model.Rdma;
import io.spillway.scheduler.model.UsdPerGpuHour;
import io.spillway.server.json.Durations;
import io.spillway.server.json.Faults;
import io.spillway.server.json.JsonFields;
import io.spillway.server.json.StrictJson;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** JSON to {@link JobSpec}: form, types, syntax and sizes; nothing that needs the policies. */
public final class JobSpecReader {
  /** The most bytes that a job may have. */
  public static final int MAX_BYTES = 256 * 1024;

  static final int MAX_LABELS = 32;
  private static final int MAX_TEXT = 32 * 1024;
  private static final int MAX_NAME = 253;
  private static final String NOT_YET = "not supported by this version";

  private JobSpecReader() {}

  /** The specification, or empty when there is a fault (which then stands in {@code faults}). */
  public static Optional<JobSpec> read(ObjectNode body, String path, Faults faults) {
    JsonFields job = new JsonFields(path, body, faults);
    Optional<String> name = job.requiredText("name", 63).flatMap(valid(job, "name"));
    Optional<QueueName> queue =
        job.requiredText("queue", 63).flatMap(valid(job, "queue")).map(QueueName::new);
    Optional<String> priorityClass = job.text("priorityClass", 63);
    boolean preemptible = job.flag("preemptible").orElse(true);
    JobSpec.Program program = program(job);
    Optional<JobSpec.Resources> resources = resources(job);
    JobSpec.Launch launch = launch(job);
    List<JobSpec.Mount> storage = StorageReader.read(job);
    Optional<String> identity = job.parsed("identity", 63, SpecSyntax::dnsLabel);
    Optional<JobSpec.Checkpoint> checkpoint = checkpoint(job);
    JobShape.Constraints constraints = constraints(job);
    Optional<Duration> timeout = job.parsed("timeout", 40, Durations::parse);
    Optional<Duration> queueTtl = job.parsed("queueTtl", 40, Durations::parse);
    Map<String, String> labels = labels(job);
    refuseWhatIsNotThereYet(job);
    job.end();
    if (!faults.isEmpty() && faults.concerns(path)) {
      return Optional.empty();
    }
    return Optional.of(
        new JobSpec(
            name.orElseThrow(),
            queue.orElseThrow(),
            priorityClass,
            preemptible,
            program,
            resources.orElseThrow(),
            launch,
            storage,
            identity,
            checkpoint,
            constraints,
            timeout,
            queueTtl,
            JobSpec.sorted(labels)));
  }

  /**
   * Reads what {@link JobSpecJson} wrote into the store.
   *
   * @throws IllegalStateException if it is not that: a bug or a damaged store
   */
  public static JobSpec stored(String specJson) {
    byte[] bytes = specJson.getBytes(StandardCharsets.UTF_8);
    Faults faults = new Faults();
    return read(StrictJson.object(bytes, 4 * MAX_BYTES), "", faults)
        .orElseThrow(() -> new IllegalStateException("stored specification: " + faults.errors()));
  }

  /** Labels of a job or of a patch, checked; a faulty one is left out. */
  static Map<String, String> labels(JsonFields fields) {
    Map<String, String> labels = fields.texts("labels", MAX_LABELS, 63);
    labels.forEach(
        (key, value) -> {
          fault(fields, "labels", () -> SpecSyntax.labelKey(key));
          fault(fields, "labels." + key, () -> SpecSyntax.labelValue(value));
        });
    return labels;
  }

  private static JobSpec.Program program(JsonFields job) {
    Optional<String> image =
        job.requiredText("image", 512)
            .filter(text -> fault(job, "image", () -> SpecSyntax.image(text)));
    List<String> command = job.list("command", 256, MAX_TEXT, text -> text);
    List<String> args = job.list("args", 1024, MAX_TEXT, text -> text);
    Map<String, String> env = job.texts("env", 256, MAX_TEXT);
    env.keySet().forEach(key -> fault(job, "env", () -> SpecSyntax.env(key)));
    List<JobSpec.SecretVariable> secrets =
        job.objects("secrets", 64).stream().flatMap(s -> secret(s).stream()).toList();
    for (JobSpec.SecretVariable secret : secrets) {
      if (env.containsKey(secret.env())
          || secrets.stream().filter(other -> other.env().equals(secret.env())).count() > 1) {
        job.fault("secrets", "sets " + secret.env() + ", which is set elsewhere too");
      }
    }
    List<String> pull = job.list("imagePullSecrets", 16, MAX_NAME, SpecSyntax::subdomain);
    return new JobSpec.Program(image.orElse(""), command, args, JobSpec.sorted(env), secrets, pull);
  }

  private static Optional<JobSpec.SecretVariable> secret(JsonFields fields) {
    Optional<String> env =
        fields.requiredText("env", 128).filter(t -> fault(fields, "env", () -> SpecSyntax.env(t)));
    Optional<String> name = fields.requiredText("secret", 63).flatMap(valid(fields, "secret"));
    Optional<String> key =
        fields
            .requiredText("key", MAX_NAME)
            .filter(t -> fault(fields, "key", () -> SpecSyntax.secretKey(t)));
    fields.end();
    return env.isEmpty() || name.isEmpty() || key.isEmpty()
        ? Optional.empty()
        : Optional.of(new JobSpec.SecretVariable(env.get(), name.get(), key.get()));
  }

  private static Optional<JobSpec.Resources> resources(JsonFields job) {
    Optional<JsonFields> object = job.object("resources");
    if (object.isEmpty()) {
      if (!job.faults().concerns(job.at("resources"))) {
        job.fault("resources.gpu", "is required");
      }
      return Optional.empty();
    }
    JsonFields fields = object.get();
    if (!fields.has("gpu")) {
      fields.fault("gpu", "is required");
    }
    List<GpuModel> gpus = fields.list("gpu", 32, MAX_NAME, SpecSyntax::gpu);
    if (gpus.isEmpty() && !fields.faults().concerns(fields.at("gpu"))) {
      fields.fault("gpu", "must name at least one model");
    }
    int memory = fields.count("memoryGiBPerNode", 1, 65_536).orElse(0);
    int shared = fields.count("sharedMemoryGiB", 1, 65_536).orElse(0);
    if (memory > 0 && shared > memory) {
      fields.fault("sharedMemoryGiB", "is more than memoryGiBPerNode");
    }
    JobSpec.Resources resources =
        new JobSpec.Resources(
            fields.count("nodes", 1, 10_000).orElse(1),
            fields.count("gpusPerNode", 1, 72).orElse(1),
            gpus.stream().sorted().distinct().toList(),
            fields.count("cpusPerNode", 1, 4_096).orElse(0),
            memory,
            shared);
    fields.end();
    return Optional.of(resources);
  }

  private static JobSpec.Launch launch(JsonFields job) {
    JobSpec.Framework framework =
        job.parsed(
                "framework", 40, SpecSyntax.oneOf(JobSpec.Framework.class, JobSpec.Framework::text))
            .orElse(JobSpec.Framework.SINGLE);
    JobSpec.Launcher launcher =
        job.parsed("launcher", 40, SpecSyntax.oneOf(JobSpec.Launcher.class, JobSpec.Launcher::text))
            .orElse(
                framework == JobSpec.Framework.MPI
                    ? JobSpec.Launcher.MPI
                    : JobSpec.Launcher.TORCHRUN);
    Rdma rdma = Rdma.NONE;
    Optional<JsonFields> network = job.object("network");
    if (network.isPresent()) {
      rdma =
          network
              .get()
              .parsed("rdma", 40, SpecSyntax.oneOf(Rdma.class, SpecSyntax::lower))
              .orElse(Rdma.NONE);
      network.get().end();
    }
    return new JobSpec.Launch(framework, launcher, rdma);
  }

  private static Optional<JobSpec.Checkpoint> checkpoint(JsonFields job) {
    Optional<JsonFields> object = job.object("checkpoint");
    if (object.isEmpty()) {
      return Optional.empty();
    }
    JsonFields fields = object.get();
    if (!fields.has("interval")) {
      fields.fault("interval", "is required");
    }
    Optional<Duration> interval = fields.parsed("interval", 40, Durations::parse);
    int size = fields.count("sizeGiB", 0, 1_000_000).orElse(0);
    fields.end();
    return interval.map(every -> new JobSpec.Checkpoint(every, size));
  }

  private static JobShape.Constraints constraints(JsonFields job) {
    Optional<JsonFields> object = job.object("constraints");
    if (object.isEmpty()) {
      return JobShape.Constraints.NONE;
    }
    JsonFields fields = object.get();
    JobShape.Constraints constraints =
        new JobShape.Constraints(
            fields.list("providers", 64, 63, SpecSyntax::provider),
            fields.list("regions", 64, 63, SpecSyntax::region),
            fields.list("clusters", 64, 63, text -> new ClusterName(SpecSyntax.dnsLabel(text))),
            fields.list("pools", 64, 63, text -> new PoolName(SpecSyntax.dnsLabel(text))),
            price(fields));
    fields.end();
    return constraints;
  }

  private static Optional<UsdPerGpuHour> price(JsonFields fields) {
    return fields
        .amount("maxPricePerGpuHour")
        .flatMap(
            text -> {
              try {
                return Optional.of(UsdPerGpuHour.parse(text));
              } catch (IllegalArgumentException e) {
                fields.fault("maxPricePerGpuHour", e.getMessage());
                return Optional.empty();
              }
            });
  }

  /** Accepting a field and ignoring it would be a lie. */
  private static void refuseWhatIsNotThereYet(JsonFields job) {
    for (String field : List.of("deadline", "expectedDuration", "stallTimeout", "array")) {
      if (job.has(field)) {
        job.fault(field, NOT_YET);
      }
    }
    if (job.value("dependsOn").filter(v -> !(v.isArray() && v.isEmpty())).isPresent()) {
      job.fault("dependsOn", NOT_YET);
    }
  }

  private static java.util.function.Function<String, Optional<String>> valid(
      JsonFields fields, String name) {
    return text ->
        fault(fields, name, () -> SpecSyntax.dnsLabel(text)) ? Optional.of(text) : Optional.empty();
  }

  private static boolean fault(JsonFields fields, String name, Runnable check) {
    try {
      check.run();
      return true;
    } catch (IllegalArgumentException e) {
      fields.fault(name, e.getMessage());
      return false;
    }
  }
}
