package io.spillway.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.ByteString;
import io.spillway.policies.Compilation.Compiled;
import io.spillway.policies.PolicyCompiler;
import io.spillway.policies.source.SourceFile;
import io.spillway.protocol.v1.AgentMessage;
import io.spillway.protocol.v1.Capabilities;
import io.spillway.protocol.v1.ControlFrame;
import io.spillway.protocol.v1.Start;
import io.spillway.scheduler.event.ClusterEvent;
import io.spillway.scheduler.input.AgentInput;
import io.spillway.scheduler.input.AgentInput.ReportedNode;
import io.spillway.scheduler.lifecycle.AttemptState;
import io.spillway.scheduler.model.Abilities;
import io.spillway.scheduler.model.Ability;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.model.NodeShape;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What agents get that apply manifests. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ManifestCommandTest {
  private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
  private static final AttemptState LAUNCHING =
      new AttemptState.Launching(NOW, NOW.plusSeconds(900));
  private static final AttemptState INTENDED =
      new AttemptState.Intended(Optional.empty(), NOW, false);
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
  void an_agent_that_applies_manifests_gets_them_with_start_and_hold_each_in_a_frame_of_json()
      throws Exception {
    ClusterName cluster = cluster("applies", "");
    try (FakeAgent agent = agent(cluster, able())) {
      AttemptId held = world.attempt(cluster, INTENDED, "HOLD");
      AttemptId started = world.attempt(cluster, LAUNCHING, "START");
      List<ByteString> holds = agent.awaits(ControlFrame::hasHold).getHold().getManifestsList();
      List<ByteString> objects = start(agent, started).getManifestsList();
      assertThat(objects).hasSize(2);
      JsonNode job = new ObjectMapper().readTree(objects.get(1).toStringUtf8());
      assertThat(job.path("kind").asText()).isEqualTo("Job");
      assertThat(job.at("/metadata/labels/spillway.io~1attempt").asText())
          .isEqualTo(started.toString());
      assertThat(holds.getFirst().toStringUtf8()).contains(held.toString(), "placeholder");
    }
  }

  @Test
  void an_agent_that_applies_none_gets_none() {
    ClusterName cluster = cluster("applies-none", "");
    try (FakeAgent agent = agent(cluster, Capabilities.newBuilder())) {
      AttemptId started = world.attempt(cluster, LAUNCHING, "START");
      assertThat(start(agent, started).getManifestsList()).isEmpty();
      assertThat(start(agent, started).getLaunch().getImage())
          .isEqualTo("registry.example/train:1");
    }
  }

  @Test
  void what_cannot_be_translated_is_refused_once_as_a_launch_and_never_told() {
    ClusterName cluster = cluster("refuses", "  priorityClass: gold\n");
    try (FakeAgent agent = agent(cluster, able())) {
      AttemptId refused = world.attempt(cluster, LAUNCHING, "START");
      await().atMost(Duration.ofSeconds(10)).until(() -> refusals(cluster).contains(refused));
      world.attempt(cluster, LAUNCHING, "STOP");
      agent.awaits(ControlFrame::hasStop);
      assertThat(refusals(cluster)).containsExactly(refused);
      assertThat(agent.commands()).noneMatch(ControlFrame::hasStart);
      AgentInput.TranslationRefused told =
          world.inputs(AgentInput.TranslationRefused.class).stream()
              .filter(input -> input.attempt().equals(refused))
              .findFirst()
              .orElseThrow();
      assertThat(told.reason()).startsWith("PRIORITY_CLASS_MISSING: ").contains("gold");
      assertThat(told.grounds().policies()).isEqualTo(world.policyVersion());
      assertThat(told.grounds().abilities())
          .isEqualTo(abilities(cluster).only(List.of(Ability.PRIORITY_CLASSES)));
    }
  }

  @Test
  void what_the_agent_says_later_of_its_cluster_counts_from_then_on_and_is_kept_in_the_store() {
    ClusterName cluster = cluster("learns", "  priorityClass: silver\n");
    try (FakeAgent agent = agent(cluster, able())) {
      agent.acked(
          agent.send(
              AgentMessage.newBuilder().setCapabilities(able().addPriorityClasses("silver"))));
      AttemptId started = world.attempt(cluster, LAUNCHING, "START");
      assertThat(start(agent, started).getManifests(1).toStringUtf8())
          .contains("\"priorityClassName\":\"silver\"");
      await()
          .atMost(Duration.ofSeconds(10))
          .until(
              () ->
                  world
                          .store
                          .query(
                              "select 1 from agent_session where cluster = $1"
                                  + " and position('silver'::bytea in capabilities) > 0",
                              cluster.value())
                          .size()
                      == 1);
    }
  }

  @Test
  void the_core_is_told_by_kind_what_a_cluster_has_when_its_agent_comes_and_when_that_changes() {
    ClusterName cluster = cluster("able", "");
    try (FakeAgent agent = agent(cluster, able())) {
      Abilities first = abilities(cluster);
      assertThat(first.fingerprints()).containsOnlyKeys(Ability.values());
      agent.acked(
          agent.send(AgentMessage.newBuilder().setCapabilities(able().addCsiDrivers("s3"))));
      Abilities later = abilities(cluster);
      assertThat(later.fingerprints().get(Ability.CSI_DRIVERS))
          .isNotEqualTo(first.fingerprints().get(Ability.CSI_DRIVERS));
      assertThat(later.only(List.of(Ability.API_VERSIONS)).agreesWith(first)).isTrue();
    }
    ClusterName bare = cluster("bare", "");
    try (FakeAgent agent = agent(bare, Capabilities.newBuilder())) {
      assertThat(world.inputs(AgentInput.AbilitiesReported.class))
          .noneMatch(input -> input.cluster().equals(bare));
      agent.heartbeat();
    }
  }

  @Test
  void a_start_that_was_told_is_not_taken_back_by_a_later_policy() {
    GatewayWorld.Replica insistent =
        world.replica("insists", FixedConfig.PATIENT.withResendAfter(Duration.ofMillis(300)));
    ClusterName cluster = cluster("told", "");
    try (FakeAgent agent = greeted(new FakeAgent(insistent.port()), cluster, able())) {
      AttemptId started = world.attempt(cluster, LAUNCHING, "START");
      start(agent, started);
      document(cluster, "  priorityClass: gold\n");
      AttemptId later = world.attempt(cluster, LAUNCHING, "START");
      await().atMost(Duration.ofSeconds(10)).until(() -> refusals(cluster).contains(later));
      await()
          .during(Duration.ofSeconds(1))
          .atMost(Duration.ofSeconds(5))
          .until(() -> !refusals(cluster).contains(started));
    }
  }

  @Test
  void a_start_that_comes_again_after_a_reconnect_is_the_same_byte_for_byte() {
    ClusterName cluster = cluster("again", "");
    AttemptId started;
    List<ByteString> first;
    try (FakeAgent agent = agent(cluster, able())) {
      started = world.attempt(cluster, LAUNCHING, "START");
      first = start(agent, started).getManifestsList();
      agent.breaks();
    }
    try (FakeAgent agent = agent(cluster, able())) {
      assertThat(start(agent, started).getManifestsList()).isNotEmpty().isEqualTo(first);
    }
  }

  @Test
  void nodes_that_are_not_well_are_kept_out_of_new_starts() {
    ClusterName cluster = cluster("quarantine", "");
    try (FakeAgent agent = agent(cluster, able())) {
      world.commit(
          new ClusterEvent.NodesChanged(
              cluster, true, List.of(node("sick-1", "GpuXid"), node("well-1")), List.of()));
      AttemptId first = world.attempt(cluster, LAUNCHING, "START");
      assertThat(start(agent, first).getManifests(1).toStringUtf8())
          .contains("\"sick-1\"")
          .doesNotContain("well-1");
      world.commit(
          new ClusterEvent.NodesChanged(cluster, false, List.of(node("sick-1")), List.of()));
      AttemptId second = world.attempt(cluster, LAUNCHING, "START");
      assertThat(start(agent, second).getManifests(1).toStringUtf8()).doesNotContain("sick-1");
    }
  }

  private static ReportedNode node(String name, String... signs) {
    return new ReportedNode(
        name,
        "id-" + name,
        "eu-1a",
        "h100x8",
        CapacityType.SPOT,
        new NodeShape(new GpuModel("nvidia-h100-80gb"), 8, 96, 900),
        Optional.empty(),
        true,
        List.of(signs));
  }

  private List<AttemptId> refusals(ClusterName cluster) {
    return world.inputs(AgentInput.TranslationRefused.class).stream()
        .filter(input -> input.cluster().equals(cluster))
        .map(AgentInput.TranslationRefused::attempt)
        .toList();
  }

  /** What the core was told last that the cluster can run. */
  private Abilities abilities(ClusterName cluster) {
    return world.inputs(AgentInput.AbilitiesReported.class).stream()
        .filter(input -> input.cluster().equals(cluster))
        .toList()
        .getLast()
        .abilities();
  }

  private static Start start(FakeAgent agent, AttemptId attempt) {
    return agent
        .awaits(f -> f.hasStart() && f.getStart().getAttempt().equals(attempt.toString()))
        .getStart();
  }

  private static Capabilities.Builder able() {
    return Capabilities.newBuilder()
        .setAppliesManifests(true)
        .addApiGroups("v1")
        .addApiGroups("batch/v1")
        .addPriorityClasses("gpu");
  }

  private FakeAgent agent(ClusterName cluster, Capabilities.Builder able) {
    return greeted(new FakeAgent(replica.port()), cluster, able);
  }

  private static FakeAgent greeted(
      FakeAgent agent, ClusterName cluster, Capabilities.Builder able) {
    agent.hello(FakeAgent.hello(cluster.value(), "token-of-" + cluster, 1).setCapabilities(able));
    agent.welcome();
    return agent;
  }

  private ClusterName cluster(String name, String more) {
    ClusterName cluster = world.cluster(name, "aws");
    document(cluster, more);
    return cluster;
  }

  private void document(ClusterName cluster, String more) {
    String yaml =
        """
        apiVersion: spillway.io/v1beta1
        kind: Cluster
        metadata: {name: %s}
        spec:
          provider: aws
          region: eu-1
          capacity: [{instanceType: h100x8, capacityTypes: [spot], zones: [eu-1a], maxNodes: 9}]
        """
            .formatted(cluster);
    Compiled set =
        (Compiled) PolicyCompiler.compile(List.of(new SourceFile("c.yaml", yaml + more)));
    world.compute.put(cluster, set.compute().get(cluster));
  }
}
