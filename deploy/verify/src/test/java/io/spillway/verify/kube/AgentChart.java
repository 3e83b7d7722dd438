package io.spillway.verify.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The agent's chart as it was installed in a cluster, but for its pods: they are the processes that
 * tests start and kill.
 *
 * @param account the agent's service account
 * @param token of that account
 * @param gate the gate's file as the chart writes it
 */
record AgentChart(
    List<JsonNode> objects, String namespace, String account, String token, Optional<Path> gate) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String GATE = "SPILLWAY_AGENT_GATE_FILE";

  /** Namespaces of the queues in the tests' policies. */
  static final List<String> QUEUES = List.of("spillway-research", "spillway-steady");

  /** What an operator says of the gate at the least. */
  static final String GATE_VALUES = "registries: [registry.example], maxGpus: 128";

  /**
   * Installs a release named after the cluster.
   *
   * @param name of the cluster, as Spillway knows it
   * @param jobs namespaces in which its jobs run
   */
  static AgentChart install(KubeCluster cluster, String name, List<String> jobs, Path directory)
      throws IOException, InterruptedException {
    return install(cluster, name, jobs, GATE_VALUES, directory);
  }

  /**
   * Installs a release named after the cluster.
   *
   * @param name of the cluster, as Spillway knows it
   * @param jobs namespaces in which its jobs run
   * @param gate the values of the gate
   */
  static AgentChart install(
      KubeCluster cluster, String name, List<String> jobs, String gate, Path directory)
      throws IOException, InterruptedException {
    String namespace = "agent-" + name;
    cluster.namespace(namespace);
    List<JsonNode> objects = new ArrayList<>();
    String account = "";
    List<JsonNode> rendered = new ArrayList<>(render(directory, name, namespace, jobs, gate));
    // Helm applies namespaces first; what it prints is in its order already, but for those kept.
    rendered.sort(
        Comparator.comparing(object -> !object.path("kind").asText().equals("Namespace")));
    for (JsonNode object : rendered) {
      if (object.path("kind").asText().equals("Deployment")) {
        JsonNode pod = object.path("spec").path("template").path("spec");
        account = pod.path("serviceAccountName").asText();
      } else {
        cluster.admin().apply(object).orFail();
      }
      objects.add(object);
    }
    return new AgentChart(
        List.copyOf(objects),
        namespace,
        account,
        cluster.tokenOf(namespace, account),
        gateOf(objects, directory));
  }

  private static List<JsonNode> render(
      Path directory, String name, String namespace, List<String> jobs, String gate)
      throws IOException, InterruptedException {
    Helm helm =
        new Helm(KubePrograms.find().orElseThrow(), directory.resolve("helm"), Optional.empty());
    Path values = directory.resolve("values.yaml");
    // As an operator would write them; the token is handed to the process, not to its Secret.
    Files.writeString(
        values,
        """
        cluster: %s
        server: http://spillway.example:8080
        token: of-another-installation
        namespaces: %s
        gate: {%s}
        """
            .formatted(name, JSON.writeValueAsString(jobs), gate));
    return helm.template(
        namespace,
        Helm.chart("spillway-agent"),
        "--namespace",
        namespace,
        "--values",
        values.toString());
  }

  /** The file that the container would find under the path its environment names. */
  private static Optional<Path> gateOf(List<JsonNode> objects, Path directory) throws IOException {
    for (JsonNode object : objects) {
      for (JsonNode container :
          object.path("spec").path("template").path("spec").path("containers")) {
        for (JsonNode variable : container.path("env")) {
          if (variable.path("name").asText().equals(GATE)) {
            String file = Path.of(variable.path("value").asText()).getFileName().toString();
            Path gate = directory.resolve(file);
            Files.writeString(gate, content(objects, file));
            return Optional.of(gate);
          }
        }
      }
    }
    return Optional.empty();
  }

  private static String content(List<JsonNode> objects, String file) {
    return objects.stream()
        .filter(object -> object.path("kind").asText().equals("ConfigMap"))
        .map(object -> object.path("data").path(file).asText(""))
        .filter(text -> !text.isEmpty())
        .findFirst()
        .orElseThrow(() -> new AssertionError("no ConfigMap of the chart holds " + file));
  }

  /** All that the chart's roles allow. */
  Set<RoleRight> rights() {
    Set<RoleRight> rights = new TreeSet<>();
    for (JsonNode object : objects) {
      if (object.path("kind").asText().endsWith("Role")) {
        for (JsonNode rule : object.path("rules")) {
          rights.addAll(RoleRight.of(object.path("metadata").path("name").asText(), rule));
        }
      }
    }
    return Set.copyOf(rights);
  }
}
