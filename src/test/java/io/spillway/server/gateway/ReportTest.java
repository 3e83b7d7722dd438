package io.spillway.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spillway.protocol.v1.AgentMessage;
import io.spillway.protocol.v1.EndCause;
import io.spillway.protocol.v1.FrameAck;
import io.spillway.protocol.v1.GateRefusal;
import io.spillway.protocol.v1.Node;
import io.spillway.protocol.v1.Nodes;
import io.spillway.protocol.v1.Phase;
import io.spillway.protocol.v1.Present;
import io.spillway.protocol.v1.Refused;
import io.spillway.protocol.v1.Sweep;
import io.spillway.protocol.v1.Symptom;
import io.spillway.scheduler.input.AgentInput;
import io.spillway.scheduler.lifecycle.AttemptState;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.FailureClass;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What agents say, and what of it counts. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReportTest {
  private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
  private GatewayWorld world;
  private GatewayWorld.Replica replica;

  @BeforeAll
  void open() {
    world = new GatewayWorld();
    replica = world.replica("one", FixedConfig.PATIENT);
  }

  @AfterAll
  void close() {
    world.close();
  }

  @Test
  void a_frame_is_one_row_in_its_order_and_is_acknowledged_once_durable() {
    ClusterName cluster = world.cluster("reports", "aws");
    AttemptId attempt = running(cluster);
    try (FakeAgent agent = replica.agent(cluster, 3)) {
      long frame =
          agent.send(
              FakeAgent.report(attempt.toString(), Phase.PHASE_STARTING),
              FakeAgent.report(attempt.toString(), Phase.PHASE_RUNNING),
              FakeAgent.ended(attempt.toString(), EndCause.END_CAUSE_EXITED, 0, 0));
      FrameAck ack = agent.acked(frame);
      assertThat(ack.getRefusedList()).isEmpty();
      assertThat(ack.getStoreHead()).isPositive();
      assertThat(of(cluster, AgentInput.AttemptReported.class))
          .extracting(AgentInput.AttemptReported::phase)
          .containsExactly(
              AgentInput.Phase.STARTING, AgentInput.Phase.RUNNING, AgentInput.Phase.ENDED);
      assertThat(
              world.store.count(
                  "select inputs from inbox where actor = 'agent:reports' order by seq desc limit"
                      + " 1"))
          .isEqualTo(3);
    }
  }

  @Test
  void KUE_16_a_message_about_another_clusters_attempt_is_refused_and_the_rest_counts() {
    ClusterName theirs = world.cluster("theirs", "aws");
    ClusterName ours = world.cluster("ours", "aws");
    AttemptId foreign = running(theirs);
    AttemptId own = running(ours);
    try (FakeAgent agent = replica.agent(ours, 1)) {
      FrameAck ack =
          agent.acked(
              agent.send(
                  FakeAgent.report(foreign.toString(), Phase.PHASE_ENDED),
                  FakeAgent.report(own.toString(), Phase.PHASE_RUNNING)));
      assertThat(ack.getRefused(0).getDetail()).contains(foreign.toString(), "another cluster");
      assertThat(of(ours, AgentInput.AttemptReported.class))
          .extracting(AgentInput.AttemptReported::attempt)
          .containsExactly(own);
      assertThat(agent.isOpen()).isTrue();
    }
  }

  @Test
  void KUE_17_gone_is_not_finished() {
    ClusterName cluster = world.cluster("gone", "aws");
    AttemptId attempt = running(cluster);
    try (FakeAgent agent = replica.agent(cluster, 1)) {
      agent.acked(agent.send(FakeAgent.report(attempt.toString(), Phase.PHASE_ABSENT)));
      AgentInput.AttemptReported report = of(cluster, AgentInput.AttemptReported.class).getFirst();
      assertThat(report.phase()).isEqualTo(AgentInput.Phase.ABSENT);
      assertThat(report.end()).isEmpty();
    }
  }

  @Test
  void ARM_07_an_end_carries_its_cause_and_one_without_is_refused() {
    ClusterName cluster = world.cluster("causes", "aws");
    AttemptId attempt = running(cluster);
    try (FakeAgent agent = replica.agent(cluster, 1)) {
      FrameAck ack =
          agent.acked(
              agent.send(
                  FakeAgent.report(attempt.toString(), Phase.PHASE_ENDED),
                  FakeAgent.ended(attempt.toString(), EndCause.END_CAUSE_DELETED)));
      assertThat(ack.getRefused(0).getDetail()).contains("without a known cause");
      assertThat(
              of(cluster, AgentInput.AttemptReported.class).getFirst().end().orElseThrow().cause())
          .isEqualTo(AgentInput.Cause.DELETED);
    }
  }

  @Test
  void KAR_10_a_sweep_names_all_that_is_there_also_what_no_attempt_accounts_for() {
    ClusterName cluster = world.cluster("swept", "aws");
    ClusterName other = world.cluster("swept-not", "aws");
    AttemptId own = running(cluster);
    AttemptId foreign = running(other);
    String stray = "01STRAYSTRAYSTRAYSTRAYSTRA-3";
    try (FakeAgent agent = replica.agent(cluster, 1)) {
      FrameAck ack =
          agent.acked(
              agent.send(
                  AgentMessage.newBuilder()
                      .setSweep(
                          Sweep.newBuilder()
                              .addPresent(present(own.toString()))
                              .addPresent(present(stray))
                              .addPresent(present(foreign.toString()))
                              .addPresent(present("../../etc/passwd")))));
      assertThat(of(cluster, AgentInput.Swept.class).getFirst().present())
          .extracting(p -> p.attempt().toString())
          .containsExactly(own.toString(), stray);
      assertThat(ack.getRefused(0).getDetail()).startsWith("2 of the sweep left out");
    }
  }

  @Test
  void a_symptom_is_read_by_its_providers_classifier_at_the_place_that_was_asked_for() {
    ClusterName cluster = world.cluster("symptoms", "stratus");
    AttemptId attempt = running(cluster);
    try (FakeAgent agent = replica.agent(cluster, 1)) {
      FrameAck ack =
          agent.acked(
              agent.send(
                  symptom(
                      Symptom.newBuilder()
                          .setReason("FailedScaleUp")
                          .setMessage("pod out-of-stock: out of resources")
                          .setObject("pod/out-of-stock")
                          .setAttempt(attempt.toString())
                          .setAgeMs(60_000)),
                  symptom(
                      Symptom.newBuilder()
                          .setReason("FailedScaleUp")
                          .setMessage("out of resources")
                          .setAttempt(attempt.toString())
                          .setZone("eu-1b")
                          .setInstanceType("h200x8")
                          .setCapacityType("on-demand")),
                  symptom(Symptom.newBuilder().setReason("FailedScaleUp"))));
      List<AgentInput.SymptomReported> symptoms = of(cluster, AgentInput.SymptomReported.class);
      assertThat(symptoms.get(0).failure().failureClass()).isEqualTo(FailureClass.NO_CAPACITY);
      assertThat(symptoms.get(0).failure().scope().text())
          .isEqualTo("stratus/prod/eu-1/eu-1a/h100x8/spot");
      assertThat(Duration.between(symptoms.get(0).failure().at(), Instant.now()))
          .isBetween(Duration.ofSeconds(59), Duration.ofSeconds(90));
      assertThat(symptoms.get(1).failure().scope().capacityType())
          .as("KAR-20: what was asked for, not what the attempt is on")
          .contains(CapacityType.ON_DEMAND);
      assertThat(symptoms.get(1).failure().scope().zone()).contains("eu-1b");
      assertThat(ack.getRefused(0).getDetail()).contains("a symptom names");
    }
  }

  @Test
  void a_quota_of_a_namespace_says_nothing_of_the_providers_machines() {
    ClusterName cluster = world.cluster("namespace-quota", "aws");
    AttemptId attempt = running(cluster);
    try (FakeAgent agent = replica.agent(cluster, 1)) {
      agent.acked(
          agent.send(
              symptom(
                  Symptom.newBuilder()
                      .setKind("Job")
                      .setReason("FailedCreate")
                      .setMessage(
                          "Error creating: pods \"sw-1-0-x2x9k\" is forbidden: exceeded quota: gpus,"
                              + " requested: requests.nvidia.com/gpu=8, used:"
                              + " requests.nvidia.com/gpu=64, limited: requests.nvidia.com/gpu=64")
                      .setAttempt(attempt.toString()))));
      AgentInput.SymptomReported symptom = of(cluster, AgentInput.SymptomReported.class).getFirst();
      assertThat(symptom.attempt()).contains(attempt);
      assertThat(symptom.failure().failureClass()).isEqualTo(FailureClass.INVALID);
      assertThat(symptom.failure().scope().text()).endsWith("/h100x8/spot");
      assertThat(symptom.failure().block()).isEqualTo(Duration.ZERO);
      assertThat(symptom.failure().code()).contains("exceeded quota");
    }
  }

  @Test
  void nodes_that_can_carry_a_job_count_and_one_that_cannot_is_named() {
    ClusterName cluster = world.cluster("nodes", "aws");
    try (FakeAgent agent = replica.agent(cluster, 1)) {
      FrameAck ack =
          agent.acked(
              agent.send(
                  AgentMessage.newBuilder()
                      .setNodes(
                          Nodes.newBuilder()
                              .setComplete(true)
                              .addNodes(node("a").setGpu("nvidia-h100-80gb"))
                              .addNodes(node("b").setGpu("voodoo-2"))
                              .addGone("c"))));
      AgentInput.NodesReported nodes = of(cluster, AgentInput.NodesReported.class).getFirst();
      assertThat(nodes.complete()).isTrue();
      assertThat(nodes.nodes()).extracting(AgentInput.ReportedNode::name).containsExactly("a");
      assertThat(nodes.gone()).containsExactly("c");
      assertThat(ack.getRefused(0).getDetail()).contains("node b", "voodoo-2");
    }
  }

  @Test
  void a_zone_that_nodes_write_in_another_case_is_the_policys() {
    ClusterName cluster = world.cluster("zones", "oci");
    try (FakeAgent agent = replica.agent(cluster, 1)) {
      agent.acked(
          agent.send(
              AgentMessage.newBuilder()
                  .setNodes(
                      Nodes.newBuilder()
                          .setComplete(true)
                          .addNodes(node("a").setGpu("nvidia-h100-80gb").setZone("EU-1A"))
                          .addNodes(node("b").setGpu("nvidia-h100-80gb").setZone("EU-1B")))));
      assertThat(of(cluster, AgentInput.NodesReported.class).getFirst().nodes())
          .extracting(AgentInput.ReportedNode::zone)
          .containsExactly("eu-1a", "EU-1B");
    }
  }

  @Test
  void a_gate_refusal_is_an_input_and_its_words_are_cleaned_and_cut() {
    ClusterName cluster = world.cluster("gate", "aws");
    AttemptId attempt = running(cluster);
    try (FakeAgent agent = replica.agent(cluster, 1)) {
      agent.acked(
          agent.send(
              AgentMessage.newBuilder()
                  .setGateRefusal(
                      GateRefusal.newBuilder()
                          .setAttempt(attempt.toString())
                          .setReason("hostPath\u0000\n" + "x".repeat(5_000)))));
      assertThat(of(cluster, AgentInput.GateRefused.class).getFirst().reason())
          .hasSize(1_024)
          .startsWith("hostPath  x");
    }
  }

  @Test
  void a_machines_name_is_kept_whole_however_long_its_provider_makes_it() {
    String scaleSet =
        "azure:///subscriptions/0aaaaaaa-0000-0000-0000-000000000001/resourceGroups/"
            + "mc_"
            + "a-resource-group-of-ninety-characters_".repeat(3)
            + "/providers/Microsoft.Compute/virtualMachineScaleSets/"
            + "aks-"
            + "gpupool".repeat(9)
            + "-vmss/virtualMachines/17";
    ClusterName cluster = world.cluster("long-names", "azure");
    try (FakeAgent agent = replica.agent(cluster, 1)) {
      agent.acked(
          agent.send(
              AgentMessage.newBuilder()
                  .setNodes(
                      Nodes.newBuilder()
                          .addNodes(
                              node("n-1").setProviderId(scaleSet).setGpu("nvidia-h100-80gb")))));

      assertThat(scaleSet.length()).isGreaterThan(253);
      assertThat(of(cluster, AgentInput.NodesReported.class).getLast().nodes())
          .singleElement()
          .satisfies(node -> assertThat(node.providerId()).isEqualTo(scaleSet));
    }
  }

  @Test
  void without_a_store_the_agent_is_sent_away_and_loses_nothing() {
    ClusterName cluster = world.cluster("patient", "aws");
    AttemptId attempt = running(cluster);
    try (FakeAgent agent = replica.agent(cluster, 1)) {
      world.storeDown = true;
      long frame = agent.send(FakeAgent.ended(attempt.toString(), EndCause.END_CAUSE_EXITED, 0));
      assertThat(agent.refused().getWhy()).isEqualTo(Refused.Why.RETRY_LATER);
      assertThat(agent.count(f -> f.hasFrameAck() && f.getFrameAck().getFrame() >= frame)).isZero();
    } finally {
      world.storeDown = false;
    }
    try (FakeAgent again = replica.agent(cluster, 1)) {
      again.acked(again.send(FakeAgent.ended(attempt.toString(), EndCause.END_CAUSE_EXITED, 0)));
      assertThat(of(cluster, AgentInput.AttemptReported.class)).hasSize(1);
    }
  }

  @Test
  void a_torrent_of_frames_keeps_its_order_and_every_frame_is_acknowledged() {
    ClusterName cluster = world.cluster("torrent", "aws");
    AttemptId attempt = running(cluster);
    int frames = 2_000;
    try (FakeAgent agent = replica.agent(cluster, 1)) {
      long last = 0;
      for (int i = 0; i < frames; i++) {
        last =
            agent.send(
                FakeAgent.report(attempt.toString(), Phase.PHASE_RUNNING),
                FakeAgent.report(attempt.toString(), Phase.PHASE_RUNNING));
      }
      agent.acked(last);
      assertThat(of(cluster, AgentInput.AttemptReported.class))
          .extracting(AgentInput.AttemptReported::seq)
          .containsExactlyElementsOf(
              IntStream.rangeClosed(2, 2 * frames + 1).mapToObj(Long::valueOf).toList());
      await()
          .untilAsserted(
              () ->
                  assertThat(
                          world.store.count(
                              "select sum(inputs) from inbox where actor = 'agent:torrent'"))
                      .isEqualTo(2L * frames + 1));
      assertThat(world.store.count("select count(*) from inbox where actor = 'agent:torrent'"))
          .as("frames that wait go together")
          .isLessThan(frames);
    }
  }

  private AttemptId running(ClusterName cluster) {
    return world.attempt(cluster, new AttemptState.Running(NOW), null);
  }

  private <T extends AgentInput> List<T> of(ClusterName cluster, Class<T> type) {
    return world.inputs(type).stream().filter(i -> i.cluster().equals(cluster)).toList();
  }

  private static Present.Builder present(String attempt) {
    return Present.newBuilder()
        .setAttempt(attempt)
        .setAttemptEpoch(1)
        .setPhase(Phase.PHASE_RUNNING);
  }

  private static AgentMessage.Builder symptom(Symptom.Builder symptom) {
    return AgentMessage.newBuilder().setSymptom(symptom);
  }

  private static Node.Builder node(String name) {
    return Node.newBuilder()
        .setName(name)
        .setProviderId("i-" + name)
        .setZone("eu-1a")
        .setInstanceType("h100x8")
        .setCapacityType("spot")
        .setGpus(8)
        .setReady(true);
  }
}
