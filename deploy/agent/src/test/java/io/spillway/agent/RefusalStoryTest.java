package io.spillway.agent;

import static io.spillway.agent.world.AgentWorld.A1;
import static io.spillway.agent.world.Manifests.job;
import static io.spillway.agent.world.Manifests.placeholder;
import static io.spillway.agent.world.Manifests.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.agent.world.AgentWorld;
import io.spillway.protocol.v1.Phase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RefusalStoryTest {
  private final AgentWorld world = new AgentWorld();

  @AfterEach
  void end() {
    world.close();
  }

  private void refusals(int count) {
    world.time.until("refused", () -> world.plane.refusals(A1).size() >= count);
  }

  @Test
  void a_start_after_a_refused_hold_is_refused_too_over_restarts() {
    world.plane.holds(
        A1, 7, placeholder(A1, 0).replace("\"spillway-research\"", "\"kube-system\""));
    refusals(1);
    assertThat(world.plane.refusals(A1).getFirst().getReason()).contains("namespace");

    world.plane.starts(A1, 7, service(A1), job(A1, 1));
    refusals(2);
    world.restarts();
    world.plane.starts(A1, 8, service(A1), job(A1, 1));
    refusals(3);
    assertThat(world.plane.refusals(A1))
        .extracting(r -> r.getReason())
        .containsOnly(world.plane.refusals(A1).getFirst().getReason());
    assertThat(world.cluster().writes()).noneMatch(write -> write.startsWith("PATCH"));
    assertThat(world.job(A1)).isEmpty();
  }

  @Test
  void the_stop_of_what_was_refused_is_answered_by_its_absence_and_the_refusal_stays() {
    refusesTheHold();
    world.plane.stops(A1, 8, 1_000);
    absences(1);
    assertThat(world.plane.refusals(A1)).hasSize(1);
    world.restarts();
    world.plane.starts(A1, 9, service(A1), job(A1, 1));
    refusals(2);
    world.plane.stops(A1, 10, 1_000);
    absences(2);
    assertThat(world.job(A1)).isEmpty();
  }

  @Test
  void an_agent_that_lost_its_memory_never_starts_what_it_refused_once_it_answered_its_stop() {
    refusesTheHold();
    losesItsMemory();
    world.plane.stops(A1, 8, 1_000);
    absences(1);
    world.plane.starts(A1, 7, service(A1), job(A1, 1));
    absences(2);
    world.restarts();
    world.plane.starts(A1, 7, service(A1), job(A1, 1));
    absences(3);
    assertThat(world.cluster().writes()).noneMatch(write -> write.startsWith("PATCH"));
    assertThat(world.job(A1)).isEmpty();
  }

  @Test
  void what_an_agent_that_lost_its_memory_lets_in_before_the_stop_is_told_and_then_stopped() {
    refusesTheHold();
    losesItsMemory();
    world.plane.starts(A1, 7, service(A1), job(A1, 1));
    world.time.until("started", () -> world.plane.report(A1, Phase.PHASE_STARTING).isPresent());
    world.plane.stops(A1, 8, 1_000);
    world.time.until("ended", () -> world.plane.report(A1, Phase.PHASE_ENDED).isPresent());
    assertThat(world.plane.report(A1, Phase.PHASE_ABSENT)).isEmpty();
    assertThat(world.job(A1)).isEmpty();
  }

  @Test
  void a_stop_of_what_is_being_undone_is_answered_when_it_is_undone() {
    world.cluster().refuses("/jobs/", 403);
    world.cluster().keeps(true);
    world.plane.starts(A1, 7, service(A1), job(A1, 2));
    world.time.until("the refusal is remembered", this::isRemembered);
    world.plane.stops(A1, 8, 1_000);
    world.time.idle(java.time.Duration.ofMillis(200));
    assertThat(world.plane.reports(A1)).isEmpty();
    assertThat(world.plane.refusals(A1)).isEmpty();
    world.cluster().keeps(false);
    absences(1);
    refusals(1);
    assertThat(world.client.services().inNamespace(AgentWorld.NAMESPACE).list().getItems())
        .isEmpty();
  }

  private void refusesTheHold() {
    world.plane.holds(
        A1, 7, placeholder(A1, 0).replace("\"spillway-research\"", "\"kube-system\""));
    refusals(1);
  }

  private void absences(int count) {
    world.time.until(
        "absent",
        () ->
            world.plane.reports(A1).stream()
                    .filter(report -> report.getPhase() == Phase.PHASE_ABSENT)
                    .count()
                >= count);
  }

  /** The namespace was restored from a copy without it. */
  private void losesItsMemory() {
    world.client.configMaps().inNamespace("spillway").delete();
    world.restarts();
  }

  @Test
  void a_refusal_is_durable_before_it_is_told() {
    world.plane.acknowledges(false);
    world.plane.holds(
        A1, 7, placeholder(A1, 0).replace("\"spillway-research\"", "\"kube-system\""));
    refusals(1);
    assertThat(isRemembered()).isTrue();
  }

  private boolean isRemembered() {
    return world.client.configMaps().inNamespace("spillway").list().getItems().stream()
        .anyMatch(map -> map.getData().containsKey(A1));
  }

  @Test
  void what_the_cluster_refuses_half_way_is_undone_and_told() {
    world.cluster().refuses("/jobs/", 403);
    world.plane.starts(A1, 7, service(A1), job(A1, 2));
    refusals(1);
    assertThat(world.plane.refusals(A1).getFirst().getReason()).contains("violates PodSecurity");
    world.time.until(
        "the Service is gone",
        () ->
            world.client.services().inNamespace(AgentWorld.NAMESPACE).list().getItems().isEmpty());

    world.cluster().refuses("", 0);
    int told = world.plane.refusals(A1).size();
    world.plane.starts(A1, 7, service(A1), job(A1, 2));
    refusals(told + 1);
    assertThat(world.job(A1)).isEmpty();
  }

  @Test
  void a_hold_is_kept_once_its_placeholders_run_and_its_start_takes_their_place() {
    world.plane.holds(A1, 7, placeholder(A1, 0), placeholder(A1, 1));
    world.time.until(
        "both are applied",
        () -> world.client.pods().inNamespace(AgentWorld.NAMESPACE).list().getItems().size() == 2);
    placeholderRuns(0);
    world.time.idle(java.time.Duration.ofMillis(200));
    assertThat(world.plane.report(A1, Phase.PHASE_HELD)).isEmpty();
    placeholderRuns(1);
    world.time.until("held", () -> world.plane.report(A1, Phase.PHASE_HELD).isPresent());
    assertThat(world.plane.report(A1, Phase.PHASE_HELD).orElseThrow().getInstancesList())
        .containsExactlyInAnyOrder("i-0a", "i-0b");

    world.plane.starts(A1, 8, service(A1), job(A1, 2));
    world.time.until("started", () -> world.plane.report(A1, Phase.PHASE_STARTING).isPresent());
    world.time.until(
        "the placeholders are gone",
        () -> world.client.pods().inNamespace(AgentWorld.NAMESPACE).list().getItems().isEmpty());
    assertThat(world.job(A1)).isPresent();
  }

  @Test
  void a_released_hold_leaves_nothing_and_never_starts() {
    world.plane.holds(A1, 7, placeholder(A1, 0));
    world.time.until(
        "it is applied",
        () -> world.client.pods().inNamespace(AgentWorld.NAMESPACE).list().getItems().size() == 1);
    world.plane.releases(A1, 7);
    world.time.until("absent", () -> world.plane.report(A1, Phase.PHASE_ABSENT).isPresent());
    assertThat(world.client.pods().inNamespace(AgentWorld.NAMESPACE).list().getItems()).isEmpty();
    world.plane.forgetsHeard();
    world.plane.starts(A1, 7, job(A1, 1));
    world.time.until("absent", () -> world.plane.report(A1, Phase.PHASE_ABSENT).isPresent());
    assertThat(world.job(A1)).isEmpty();
  }

  private void placeholderRuns(int index) {
    world.edit(
        io.spillway.agent.world.Manifests.name(A1) + "-hold-" + index,
        pod ->
            new io.fabric8.kubernetes.api.model.PodBuilder(pod)
                .editSpec()
                .withNodeName(index == 0 ? "node-a" : "node-b")
                .endSpec()
                .withNewStatus()
                .withPhase("Running")
                .endStatus()
                .build());
  }
}
