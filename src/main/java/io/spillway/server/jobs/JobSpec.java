package io.spillway.server.jobs;

import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.model.JobOrder;
import io.spillway.scheduler.model.JobShape;
import io.spillway.scheduler.model.QueueName;
import io.spillway.scheduler.model.Rdma;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A job as its user specified it, defaults filled in. The scheduler sees {@link #order} only; the
 * rest travels with the start command.
 *
 * @param priorityClass empty = the queue's default
 */
public record JobSpec(
    String name,
    QueueName queue,
    Optional<String> priorityClass,
    boolean preemptible,
    Program program,
    Resources resources,
    Launch launch,
    List<Mount> storage,
    Optional<String> identity,
    Optional<Checkpoint> checkpoint,
    JobShape.Constraints constraints,
    Optional<Duration> timeout,
    Optional<Duration> queueTtl,
    SortedMap<String, String> labels) {

  public JobSpec {
    storage = List.copyOf(storage);
    labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
  }

  /** The same under that priority class. */
  public JobSpec in(String classOfQueue) {
    return new JobSpec(
        name,
        queue,
        Optional.of(classOfQueue),
        preemptible,
        program,
        resources,
        launch,
        storage,
        identity,
        checkpoint,
        constraints,
        timeout,
        queueTtl,
        labels);
  }

  /**
   * What the scheduler needs to know.
   *
   * @throws IllegalStateException if the priority class was not filled in
   */
  public JobOrder order() {
    return new JobOrder(
        name,
        queue,
        priorityClass.orElseThrow(() -> new IllegalStateException("no priority class")),
        preemptible,
        new JobShape(
            resources.nodes(),
            resources.gpusPerNode(),
            resources.gpu(),
            resources.cpusPerNode(),
            resources.memoryGiBPerNode(),
            launch.rdma(),
            needs(),
            constraints),
        checkpoint.map(Checkpoint::interval),
        timeout,
        queueTtl);
  }

  private JobShape.Needs needs() {
    return new JobShape.Needs(
        identity,
        storage.stream().flatMap(m -> m.volume().stream()).toList(),
        storage.stream().flatMap(m -> m.weights().stream()).toList(),
        program.secrets().stream().map(SecretVariable::secret).toList());
  }

  /** What runs on every node. */
  public record Program(
      String image,
      List<String> command,
      List<String> args,
      SortedMap<String, String> env,
      List<SecretVariable> secrets,
      List<String> imagePullSecrets) {
    public Program {
      command = List.copyOf(command);
      args = List.copyOf(args);
      env = Collections.unmodifiableSortedMap(new TreeMap<>(env));
      secrets = List.copyOf(secrets);
      imagePullSecrets = List.copyOf(imagePullSecrets);
    }
  }

  /** An environment variable that a named secret of the cluster fills. */
  public record SecretVariable(String env, String secret, String key) {}

  /**
   * A node's share.
   *
   * @param cpusPerNode 0 = whatever the node has; likewise {@code memoryGiBPerNode}
   * @param sharedMemoryGiB 0 = the cluster's default
   */
  public record Resources(
      int nodes,
      int gpusPerNode,
      List<GpuModel> gpu,
      int cpusPerNode,
      int memoryGiBPerNode,
      int sharedMemoryGiB) {
    public Resources {
      gpu = List.copyOf(gpu);
    }
  }

  /** How the gang is wired together. */
  public record Launch(Framework framework, Launcher launcher, Rdma rdma) {}

  /** What the program expects to find in its environment. */
  public enum Framework {
    SINGLE("single"),
    PYTORCH_DDP("pytorch-ddp"),
    DEEPSPEED("deepspeed"),
    MPI("mpi");

    private final String text;

    Framework(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }

  /** Who starts the members. */
  public enum Launcher {
    TORCHRUN("torchrun"),
    MPI("mpi");

    private final String text;

    Launcher(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }

  /** Something mounted at a path; exactly one of the sources is there. */
  public record Mount(
      String mountPath, Optional<Bucket> s3, Optional<String> weights, Optional<String> volume) {}

  /** A part of an S3 bucket. */
  public record Bucket(String bucket, String prefix, Optional<String> region, boolean readOnly) {}

  /**
   * How the job saves its work.
   *
   * @param sizeGiB 0 = not told
   */
  public record Checkpoint(Duration interval, int sizeGiB) {}

  /** The same labels, for callers that change them. */
  public static SortedMap<String, String> sorted(Map<String, String> map) {
    return Collections.unmodifiableSortedMap(new TreeMap<>(map));
  }
}
