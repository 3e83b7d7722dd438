package io.spillway.verify.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.spillway.verify.kube.KubeApi;
import io.spillway.verify.kube.KubeWorld;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The life of a release in a real cluster, by the real Helm, while a job runs there. */
@KubeWorld.Kubernetes
class ReleaseLifeTest {
  private static final String JOBS = "spillway-life";
  private static final String SYSTEM = "spillway-life-system";

  /** What the agent has made and what it remembers, as it makes it: without owners. */
  private static final String OBJECTS =
      """
      apiVersion: v1
      kind: ServiceAccount
      metadata: {name: trainer, namespace: spillway-life}
      ---
      apiVersion: batch/v1
      kind: Job
      metadata:
        name: j-life
        namespace: spillway-life
        labels: {spillway.io/attempt: life-1, spillway.io/cluster: eks-ohio, spillway.io/role: workload}
      spec:
        template:
          metadata: {labels: {spillway.io/attempt: life-1}}
          spec:
            restartPolicy: Never
            serviceAccountName: trainer
            containers: [{name: main, image: "registry.k8s.io/pause:3.10"}]
      ---
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: spillway-agent-eks-ohio, namespace: spillway-life-system, labels: {spillway.io/agent-memory: eks-ohio}}
      data: {epoch: "7"}
      """;

  @Test
  void upgrade_uninstall_and_a_new_install_leave_a_running_job_alone(KubeWorld world)
      throws Exception {
    KubeApi admin = world.cluster().admin();
    Path config = world.cluster().adminConfig();
    // The priority class may be there already, from a test before.
    helm(
        config,
        "install",
        "--create-namespace",
        "--take-ownership",
        "--force-conflicts",
        "--set",
        "namespaces={" + JOBS + "}");
    for (JsonNode object : Rendered.of(OBJECTS).objects()) {
      admin.apply(object).orFail();
    }
    await("the job's pod").atMost(Duration.ofSeconds(30)).until(() -> !pods(admin).isEmpty());
    Map<String, String> before = identities(admin);

    helm(config, "upgrade", "--set", "namespaces={" + JOBS + "}", "--set", "gate.maxGpus=8");
    assertThat(identities(admin)).as("after an upgrade").isEqualTo(before);

    helm(config, "upgrade", "--set", "namespaces={spillway-life-other}");
    assertThat(identities(admin)).as("after the namespace left the values").isEqualTo(before);

    HelmProgram.Run gone =
        HelmProgram.run(
            List.of(
                "uninstall", "spillway-agent", "-n", SYSTEM, "--kubeconfig", config.toString()));
    assertThat(gone.exit()).as(gone.output()).isZero();
    assertThat(
            admin
                .get("/apis/apps/v1/namespaces/" + SYSTEM + "/deployments/spillway-agent")
                .status())
        .isEqualTo(404);
    assertThat(identities(admin)).as("after the uninstall").isEqualTo(before);

    helm(config, "install", "--set", "namespaces={" + JOBS + "}");
    assertThat(identities(admin)).as("after a new install").isEqualTo(before);
  }

  private static void helm(Path config, String command, String... settings)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of(command, "spillway-agent"));
    words.addAll(List.of(Chart.AGENT.path().toString(), "--namespace", SYSTEM));
    words.addAll(List.of("--kubeconfig", config.toString()));
    words.addAll(List.of("--values", Chart.AGENT.example("line").toString()));
    words.addAll(List.of(settings));
    HelmProgram.Run run = HelmProgram.run(words);
    assertThat(run.exit()).as(run.output()).isZero();
  }

  private static List<JsonNode> pods(KubeApi admin) throws IOException, InterruptedException {
    return admin.list("/api/v1/namespaces/" + JOBS + "/pods?labelSelector=spillway.io/attempt");
  }

  /** Each object's uid: one that was made anew has another. None may be on its way out. */
  private static Map<String, String> identities(KubeApi admin)
      throws IOException, InterruptedException {
    List<JsonNode> objects = new ArrayList<>(pods(admin));
    for (String path :
        List.of(
            "/api/v1/namespaces/" + JOBS,
            "/api/v1/namespaces/" + JOBS + "/serviceaccounts/trainer",
            "/apis/batch/v1/namespaces/" + JOBS + "/jobs/j-life",
            "/api/v1/namespaces/" + SYSTEM + "/configmaps/spillway-agent-eks-ohio",
            "/apis/scheduling.k8s.io/v1/priorityclasses/spillway-placeholder")) {
      objects.add(admin.get(path).orFail());
    }
    Map<String, String> identities = new TreeMap<>();
    for (JsonNode object : objects) {
      assertThat(object.at("/metadata/deletionTimestamp").isMissingNode()).isTrue();
      identities.put(
          Stream.of("kind", "metadata/name")
              .map(p -> object.at("/" + p).asText())
              .toList()
              .toString(),
          object.at("/metadata/uid").asText());
    }
    return identities;
  }
}
