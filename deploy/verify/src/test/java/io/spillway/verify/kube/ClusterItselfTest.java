package io.spillway.verify.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.spillway.verify.kube.KubeWorld.Kubernetes;
import io.spillway.verify.kube.PodFact.Kind;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the other tests stand on: the cluster behaves as one with machines would. */
@Kubernetes
class ClusterItselfTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final YAMLMapper YAML = new YAMLMapper();

  private static JsonNode gang(String name, int nodes, String seconds, String exit)
      throws IOException {
    return YAML.readTree(
        """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: %1$s, namespace: itself}
        spec:
          completionMode: Indexed
          completions: %2$d
          parallelism: %2$d
          backoffLimit: 0
          podFailurePolicy:
            rules:
              - {action: FailJob, onPodConditions: [{type: DisruptionTarget}]}
          podReplacementPolicy: Failed
          template:
            metadata: {labels: {spillway.io/attempt: %1$s, spillway.io/part: member}}
            spec:
              restartPolicy: Never
              containers:
                - name: main
                  image: registry.example/train:1
                  env: [{name: SIM_RUN_SECONDS, value: "%3$s"}, {name: SIM_EXIT_CODE, value: "%4$s"}]
                  resources: {limits: {nvidia.com/gpu: 8}}
        """
            .formatted(name, nodes, seconds, exit));
  }

  private static JsonNode job(KubeWorld world, String name) throws Exception {
    return world.cluster().admin().get("/apis/batch/v1/namespaces/itself/jobs/" + name).orFail();
  }

  private static List<String> conditions(KubeWorld world, String name) throws Exception {
    return job(world, name).path("status").path("conditions").findValuesAsText("type");
  }

  private static void running(KubeWorld world, String attempt, int pods) {
    await(attempt + " runs")
        .atMost(PATIENCE)
        .until(
            () ->
                world.kubelet().facts().stream()
                        .filter(fact -> fact.attempt().equals(attempt))
                        .filter(fact -> fact.kind() == Kind.BEGAN)
                        .count()
                    == pods);
  }

  @Test
  void gangs_run_to_their_end_fail_with_their_code_and_die_with_their_node(KubeWorld world)
      throws Exception {
    KubeApi admin = world.cluster().admin();
    world.cluster().namespace("itself");
    for (int i = 0; i < 2; i++) {
      String name = "itself-" + i;
      world
          .kubelet()
          .add(
              TestNode.h100(
                  name, "aws:///use2-az1/i-" + i, "us-east-2", "use2-az1", "p5.48xlarge"));
    }

    admin.apply(gang("good", 2, "0.5", "0")).orFail();
    await().atMost(PATIENCE).until(() -> conditions(world, "good").contains("Complete"));

    admin.apply(gang("bad", 2, "0.5", "3")).orFail();
    await().atMost(PATIENCE).until(() -> conditions(world, "bad").contains("Failed"));

    admin.apply(gang("waits", 3, "60", "0")).orFail();
    running(world, "waits", 2);
    admin.delete("/apis/batch/v1/namespaces/itself/jobs/waits?propagationPolicy=Background");
    await("the machines are free again")
        .atMost(PATIENCE)
        .until(
            () ->
                admin
                    .list("/api/v1/namespaces/itself/pods?labelSelector=spillway.io/attempt=waits")
                    .isEmpty());

    admin.apply(gang("lost", 2, "600", "0")).orFail();
    running(world, "lost", 2);
    world.kubelet().lose("itself-1");
    await("the pod of the lost node is evicted")
        .atMost(PATIENCE)
        .until(
            () ->
                admin
                    .list("/api/v1/namespaces/itself/pods?labelSelector=spillway.io/attempt=lost")
                    .stream()
                    .filter(pod -> pod.path("spec").path("nodeName").asText().equals("itself-1"))
                    .anyMatch(pod -> pod.toString().contains("DeletionByTaintManager")));
    world.kubelet().remove("itself-1");
    world.kubelet().remove("itself-0");
  }

  @Test
  void a_restart_of_the_api_server_touches_nothing_that_runs(KubeWorld world) throws Exception {
    world.cluster().namespace("itself");
    world
        .kubelet()
        .add(
            TestNode.h100(
                "itself-2", "aws:///use2-az1/i-2", "us-east-2", "use2-az1", "p5.48xlarge"));
    world.cluster().admin().apply(gang("stays", 1, "600", "0")).orFail();
    running(world, "stays", 1);

    world.cluster().killApiServer();
    world.cluster().restartApiServer();

    await("the kubelet speaks again")
        .atMost(PATIENCE)
        .until(
            () -> {
              world.kubelet().exit("stays", 0, "");
              return conditions(world, "stays").contains("Complete");
            });
    assertThat(world.kubelet().facts())
        .filteredOn(fact -> fact.attempt().equals("stays"))
        .extracting(PodFact::kind)
        .containsExactly(Kind.BEGAN, Kind.OVER);
    world.kubelet().remove("itself-2");
  }
}
