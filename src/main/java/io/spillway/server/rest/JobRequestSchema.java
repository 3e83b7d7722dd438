package io.spillway.server.rest;

import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * The form of a job for the API document. Bodies are read field by field, not bound to this; a test
 * holds its example against the reader.
 */
@Schema(name = "JobRequest", description = "A job to submit")
public record JobRequestSchema(
    @Schema(required = true, description = "a DNS label, not unique", maxLength = 63) String name,
    @Schema(required = true) String queue,
    @Schema(description = "one that the queue allows; default: the queue's") String priorityClass,
    @Schema(defaultValue = "true", type = SchemaType.BOOLEAN) Boolean preemptible,
    @Schema(required = true) String image,
    List<String> command,
    List<String> args,
    Map<String, String> env,
    List<SecretVariable> secrets,
    List<String> imagePullSecrets,
    @Schema(required = true) Resources resources,
    @Schema(
            enumeration = {"single", "pytorch-ddp", "deepspeed", "mpi"},
            defaultValue = "single")
        String framework,
    @Schema(
            enumeration = {"torchrun", "mpi"},
            defaultValue = "torchrun")
        String launcher,
    Network network,
    List<Mount> storage,
    @Schema(description = "a name that the cluster grants to the queue") String identity,
    Checkpoint checkpoint,
    Constraints constraints,
    @Schema(description = "running time over all attempts, such as 24h") String timeout,
    @Schema(description = "time to wait for a first start, such as 7d") String queueTtl,
    Map<String, String> labels) {

  /** A variable that a secret of the cluster fills. */
  @Schema(name = "SecretVariable")
  public record SecretVariable(
      @Schema(required = true) String env,
      @Schema(required = true) String secret,
      @Schema(required = true) String key) {}

  /** A node's share. */
  @Schema(name = "Resources")
  public record Resources(
      @Schema(defaultValue = "1", minimum = "1", type = SchemaType.INTEGER) Integer nodes,
      @Schema(defaultValue = "1", minimum = "1", maximum = "72", type = SchemaType.INTEGER)
          Integer gpusPerNode,
      @Schema(required = true, description = "canonical models, see /gpus") List<String> gpu,
      @Schema(type = SchemaType.INTEGER) Integer cpusPerNode,
      @Schema(type = SchemaType.INTEGER) Integer memoryGiBPerNode,
      @Schema(type = SchemaType.INTEGER) Integer sharedMemoryGiB) {}

  /** Whether the nodes need one fast fabric. */
  @Schema(name = "Network")
  public record Network(
      @Schema(
              enumeration = {"none", "preferred", "required"},
              defaultValue = "none")
          String rdma) {}

  /** Exactly one of s3, weights and volume. */
  @Schema(name = "Mount")
  public record Mount(
      @Schema(required = true) String mountPath, Bucket s3, String weights, String volume) {}

  /** A part of an S3 bucket. */
  @Schema(name = "Bucket")
  public record Bucket(
      @Schema(required = true) String bucket,
      String prefix,
      String region,
      @Schema(defaultValue = "true", type = SchemaType.BOOLEAN) Boolean readOnly) {}

  /** How the job saves its work. */
  @Schema(name = "Checkpoint")
  public record Checkpoint(
      @Schema(required = true, description = "such as 10m") String interval,
      @Schema(type = SchemaType.INTEGER) Integer sizeGiB) {}

  /** Where the user allows it; an empty list allows everything. */
  @Schema(name = "Constraints")
  public record Constraints(
      List<String> providers,
      List<String> regions,
      List<String> clusters,
      List<String> pools,
      @Schema(description = "USD, at most four decimals; text or number", type = SchemaType.STRING)
          String maxPricePerGpuHour) {}
}
