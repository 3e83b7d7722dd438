package io.spillway.agent.gate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the control plane's translation writes for every kind of cluster passes its gate. */
class TranslatedManifestsTest {
  private static final Path GOLDEN =
      Path.of(System.getProperty("spillway.root"), "src/test/resources/manifests");
  private static final ObjectMapper JSON = new ObjectMapper();

  /** What the Cluster documents of these manifests allow, and nothing else. */
  private static final Map<String, GateRules> RULES =
      Map.of(
          "aks", rules(false, List.of()),
          "coreweave", rules(false, List.of()),
          "eks", rules(false, List.of()),
          "gke", rules(false, List.of("/home/kubernetes/bin")),
          "k3s", rules(true, List.of("/dev/infiniband", "/mnt/local")),
          "oke", rules(true, List.of("/dev/infiniband", "/mnt/nvme")));

  private static GateRules rules(boolean bareMetal, List<String> paths) {
    Set<String> kinds = new java.util.HashSet<>(GateRules.ALL_KINDS);
    kinds.addAll(GateRules.MORE_KINDS);
    return new GateRules(
        kinds,
        List.of("spillway-*"),
        List.of("trainer"),
        List.of("registry.example"),
        bareMetal,
        paths,
        bareMetal,
        64,
        List.of("gpu", "spillway-placeholder"),
        List.of("nvidia"));
  }

  @Test
  void every_translated_manifest_of_every_cluster_kind_passes() throws IOException {
    Map<String, String> refused = new TreeMap<>();
    int passed = 0;
    for (String cluster : RULES.keySet()) {
      for (Path file : files(cluster)) {
        List<byte[]> manifests = new ArrayList<>();
        String attempt = "";
        String name = "";
        boolean hold = false;
        for (JsonNode object : JSON.readTree(file.toFile())) {
          JsonNode labels = object.at("/metadata/labels");
          attempt = labels.path("spillway.io/attempt").asText(attempt);
          name = labels.path("spillway.io/cluster").asText(name);
          hold |= labels.path("spillway.io/role").asText().equals("hold");
          manifests.add(object.toString().getBytes(StandardCharsets.UTF_8));
        }
        Gate gate = new Gate(name, RULES.get(cluster));
        Gate.Command command = hold ? Gate.Command.HOLD : Gate.Command.START;
        if (gate.check(attempt, command, manifests) instanceof Gate.Refused no) {
          refused.put(cluster + "/" + file.getFileName(), no.reason());
        } else {
          passed++;
        }
      }
    }
    assertThat(refused).isEmpty();
    assertThat(passed).isGreaterThan(200);
  }

  private static List<Path> files(String cluster) throws IOException {
    try (Stream<Path> files = Files.list(GOLDEN.resolve(cluster))) {
      return files.filter(file -> file.toString().endsWith(".json")).sorted().toList();
    }
  }
}
