package io.spillway.verify.kube;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.spillway.standalone.StandaloneWorld;
import io.spillway.standalone.WorldPlan;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.awaitility.core.ConditionTimeoutException;

/** The server, its database and its broker as processes, and what a user says to it. */
public final class ControlPlane implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final StandaloneWorld world;

  private ControlPlane(StandaloneWorld world) {
    this.world = world;
  }

  /** How the tests of this package want it: clusters are theirs, failures are soon forgiven. */
  public static WorldPlan plan(Path data, Path policies, Set<String> clusters) {
    return WorldPlan.on(data)
        .withPolicies(policies)
        .withUnattended(clusters)
        .withProbeInterval("2s")
        .withServerProperty("spillway.policies.settle", "1s");
  }

  public static ControlPlane start(WorldPlan plan) throws IOException, InterruptedException {
    return new ControlPlane(StandaloneWorld.open(plan));
  }

  public StandaloneWorld world() {
    return world;
  }

  /** Where agents connect to. */
  int port() {
    return world.server(0).port();
  }

  /** A job of whole H100 nodes that runs for some seconds. */
  static ObjectNode job(String name, int nodes, String seconds) {
    ObjectNode job = JSON.createObjectNode();
    job.put("name", name).put("queue", "research").put("image", "registry.example/train:1");
    job.put("framework", nodes > 1 ? "pytorch-ddp" : "single");
    job.putArray("command").add("python").add("train.py");
    ObjectNode resources = job.putObject("resources").put("nodes", nodes).put("gpusPerNode", 8);
    resources.putArray("gpu").add("nvidia-h100-80gb");
    job.putObject("env").put("SIM_RUN_SECONDS", seconds);
    return job;
  }

  /** Submits, and answers the job's id. */
  String submit(ObjectNode job) throws IOException, InterruptedException {
    return world.server(0).api().post("/api/v1/jobs", job, Map.of()).ok().path("id").asText();
  }

  JsonNode get(String path) throws IOException, InterruptedException {
    return world.server(0).api().get(path).ok();
  }

  JsonNode post(String path) throws IOException, InterruptedException {
    return world.server(0).api().post(path).ok();
  }

  JsonNode post(String path, ObjectNode body) throws IOException, InterruptedException {
    return world.server(0).api().post(path, body, Map.of()).ok();
  }

  /** Asks for a job's log, which no kubelet here has; answers what is said of it. */
  String askForLog(String job) throws InterruptedException {
    try {
      return world.server(0).api().text("/api/v1/jobs/" + job + "/logs");
    } catch (IOException refused) {
      return refused.getMessage();
    }
  }

  String state(String job) throws IOException, InterruptedException {
    return get("/api/v1/jobs/" + job).path("state").asText();
  }

  List<JsonNode> attempts(String job) throws IOException, InterruptedException {
    return StreamSupport.stream(
            get("/api/v1/jobs/" + job + "/attempts").path("items").spliterator(), false)
        .toList();
  }

  /** Waits until the job is in one of these states; says what it is if it never comes. */
  void awaitState(String job, String... states) {
    try {
      await("job " + job + " becomes " + Arrays.toString(states))
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(100))
          .ignoreExceptionsInstanceOf(IOException.class)
          .until(() -> Arrays.asList(states).contains(state(job)));
    } catch (ConditionTimeoutException e) {
      throw new AssertionError(e.getMessage() + "\n" + explained(job), e);
    }
  }

  private String explained(String job) {
    try {
      return get("/api/v1/jobs/" + job) + "\n" + get("/api/v1/jobs/" + job + "/explain");
    } catch (IOException e) {
      return "and nobody says why: " + e.getMessage();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  /** The one attempt that counts now, or an empty object. */
  JsonNode lastAttempt(String job) throws IOException, InterruptedException {
    List<JsonNode> all = attempts(job);
    return all.isEmpty() ? JSON.createObjectNode() : all.getLast();
  }

  /** Waits until the n-th attempt of a job is in one of these states, and answers it. */
  JsonNode awaitAttempt(String job, int number, String... states) {
    return await("attempt " + number + " of " + job + " becomes " + Arrays.toString(states))
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(100))
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(
            () ->
                attempts(job).stream()
                    .filter(attempt -> attempt.path("number").asInt() == number)
                    .findFirst()
                    .orElseGet(JSON::createObjectNode),
            attempt -> Arrays.asList(states).contains(attempt.path("state").asText()));
  }

  /** Waits until the cluster's agent has its stream. */
  void awaitConnected(String cluster) {
    awaitCluster(cluster, "CONNECTED", PATIENCE);
  }

  void awaitCluster(String cluster, String state, Duration patience) {
    await(cluster + " becomes " + state)
        .atMost(patience)
        .pollInterval(Duration.ofMillis(100))
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(() -> clusterState(cluster).equals(state));
  }

  String clusterState(String cluster) throws IOException, InterruptedException {
    return StreamSupport.stream(get("/api/v1/clusters").path("items").spliterator(), false)
        .filter(item -> item.path("name").asText().equals(cluster))
        .map(item -> item.path("state").asText())
        .findFirst()
        .orElse("");
  }

  /** Waits until the cluster is heard, and knows so many nodes. */
  public void awaitNodes(String cluster, int nodes) {
    awaitNodes(cluster, nodes, PATIENCE);
  }

  void awaitNodes(String cluster, int nodes, Duration patience) {
    await(cluster + " shows " + nodes + " nodes")
        .atMost(patience)
        .pollInterval(Duration.ofMillis(200))
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(
            () ->
                StreamSupport.stream(get("/api/v1/nodes").path("items").spliterator(), false)
                        .filter(node -> node.path("cluster").asText().equals(cluster))
                        .count()
                    >= nodes);
  }

  @Override
  public void close() {
    world.close();
  }
}
