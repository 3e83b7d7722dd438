package io.spillway.agent;

import static io.spillway.agent.world.AgentWorld.A1;
import static io.spillway.agent.world.AgentWorld.A2;
import static io.spillway.agent.world.AgentWorld.NAMESPACE;
import static io.spillway.agent.world.Manifests.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.spillway.agent.world.AgentWorld;
import io.spillway.protocol.v1.AgentMessage;
import io.spillway.protocol.v1.Phase;
import io.spillway.protocol.v1.Symptom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SymptomStoryTest {
  private final AgentWorld world = new AgentWorld();
  private int events;

  @AfterEach
  void end() {
    world.close();
  }

  private List<Symptom> symptoms() {
    return world.plane.heard().stream()
        .filter(AgentMessage::hasSymptom)
        .map(AgentMessage::getSymptom)
        .toList();
  }

  private Symptom symptom() {
    world.time.until("a symptom is told", () -> !symptoms().isEmpty());
    return symptoms().getFirst();
  }

  private void waits(String attempt) {
    world.plane.starts(attempt, 7, job(attempt, 1));
    world.time.until(
        "it starts", () -> world.plane.report(attempt, Phase.PHASE_STARTING).isPresent());
    world
        .client
        .resource(
            new PodBuilder()
                .withNewMetadata()
                .withName(AgentWorld.pod(attempt, 0))
                .withNamespace(NAMESPACE)
                .withLabels(
                    Map.of(
                        "spillway.io/attempt", attempt,
                        "spillway.io/cluster", "eks-ohio",
                        "spillway.io/part", "member"))
                .endMetadata()
                .withNewSpec()
                .endSpec()
                .withNewStatus()
                .withPhase("Pending")
                .addNewCondition()
                .withType("PodScheduled")
                .withStatus("False")
                .withReason("Unschedulable")
                .withMessage("0/2 nodes are available: 2 Insufficient nvidia.com/gpu.")
                .endCondition()
                .endStatus()
                .build())
        .create();
    world.time.idle(Duration.ofMillis(300));
  }

  private void event(String kind, String name, String reason, String message) {
    world
        .client
        .resource(
            new EventBuilder()
                .withNewMetadata()
                .withName("e" + ++events)
                .withNamespace(kind.equals("Pod") ? NAMESPACE : "default")
                .endMetadata()
                .withNewInvolvedObject()
                .withKind(kind)
                .withNamespace(kind.equals("Pod") ? NAMESPACE : null)
                .withName(name)
                .endInvolvedObject()
                .withReason(reason)
                .withMessage(message)
                .build())
        .create();
  }

  @Test
  void gkes_refusal_is_told_raw_with_the_attempt_of_its_pod() {
    waits(A1);
    event(
        "Pod",
        AgentWorld.pod(A1, 0),
        "FailedScaleUp",
        "Node scale up in zones us-central1-b associated with this pod failed: GCE out of resources.");
    assertThat(symptom().getAttempt()).isEqualTo(A1);
    assertThat(symptom().getReason()).isEqualTo("FailedScaleUp");
    assertThat(symptom().getMessage()).contains("GCE out of resources");
  }

  @Test
  void karpenters_refusal_names_the_attempt_that_the_machine_was_for() {
    waits(A1);
    waits(A2);
    event("Pod", AgentWorld.pod(A2, 0), "Nominated", "Pod should schedule on: nodeclaim/gpu-x2x9k");
    world.time.idle(Duration.ofMillis(200));
    event(
        "NodeClaim",
        "gpu-x2x9k",
        "InsufficientCapacityError",
        "NodeClaim gpu-x2x9k event: insufficient capacity, InsufficientInstanceCapacity");
    assertThat(symptom().getAttempt()).isEqualTo(A2);
    assertThat(symptom().getKind()).isEqualTo("NodeClaim");
  }

  @Test
  void a_refused_machine_that_nobody_can_be_told_to_wait_for_blames_no_attempt() {
    waits(A1);
    waits(A2);
    world.time.advance(Duration.ofSeconds(6));
    event("NodeClaim", "gpu-zzzzz", "InsufficientCapacityError", "insufficient capacity");
    world.time.idle(Duration.ofMillis(300));
    assertThat(symptoms()).isEmpty();
  }

  @Test
  void a_groups_back_off_brings_the_providers_own_code() {
    world
        .client
        .resource(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withName("cluster-autoscaler-status")
                .withNamespace("kube-system")
                .endMetadata()
                .addToData(
                    "status",
                    """
                    autoscalerStatus: Running
                    nodeGroups:
                    - name: ocid1.nodepool.oc1..example
                      scaleUp:
                        status: Backoff
                        backoffInfo: {errorCode: InternalError, errorMessage: "Out of host capacity."}
                    - name: ocid1.nodepool.oc1..other
                      scaleUp: {status: NoActivity}
                    """)
                .build())
        .create();
    waits(A1);
    event(
        "Pod",
        AgentWorld.pod(A1, 0),
        "NotTriggerScaleUp",
        "pod didn't trigger scale-up: 1 in backoff after failed scale-up");
    world.time.until("both are told", () -> symptoms().size() == 2);
    assertThat(symptoms().getLast().getKind()).isEqualTo("NodeGroup");
    assertThat(symptoms().getLast().getReason()).isEqualTo("InternalError");
    assertThat(symptoms().getLast().getMessage()).isEqualTo("Out of host capacity.");
    assertThat(symptoms().getLast().getAttempt()).isEqualTo(A1);
  }

  @Test
  void a_pod_that_finds_no_node_for_long_is_told_unless_a_machine_is_on_its_way() {
    waits(A1);
    waits(A2);
    event("Pod", AgentWorld.pod(A2, 0), "TriggeredScaleUp", "pod triggered scale-up: [{g 0->1}]");
    world.time.idle(Duration.ofMillis(200));
    world.time.advance(Duration.ofMinutes(9));
    assertThat(symptoms()).isEmpty();
    world.time.advance(Duration.ofMinutes(2));
    assertThat(symptom().getAttempt()).isEqualTo(A1);
    assertThat(symptom().getReason()).isEqualTo("FailedScheduling");
    assertThat(symptom().getMessage()).contains("Insufficient nvidia.com/gpu");
    assertThat(symptoms()).noneMatch(s -> s.getAttempt().equals(A2));
  }

  @Test
  void what_happened_before_the_agent_came_is_not_told() {
    waits(A1);
    event("Pod", AgentWorld.pod(A1, 0), "FailedScaleUp", "GCE out of resources");
    symptom();
    world.plane.forgetsHeard();
    world.restarts();
    world.time.idle(Duration.ofMillis(500));
    assertThat(symptoms()).isEmpty();
  }

  @Test
  void progress_in_an_annotation_or_in_the_last_words_is_passed_on() {
    world.plane.starts(A1, 7, job(A1, 1));
    world.time.until("it starts", () -> world.plane.report(A1, Phase.PHASE_STARTING).isPresent());
    world.runs(A1, 0, "node-a");
    world.edit(
        AgentWorld.pod(A1, 0),
        pod ->
            new PodBuilder(pod)
                .editMetadata()
                .addToAnnotations("spillway.io/progress", "{\"step\": 100}")
                .endMetadata()
                .build());
    world.time.until("progress", () -> !progress().isEmpty());
    world.exits(A1, 0, 0, "{\"step\": 200}");
    world.job(A1, "Complete", "CompletionsReached");
    world.time.until("ended", () -> world.plane.report(A1, Phase.PHASE_ENDED).isPresent());
    assertThat(progress()).containsExactly("{\"step\": 100}", "{\"step\": 200}");
  }

  private List<String> progress() {
    return world.plane.heard().stream()
        .filter(AgentMessage::hasProgress)
        .map(message -> message.getProgress().getJson())
        .toList();
  }
}
