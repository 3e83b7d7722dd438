package io.spillway.server.gateway;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.ByteString;
import io.spillway.protocol.v1.ControlFrame;
import io.spillway.protocol.v1.Hold;
import io.spillway.protocol.v1.Launch;
import io.spillway.protocol.v1.Release;
import io.spillway.protocol.v1.Start;
import io.spillway.protocol.v1.Stop;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.AttemptState;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.model.PoolName;
import io.spillway.server.codec.StoreCodec;
import io.spillway.server.gateway.ManifestSource.Answer;
import io.spillway.server.gateway.ManifestSource.Purpose;
import io.spillway.server.policy.ClusterDocuments;
import io.vertx.sqlclient.Row;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** An attempt row that waits for its agent, as the frame that tells it. Any thread. */
final class CommandTranslation {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ClusterFacts facts;
  private final ManifestSource manifests;
  private final Words words;
  private final Duration grace;

  /** How stored records are read, what Cluster documents say, and what time it is. */
  record Words(StoreCodec codec, ClusterDocuments documents, Clock clock) {}

  /**
   * @param grace what a workload gets to end in when nothing says otherwise
   */
  CommandTranslation(ClusterFacts facts, ManifestSource manifests, Words words, Duration grace) {
    this.facts = facts;
    this.manifests = manifests;
    this.words = words;
    this.grace = grace;
  }

  /**
   * The command of a row.
   *
   * @throws IllegalStateException if it cannot be put into words, which is a fault of ours
   */
  Command of(Row row) {
    AttemptId attempt = AttemptId.parse(row.getString("job_id") + "-" + row.getInteger("number"));
    OfferingId offering = OfferingId.parse(row.getString("offering"));
    long epoch = row.getLong("command_epoch");
    String text = attempt.toString();
    ControlFrame.Builder frame = ControlFrame.newBuilder();
    Optional<Answer> objects = Optional.empty();
    switch (row.getString("command")) {
      case "START" -> {
        String spec = spec(row, attempt);
        objects = manifests.of(Purpose.START, wanted(row, attempt, offering, spec));
        frame.setStart(
            Start.newBuilder()
                .setAttempt(text)
                .setEpoch(epoch)
                .setLaunch(launch(attempt, offering, spec))
                .addAllManifests(bytes(objects)));
      }
      case "HOLD" -> {
        String spec = spec(row, attempt);
        objects = manifests.of(Purpose.HOLD, wanted(row, attempt, offering, spec));
        frame.setHold(
            Hold.newBuilder()
                .setAttempt(text)
                .setEpoch(epoch)
                .setLaunch(launch(attempt, offering, spec))
                .addAllManifests(bytes(objects)));
      }
      case "RELEASE" -> frame.setRelease(Release.newBuilder().setAttempt(text).setEpoch(epoch));
      case "STOP" -> frame.setStop(stop(row, text, epoch));
      default ->
          throw new IllegalStateException(
              "attempt " + attempt + " has the unknown command " + row.getString("command"));
    }
    long seq = row.getLong("command_seq");
    Command command =
        new Command(
            new ClusterName(row.getString("cluster")),
            attempt,
            Optional.of(offering),
            seq,
            frame.setStoreHead(seq).build());
    return objects.orElse(null) instanceof Answer.Unsayable unsayable
        ? command.refused(unsayable)
        : command;
  }

  private static String spec(Row row, AttemptId attempt) {
    String spec = row.getString("spec");
    if (spec == null) {
      throw new IllegalStateException("attempt " + attempt + " has no stored specification");
    }
    return spec;
  }

  private static ManifestSource.Wanted wanted(
      Row row, AttemptId attempt, OfferingId offering, String spec) {
    return new ManifestSource.Wanted(
        attempt,
        offering,
        spec,
        Arrays.stream(row.getArrayOfStrings("earlier")).map(ClusterName::new).toList());
  }

  private static List<ByteString> bytes(Optional<Answer> objects) {
    return objects.orElse(null) instanceof Answer.Objects made
        ? made.json().stream().map(ByteString::copyFromUtf8).toList()
        : List.of();
  }

  /** The stop of a workload that no attempt accounts for. */
  static Command ofStray(ClusterName cluster, AttemptId attempt, long epoch, long seq) {
    Stop stop =
        Stop.newBuilder().setAttempt(attempt.toString()).setEpoch(epoch).setReason("STRAY").build();
    return new Command(
        cluster,
        attempt,
        Optional.empty(),
        seq,
        ControlFrame.newBuilder().setStop(stop).setStoreHead(seq).build());
  }

  private Stop stop(Row row, String attempt, long epoch) {
    String core = row.getString("core");
    Duration left =
        core == null
            ? grace
            : left(words.codec().read(row.getInteger("core_format"), core, Attempt.class).state());
    String reason = row.getString("reason");
    return Stop.newBuilder()
        .setAttempt(attempt)
        .setEpoch(epoch)
        .setGraceMs(left.toMillis())
        .setReason(reason == null ? "" : reason)
        .build();
  }

  /** The time to the attempt's deadline; what was given up already gets the usual grace. */
  private Duration left(AttemptState state) {
    if (!(state instanceof AttemptState.Ending ending)) {
      return grace;
    }
    Duration left = Duration.between(words.clock().instant(), ending.deadline());
    return left.isNegative() ? Duration.ZERO : left;
  }

  private Launch launch(AttemptId attempt, OfferingId offering, String spec) {
    JsonNode job = tree(attempt, spec);
    JsonNode resources = job.path("resources");
    Launch.Builder launch =
        Launch.newBuilder()
            .setJobName(job.path("name").asText())
            .setQueue(job.path("queue").asText())
            .setNamespace(namespace(offering.cluster(), job.path("queue").asText()))
            .setZone(offering.zone())
            .setInstanceType(offering.instanceType())
            .setCapacityType(offering.capacityType().text())
            .setPool(offering.pool().map(PoolName::value).orElse(""))
            .setNodes(resources.path("nodes").asInt(1))
            .setGpusPerNode(resources.path("gpusPerNode").asInt(1))
            .setGpu(gpu(offering, resources.path("gpu")))
            .setImage(job.path("image").asText())
            .setFramework(job.path("framework").asText("single"))
            .setLauncher(job.path("launcher").asText("torchrun"))
            .setRdma(job.path("network").path("rdma").asText("none"))
            .setSpecJson(spec)
            .setGraceMs(grace.toMillis());
    job.path("command").forEach(word -> launch.addCommand(word.asText()));
    job.path("args").forEach(word -> launch.addArgs(word.asText()));
    job.path("env")
        .properties()
        .forEach(entry -> launch.putEnv(entry.getKey(), entry.getValue().asText()));
    return launch.build();
  }

  private String namespace(ClusterName cluster, String queue) {
    return facts
        .policy(cluster)
        .map(policy -> policy.namespace().replace("{queue}", queue))
        .orElse("");
  }

  /** The offering's model; of several that the job takes it is the one that is there. */
  private String gpu(OfferingId offering, JsonNode models) {
    String wanted = models.isArray() ? models.path(0).asText() : models.asText();
    return models.size() <= 1
        ? wanted
        : facts.gpu(offering.instanceType()).map(GpuModel::name).orElse(wanted);
  }

  private static JsonNode tree(AttemptId attempt, String spec) {
    try {
      return JSON.readTree(spec);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the specification of " + attempt + " is no JSON", e);
    }
  }
}
