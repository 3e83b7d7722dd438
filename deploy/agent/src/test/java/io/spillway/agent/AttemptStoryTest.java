package io.spillway.agent;

import static io.spillway.agent.world.AgentWorld.A1;
import static io.spillway.agent.world.Manifests.job;
import static io.spillway.agent.world.Manifests.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.agent.world.AgentWorld;
import io.spillway.agent.world.Manifests;
import io.spillway.protocol.v1.AttemptReport;
import io.spillway.protocol.v1.EndCause;
import io.spillway.protocol.v1.Phase;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AttemptStoryTest {
  private final AgentWorld world = new AgentWorld();

  @AfterEach
  void end() {
    world.close();
  }

  private AttemptReport told(Phase phase) {
    world.time.until(
        A1 + " is told to be " + phase, () -> world.plane.report(A1, phase).isPresent());
    return world.plane.report(A1, phase).orElseThrow();
  }

  private void running() {
    world.plane.starts(A1, 7, service(A1), job(A1, 2));
    told(Phase.PHASE_STARTING);
    world.runs(A1, 0, "node-a");
    world.runs(A1, 1, "node-b");
    told(Phase.PHASE_RUNNING);
  }

  @Test
  void a_gang_is_applied_runs_and_succeeds() {
    running();

    assertThat(told(Phase.PHASE_RUNNING).getInstancesList()).containsExactly("i-0a", "i-0b");
    assertThat(world.job(A1).orElseThrow().getMetadata().getLabels())
        .containsEntry("spillway.io/epoch", "7");

    world.exits(A1, 0, 0, "");
    world.exits(A1, 1, 0, "{\"step\": 9}");
    world.job(A1, "Complete", "CompletionsReached");
    AttemptReport ended = told(Phase.PHASE_ENDED);
    assertThat(ended.getEndCause()).isEqualTo(EndCause.END_CAUSE_EXITED);
    assertThat(ended.getExitCodesList()).containsExactly(0, 0);
    assertThat(ended.getAttemptEpoch()).isEqualTo(7);
    assertThat(ended.getMessage()).isEqualTo("{\"step\": 9}");
    // What was made with it goes with it; the Job stays for its logs.
    world.time.until(
        "the Service is gone",
        () ->
            world.client.services().inNamespace(AgentWorld.NAMESPACE).list().getItems().isEmpty());
    assertThat(world.job(A1)).isPresent();
  }

  @Test
  void a_start_that_comes_again_starts_nothing_twice_not_even_after_the_end() {
    running();
    world.plane.starts(A1, 7, service(A1), job(A1, 2));
    world.time.until("it is told again", () -> world.plane.reports(A1).size() >= 3);
    assertThat(world.plane.reports(A1).getLast().getPhase()).isEqualTo(Phase.PHASE_RUNNING);

    world.exits(A1, 0, 0, "");
    world.exits(A1, 1, 0, "");
    world.job(A1, "Complete", "CompletionsReached");
    told(Phase.PHASE_ENDED);
    // A day later Kubernetes forgets the Job; the agent does not.
    world.client.batch().v1().jobs().inNamespace(AgentWorld.NAMESPACE).delete();
    world.restarts();
    world.plane.forgetsHeard();
    world.plane.starts(A1, 9, service(A1), job(A1, 2));
    assertThat(told(Phase.PHASE_ENDED).getExitCodesList()).containsExactly(0, 0);
    assertThat(world.job(A1)).isEmpty();
  }

  @Test
  void a_failing_member_is_the_users_failure_with_its_words() {
    running();
    world.exits(A1, 1, 3, "out of patience");
    world.job(A1, "FailureTarget", "BackoffLimitExceeded");
    world.time.idle(Duration.ofMillis(200));
    assertThat(world.plane.report(A1, Phase.PHASE_ENDED)).isEmpty();

    world.exits(A1, 0, 143, "");
    world.job(A1, "Failed", "BackoffLimitExceeded");
    AttemptReport ended = told(Phase.PHASE_ENDED);
    assertThat(ended.getEndCause()).isEqualTo(EndCause.END_CAUSE_EXITED);
    assertThat(ended.getExitCodesList()).containsExactly(143, 3);
  }

  @Test
  void an_evicted_member_is_a_disruption() {
    running();
    world.disrupted(A1, 1, "EvictionByEvictionAPI");
    world.exits(A1, 1, 143, "");
    world.exits(A1, 0, 1, "NCCL error", "2026-12-01T00:59:31Z");
    world.job(A1, "Failed", "PodFailurePolicy");
    AttemptReport ended = told(Phase.PHASE_ENDED);
    assertThat(ended.getEndCause()).isEqualTo(EndCause.END_CAUSE_DISRUPTED);
    assertThat(ended.getMessage()).contains("EvictionByEvictionAPI").contains("node-b");
  }

  @Test
  void a_dead_node_ends_the_gang_though_nobody_says_that_its_pod_ended() {
    running();
    world.lingers(A1, 1);
    world.nodeDies("node-b");
    world.disrupted(A1, 1, "DeletionByTaintManager");
    world.removed(A1, 1);
    world.exits(A1, 0, 1, "NCCL error");
    world.job(A1, "FailureTarget", "PodFailurePolicy");
    world.time.idle(Duration.ofMillis(200));
    assertThat(world.plane.report(A1, Phase.PHASE_ENDED)).isEmpty();

    world.time.advance(Duration.ofSeconds(60));
    AttemptReport ended = told(Phase.PHASE_ENDED);
    assertThat(ended.getEndCause()).isEqualTo(EndCause.END_CAUSE_NODE_LOST);
    assertThat(ended.getMessage()).contains("node-b");
  }

  @Test
  void a_workload_deleted_behind_our_back_is_told_once_its_pods_are_gone() {
    running();
    world.client.batch().v1().jobs().inNamespace(AgentWorld.NAMESPACE).delete();
    world.time.idle(Duration.ofMillis(300));
    assertThat(world.plane.report(A1, Phase.PHASE_ENDED)).isEmpty();

    world.removed(A1, 0);
    world.removed(A1, 1);
    assertThat(told(Phase.PHASE_ENDED).getEndCause()).isEqualTo(EndCause.END_CAUSE_DELETED);
  }

  @Test
  void a_stop_takes_the_workload_away_and_is_told_once_nothing_runs() {
    running();
    world.plane.stops(A1, 7, 30_000);
    world.time.until("the Job is gone", () -> world.job(A1).isEmpty());
    AttemptReport ended = told(Phase.PHASE_ENDED);
    assertThat(ended.getEndCause()).isEqualTo(EndCause.END_CAUSE_STOPPED);
    assertThat(ended.getMessage()).isEqualTo("PREEMPTED");

    world.plane.forgetsHeard();
    world.plane.stops(A1, 7, 30_000);
    told(Phase.PHASE_ENDED);
    world.plane.starts(A1, 7, job(A1, 2));
    world.time.until("the end is told again", () -> world.plane.reports(A1).size() >= 2);
    assertThat(world.job(A1)).isEmpty();
  }

  @Test
  void a_stopped_gang_does_not_wait_for_the_last_word_of_a_node_that_its_cloud_took_away() {
    running();
    world.lingers(A1, 1);
    world.client.nodes().withName("node-b").delete();
    world.plane.stops(A1, 7, 30_000);
    world.time.until("the Job is gone", () -> world.job(A1).isEmpty());
    world.removed(A1, 0);

    // The pod on the lost node is still there: garbage collection takes it a minute later.
    assertThat(told(Phase.PHASE_ENDED).getEndCause()).isEqualTo(EndCause.END_CAUSE_STOPPED);
    assertThat(world.client.pods().inNamespace(AgentWorld.NAMESPACE).list().getItems())
        .isNotEmpty();
  }

  @Test
  void a_stop_in_the_middle_of_a_start_leaves_nothing_of_it_behind() {
    world.cluster().refuses("/jobs/", 503);
    world.plane.starts(A1, 7, service(A1), job(A1, 2));
    world.time.until("its Service is there", () -> !services().isEmpty());
    world.plane.stops(A1, 7, 30_000);
    told(Phase.PHASE_ABSENT);
    assertThat(services()).isEmpty();
  }

  private java.util.List<io.fabric8.kubernetes.api.model.Service> services() {
    return world.client.services().inNamespace(AgentWorld.NAMESPACE).list().getItems();
  }

  @Test
  void a_stop_of_an_older_epoch_is_not_obeyed() {
    running();
    world.plane.forgetsHeard();
    world.plane.stops(A1, 6, 30_000);
    told(Phase.PHASE_RUNNING);
    assertThat(world.job(A1)).isPresent();
  }

  @Test
  void a_stop_of_what_was_never_here_forbids_its_start() {
    world.plane.stops(A1, 7, 30_000);
    told(Phase.PHASE_ABSENT);
    world.plane.forgetsHeard();
    world.plane.starts(A1, 7, service(A1), job(A1, 2));
    told(Phase.PHASE_ABSENT);
    assertThat(world.cluster().writes()).noneMatch(write -> write.startsWith("PATCH"));
    assertThat(world.job(A1)).isEmpty();
  }

  @Test
  void what_belongs_to_somebody_else_is_never_touched() {
    String foreign = service(A1).replace("spillway.io/", "others.io/");
    world.client.resource(foreign).inNamespace(AgentWorld.NAMESPACE).create();
    world.plane.starts(A1, 7, service(A1), job(A1, 2));
    world.time.until("it is refused", () -> !world.plane.refusals(A1).isEmpty());
    assertThat(world.plane.refusals(A1).getFirst().getReason())
        .contains("belongs to somebody else");
    assertThat(
            world
                .client
                .services()
                .inNamespace(AgentWorld.NAMESPACE)
                .withName(Manifests.name(A1))
                .get())
        .isNotNull();
  }

  @Test
  void pods_with_forged_labels_change_nothing() {
    world.plane.starts(A1, 7, service(A1), job(A1, 2));
    told(Phase.PHASE_STARTING);
    world.runs(A1, 0, "node-a");
    world.forged("elsewhere", A1);
    world.forged("elsewhere", "no-attempt");
    world.time.idle(Duration.ofMillis(300));
    assertThat(world.plane.report(A1, Phase.PHASE_RUNNING)).isEmpty();

    world.runs(A1, 1, "node-b");
    told(Phase.PHASE_RUNNING);
    world.exits(A1, 0, 0, "");
    world.exits(A1, 1, 0, "");
    world.job(A1, "Complete", "CompletionsReached");
    // The stranger runs on; the attempt is over all the same.
    assertThat(told(Phase.PHASE_ENDED).getExitCodesList()).containsExactly(0, 0);
  }
}
