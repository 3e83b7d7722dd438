package io.spillway.verify.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.spillway.verify.kube.KubeApi.Answer;
import io.spillway.verify.kube.KubeWorld.Kubernetes;
import io.spillway.verify.real.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Every golden manifest of every cluster kind passes a dry run of server-side apply, with strict
 * validation of fields, the definitions of JobSet and MPIJob, and JobSet's webhooks. The pods that
 * their controllers would make are tried as pods too: a custom resource's schema lets through what
 * the API server would refuse of a pod.
 */
@Kubernetes
class ManifestsAreAcceptedTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Path MANIFESTS = Repository.root().resolve("src/test/resources/manifests");
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/";
  private static final String REQUESTS = DEFINITIONS + "provisioningrequests.autoscaling.x-k8s.io";
  private static final Map<String, Integer> CLASSES =
      Map.of("spillway-placeholder", -10, "gpu", 10);

  /** The cluster serves ProvisioningRequests from then on. */
  static void defineRequests(KubeApi admin) throws IOException, InterruptedException {
    try (var definition =
        ManifestsAreAcceptedTest.class.getResourceAsStream("/kube/provisioningrequests.yaml")) {
      admin.apply(new YAMLMapper().readTree(definition)).orFail();
    }
    await("ProvisioningRequest is served")
        .atMost(Duration.ofSeconds(30))
        .until(() -> admin.get("/apis/autoscaling.x-k8s.io/v1/provisioningrequests").ok());
  }

  @BeforeAll
  static void prepare(KubeWorld world) throws Exception {
    KubeApi admin = world.cluster().admin();
    defineRequests(admin);
    world.cluster().namespace("spillway-research");
    // What a pod names must be there for the pod to be admitted.
    for (Map.Entry<String, Integer> each : CLASSES.entrySet()) {
      // As the agent's chart makes the placeholders': what of it another test finds is the same.
      ObjectNode priority = object("scheduling.k8s.io/v1", "PriorityClass", each.getKey());
      priority.put("value", each.getValue()).put("preemptionPolicy", "Never");
      admin.apply(priority).orFail();
    }
    ObjectNode runtime = object("node.k8s.io/v1", "RuntimeClass", "nvidia");
    admin.apply(runtime.put("handler", "nvidia")).orFail();
    for (Path file : golden()) {
      for (JsonNode account : JSON.readTree(file.toFile())) {
        if (account.path("kind").asText().equals("ServiceAccount")) {
          admin.apply(account).orFail();
        }
      }
    }
  }

  @AfterAll
  static void tidy(KubeWorld world) throws Exception {
    // Agents of other tests would hold nodes by requests that nobody here answers.
    world.cluster().admin().delete(REQUESTS).orFail();
    world.cluster().admin().delete("/apis/node.k8s.io/v1/runtimeclasses/nvidia").orFail();
    world.cluster().admin().delete("/apis/scheduling.k8s.io/v1/priorityclasses/gpu").orFail();
  }

  private static ObjectNode object(String version, String kind, String name) {
    ObjectNode object = JSON.createObjectNode().put("apiVersion", version).put("kind", kind);
    object.putObject("metadata").put("name", name);
    return object;
  }

  private static List<Path> golden() throws IOException {
    try (Stream<Path> files = Files.walk(MANIFESTS)) {
      return files.filter(file -> file.toString().endsWith(".json")).sorted().toList();
    }
  }

  @Test
  void every_golden_manifest_passes_a_dry_run_with_the_real_schema(KubeWorld world)
      throws Exception {
    KubeApi admin = world.cluster().admin();
    List<String> refused = new ArrayList<>();
    // Manifests of one shape differ in a few fields: equal objects need not be tried twice.
    Set<String> tried = new HashSet<>();
    List<Path> golden = golden();
    for (Path file : golden) {
      for (JsonNode object : JSON.readTree(file.toFile())) {
        for (JsonNode each : withPods(object)) {
          if (tried.add(each.toString())) {
            Answer answer = admin.dryRun(each);
            if (!answer.ok()) {
              refused.add(
                  MANIFESTS.relativize(file).toString()
                      + ' '
                      + each.path("kind").asText()
                      + ": "
                      + answer.message());
            }
          }
        }
      }
    }
    System.out.printf(
        "[kubernetes] %d manifests, %d different objects and pods tried%n",
        golden.size(), tried.size());
    assertThat(golden).hasSizeGreaterThan(200);
    assertThat(refused).isEmpty();
  }

  /** The object, and the pods that it describes in a custom resource. */
  private static List<JsonNode> withPods(JsonNode object) {
    List<JsonNode> all = new ArrayList<>(List.of(object));
    String namespace = object.path("metadata").path("namespace").asText();
    for (JsonNode job : object.path("spec").path("replicatedJobs")) {
      all.add(pod(job.path("template").path("spec").path("template"), namespace));
    }
    for (JsonNode replica : object.path("spec").path("mpiReplicaSpecs")) {
      all.add(pod(replica.path("template"), namespace));
    }
    if (object.path("kind").asText().equals("PodTemplate")) {
      all.add(pod(object.path("template"), namespace));
    }
    return all;
  }

  private static JsonNode pod(JsonNode template, String namespace) {
    ObjectNode pod = object("v1", "Pod", "of-a-template");
    ObjectNode metadata = (ObjectNode) pod.path("metadata");
    metadata.put("namespace", namespace);
    metadata.set("labels", template.path("metadata").path("labels"));
    if (template.path("metadata").has("annotations")) {
      metadata.set("annotations", template.path("metadata").path("annotations"));
    }
    pod.set("spec", template.path("spec"));
    return pod;
  }
}
