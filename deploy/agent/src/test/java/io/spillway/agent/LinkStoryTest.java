package io.spillway.agent;

import static io.spillway.agent.world.AgentWorld.A1;
import static io.spillway.agent.world.Manifests.job;
import static io.spillway.agent.world.Manifests.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.agent.world.AgentWorld;
import io.spillway.protocol.v1.AgentMessage;
import io.spillway.protocol.v1.Hello;
import io.spillway.protocol.v1.Node;
import io.spillway.protocol.v1.Phase;
import io.spillway.protocol.v1.Present;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LinkStoryTest {
  private final AgentWorld world = new AgentWorld();

  @AfterEach
  void end() {
    world.close();
  }

  private void running() {
    world.plane.starts(A1, 7, service(A1), job(A1, 1));
    world.time.until("it starts", () -> world.plane.report(A1, Phase.PHASE_STARTING).isPresent());
    world.runs(A1, 0, "node-a");
    world.time.until("it runs", () -> world.plane.report(A1, Phase.PHASE_RUNNING).isPresent());
  }

  private List<Present> swept() {
    world.plane.forgetsHeard();
    world.plane.sweeps();
    world.time.until(
        "the sweep is told", () -> world.plane.heard().stream().anyMatch(AgentMessage::hasSweep));
    return world.plane.heard().stream()
        .filter(AgentMessage::hasSweep)
        .findFirst()
        .orElseThrow()
        .getSweep()
        .getPresentList();
  }

  @Test
  void the_greeting_says_what_the_cluster_can_run_and_which_nodes_it_has() {
    Hello hello = world.plane.hellos().getFirst();
    assertThat(hello.getCluster()).isEqualTo("eks-ohio");
    assertThat(hello.getCapabilities().getKubernetesVersion()).isEqualTo("v1.34.0");
    assertThat(hello.getCapabilities().getApiGroupsList())
        .contains("v1", "batch/v1", "kubeflow.org/v2beta1");
    assertThat(hello.getCapabilities().getAppliesManifests()).isTrue();
    assertThat(hello.getCapabilities().getResourcesList())
        .containsExactly("nvidia.com/gpu", "vpc.amazonaws.com/efa");
    world.time.until(
        "the nodes are told", () -> world.plane.heard().stream().anyMatch(AgentMessage::hasNodes));
    Node node =
        world.plane.heard().stream()
            .filter(AgentMessage::hasNodes)
            .findFirst()
            .orElseThrow()
            .getNodes()
            .getNodesList()
            .stream()
            .filter(n -> n.getName().equals("node-a"))
            .findFirst()
            .orElseThrow();
    assertThat(node.getProviderId()).isEqualTo("i-0a");
    assertThat(node.getGpu()).isEqualTo("nvidia-h100-80gb");
    assertThat(node.getGpus()).isEqualTo(8);
    assertThat(node.getZone()).isEqualTo("use2-az1");
    assertThat(node.getCapacityType()).isEqualTo("spot");
    assertThat(node.getFabricType()).isEqualTo("efa");
    assertThat(node.getMemoryGib()).isEqualTo(2048);
    assertThat(node.getReady()).isTrue();
  }

  @Test
  void FEN_03_an_hour_without_a_control_plane_touches_nothing_and_is_told_afterwards() {
    running();
    int writes = world.cluster().writes().size();
    world.plane.cut(true);
    world.time.advance(Duration.ofHours(1));
    assertThat(world.job(A1)).isPresent();
    assertThat(world.cluster().writes()).hasSize(writes);
    world.exits(A1, 0, 0, "");
    world.job(A1, "Complete", "CompletionsReached");
    world.time.idle(Duration.ofMillis(300));
    world.plane.forgetsHeard();

    world.plane.cut(false);
    world.time.advance(Duration.ofMinutes(1));
    world.time.until(
        "the end is told", () -> world.plane.report(A1, Phase.PHASE_ENDED).isPresent());
    // Each attempt of the agent to come back waits longer than the one before, up to a minute.
    assertThat(world.plane.hellos().size()).isBetween(2, 4);
  }

  @Test
  void a_restart_of_the_agent_counts_its_start_and_finds_what_runs() {
    running();
    world.restarts();
    assertThat(world.plane.hellos().getLast().getAgentEpoch())
        .isGreaterThan(world.plane.hellos().getFirst().getAgentEpoch());
    assertThat(swept())
        .singleElement()
        .satisfies(
            present -> {
              assertThat(present.getAttempt()).isEqualTo(A1);
              assertThat(present.getAttemptEpoch()).isEqualTo(7);
              assertThat(present.getPhase()).isEqualTo(Phase.PHASE_RUNNING);
              assertThat(present.getInstancesList()).containsExactly("i-0a");
            });
    assertThat(world.job(A1)).isPresent();
  }

  private long keptHead() {
    Map<String, String> kept = world.memory();
    return "store-2".equals(kept.get("store-generation"))
        ? Long.parseLong(kept.getOrDefault("store-head", "0"))
        : 0;
  }

  @Test
  void the_newest_store_is_remembered_over_restarts() {
    world.plane.store("store-2", 5_000);
    world.plane.cut(true);
    world.plane.cut(false);
    world.time.advance(Duration.ofMinutes(2));
    world.time.until("it is back", world.plane::connected);
    world.plane.sweeps();
    world.time.until(
        "it is kept",
        () -> {
          world.time.advance(Duration.ofSeconds(1));
          return keptHead() > 5_000;
        });
    world.restarts();
    Hello hello = world.plane.hellos().getLast();
    assertThat(hello.getStoreGeneration()).isEqualTo("store-2");
    assertThat(hello.getStoreHead()).isGreaterThanOrEqualTo(5_001);
  }

  @Test
  void what_was_not_acknowledged_is_said_again() {
    world.plane.acknowledges(false);
    running();
    world.plane.cut(true);
    world.plane.acknowledges(true);
    world.plane.forgetsHeard();
    world.plane.cut(false);
    world.time.advance(Duration.ofMinutes(1));
    world.time.until("said again", () -> world.plane.report(A1, Phase.PHASE_RUNNING).isPresent());
  }

  @Test
  void an_outage_of_the_api_server_ends_no_attempt() {
    running();
    world.plane.forgetsHeard();
    world.cluster().away(true);
    world.time.advance(Duration.ofMinutes(10));
    world.cluster().away(false);
    world.time.until(
        "the agent leads again",
        () -> {
          world.time.advance(Duration.ofSeconds(1));
          return world.agent().condition().connected();
        });
    assertThat(world.plane.report(A1, Phase.PHASE_ENDED)).isEmpty();
    assertThat(swept()).extracting(Present::getPhase).containsExactly(Phase.PHASE_RUNNING);
  }
}
