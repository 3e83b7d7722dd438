package io.spillway.verify.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.spillway.verify.kube.KubeWorld.Kubernetes;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The operators do for a JobSet and an MPIJob what they would with machines. */
@Kubernetes
class OperatorsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final YAMLMapper YAML = new YAMLMapper();

  private static JsonNode jobSet(String name, String exit) throws IOException {
    return YAML.readTree(
        """
        apiVersion: jobset.x-k8s.io/v1alpha2
        kind: JobSet
        metadata: {name: %1$s, namespace: operators}
        spec:
          failurePolicy: {maxRestarts: 0}
          replicatedJobs:
            - name: node
              replicas: 1
              template:
                spec:
                  parallelism: 2
                  completions: 2
                  backoffLimit: 0
                  template:
                    metadata: {labels: {spillway.io/attempt: %1$s, spillway.io/part: member}}
                    spec:
                      restartPolicy: Never
                      containers:
                        - name: main
                          image: registry.example/train:1
                          env: [{name: SIM_RUN_SECONDS, value: "0.5"}, {name: SIM_EXIT_CODE, value: "%2$s"}]
                          resources: {limits: {nvidia.com/gpu: 8}}
        """
            .formatted(name, exit));
  }

  private static JsonNode mpiJob(String name, String exit) throws IOException {
    return YAML.readTree(
        """
        apiVersion: kubeflow.org/v2beta1
        kind: MPIJob
        metadata: {name: %1$s, namespace: operators}
        spec:
          slotsPerWorker: 8
          runPolicy: {backoffLimit: 0, cleanPodPolicy: All}
          mpiReplicaSpecs:
            Launcher:
              replicas: 1
              restartPolicy: Never
              template:
                metadata: {labels: {spillway.io/attempt: %1$s, spillway.io/part: launcher}}
                spec:
                  containers:
                    - name: main
                      image: registry.example/train:1
                      env: [{name: SIM_RUN_SECONDS, value: "0.5"}, {name: SIM_EXIT_CODE, value: "%2$s"}]
            Worker:
              replicas: 2
              template:
                metadata: {labels: {spillway.io/attempt: %1$s, spillway.io/part: worker}}
                spec:
                  containers:
                    - name: main
                      image: registry.example/train:1
                      resources: {limits: {nvidia.com/gpu: 8}}
        """
            .formatted(name, exit));
  }

  private static List<String> conditions(KubeWorld world, JsonNode object) throws Exception {
    JsonNode conditions =
        world
            .cluster()
            .admin()
            .get(world.cluster().admin().path(object))
            .orFail()
            .path("status")
            .path("conditions");
    return conditions.findParents("type").stream()
        .filter(condition -> condition.path("status").asText().equals("True"))
        .map(condition -> condition.path("type").asText())
        .toList();
  }

  private static void ends(KubeWorld world, JsonNode object, String condition) throws Exception {
    world.cluster().admin().apply(object).orFail();
    await(object.path("kind").asText() + " becomes " + condition)
        .atMost(PATIENCE)
        .until(() -> conditions(world, object).contains(condition));
  }

  @Test
  void a_jobset_and_an_mpijob_complete_or_fail_with_their_pods(KubeWorld world) throws Exception {
    world.cluster().namespace("operators");
    for (int i = 0; i < 2; i++) {
      world
          .kubelet()
          .add(
              TestNode.h100(
                  "operators-" + i,
                  "aws:///use2-az1/o-" + i,
                  "us-east-2",
                  "use2-az1",
                  "p5.48xlarge"));
    }

    ends(world, jobSet("set-good", "0"), "Completed");
    ends(world, jobSet("set-bad", "3"), "Failed");
    ends(world, mpiJob("mpi-good", "0"), "Succeeded");
    ends(world, mpiJob("mpi-bad", "3"), "Failed");

    for (int i = 0; i < 2; i++) {
      world.kubelet().remove("operators-" + i);
    }
  }

  @Test
  void the_webhook_of_jobset_gives_defaults_and_refuses(KubeWorld world) throws Exception {
    KubeApi admin = world.cluster().admin();
    world.cluster().namespace("operators");
    JsonNode dry = admin.dryRun(jobSet("defaults", "0")).orFail();
    assertThat(dry.findValuesAsText("completionMode")).containsOnly("Indexed");

    JsonNode bad = jobSet("a".repeat(70), "0");
    assertThat(admin.dryRun(bad).status()).isEqualTo(422);
  }
}
