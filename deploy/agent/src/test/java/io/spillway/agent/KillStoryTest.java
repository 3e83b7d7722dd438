package io.spillway.agent;

import static io.spillway.agent.world.AgentWorld.A1;
import static io.spillway.agent.world.AgentWorld.NAMESPACE;
import static io.spillway.agent.world.Manifests.job;
import static io.spillway.agent.world.Manifests.placeholder;
import static io.spillway.agent.world.Manifests.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.agent.world.AgentWorld;
import io.spillway.protocol.v1.EndCause;
import io.spillway.protocol.v1.Phase;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The agent is killed between any two of its steps; the next one finishes what was begun. */
class KillStoryTest {
  private final AgentWorld world = new AgentWorld();

  @AfterEach
  void end() {
    world.close();
  }

  private void told(Phase phase) {
    world.time.until(
        A1 + " is " + phase,
        () -> {
          world.time.advance(Duration.ofSeconds(1));
          return world.plane.report(A1, phase).isPresent();
        });
  }

  private long applied(String part) {
    return world.cluster().writes().stream()
        .filter(write -> write.startsWith("PATCH") && write.contains(part))
        .count();
  }

  @Test
  void killed_between_two_objects_of_a_start_and_nothing_is_made_twice() {
    world.cluster().refuses("/jobs/", 503);
    world.plane.starts(A1, 7, service(A1), job(A1, 1));
    world.time.until("the Service is there", () -> applied("/services/") == 1);
    world.killed();
    world.cluster().refuses("", 0);
    world.plane.starts(A1, 7, service(A1), job(A1, 1));
    told(Phase.PHASE_STARTING);
    assertThat(applied("/services/")).isEqualTo(1);
    assertThat(world.job(A1)).isPresent();
  }

  @Test
  void killed_before_the_start_was_told_and_the_next_agent_tells_it() {
    world.plane.acknowledges(false);
    world.plane.starts(A1, 7, service(A1), job(A1, 1));
    world.time.until("the Job is there", () -> world.job(A1).isPresent());
    world.plane.forgetsHeard();
    world.plane.acknowledges(true);
    world.killed();
    told(Phase.PHASE_STARTING);
    assertThat(applied("/jobs/")).isEqualTo(1);
  }

  @Test
  void killed_while_the_workload_ended_and_its_end_is_told_with_all_codes() {
    world.plane.starts(A1, 7, service(A1), job(A1, 2));
    told(Phase.PHASE_STARTING);
    world.runs(A1, 0, "node-a");
    world.runs(A1, 1, "node-b");
    told(Phase.PHASE_RUNNING);
    world.plane.forgetsHeard();
    world.exits(A1, 0, 0, "");
    world.exits(A1, 1, 0, "");
    world.job(A1, "Complete", "CompletionsReached");
    world.killed();
    told(Phase.PHASE_ENDED);
    assertThat(world.plane.report(A1, Phase.PHASE_ENDED).orElseThrow().getExitCodesList())
        .containsExactly(0, 0);
    world.time.until(
        "the Service is gone",
        () -> world.client.services().inNamespace(NAMESPACE).list().getItems().isEmpty());
  }

  @Test
  void killed_before_an_end_was_acknowledged_and_the_next_agent_tells_it_once_more() {
    world.plane.starts(A1, 7, service(A1), job(A1, 1));
    told(Phase.PHASE_STARTING);
    world.runs(A1, 0, "node-a");
    told(Phase.PHASE_RUNNING);
    world.plane.acknowledges(false);
    world.exits(A1, 0, 0, "");
    world.job(A1, "Complete", "CompletionsReached");
    told(Phase.PHASE_ENDED);
    world.time.until("it is remembered", this::isRemembered);
    // Its Job may be gone by then, with all that could be read from it.
    world.client.batch().v1().jobs().inNamespace(NAMESPACE).delete();
    world.plane.forgetsHeard();
    world.plane.acknowledges(true);
    world.killed();
    told(Phase.PHASE_ENDED);
    assertThat(world.plane.report(A1, Phase.PHASE_ENDED).orElseThrow().getExitCodesList())
        .containsExactly(0);

    // Once it is acknowledged, and some time has passed, it is told no more.
    world.time.advance(Duration.ofMinutes(2));
    long later = world.time.now().getEpochSecond();
    world.time.until(
        "it is noted that all is told",
        () -> {
          world.plane.sweeps();
          world.time.advance(Duration.ofSeconds(6));
          return toldUntil() >= later;
        });
    world.plane.forgetsHeard();
    world.killed();
    world.time.idle(Duration.ofMillis(200));
    assertThat(world.plane.reports(A1)).isEmpty();
  }

  @Test
  void killed_after_a_stop_was_taken_and_before_it_was_done() {
    world.plane.starts(A1, 7, service(A1), job(A1, 1));
    told(Phase.PHASE_STARTING);
    world.runs(A1, 0, "node-a");
    told(Phase.PHASE_RUNNING);
    world.cluster().keeps(true);
    world.plane.stops(A1, 7, 30_000);
    world.time.until("it is remembered", this::isRemembered);
    world.killed();
    world.cluster().keeps(false);
    // The order was given and is remembered: it needs no second one.
    world.time.until(
        "the Job is gone",
        () -> {
          world.time.advance(Duration.ofSeconds(1));
          return world.job(A1).isEmpty();
        });
    world.removed(A1, 0);
    told(Phase.PHASE_ENDED);
    assertThat(world.plane.report(A1, Phase.PHASE_ENDED).orElseThrow().getEndCause())
        .isEqualTo(EndCause.END_CAUSE_STOPPED);
  }

  @Test
  void killed_while_a_stopped_member_writes_its_checkpoint_and_the_next_does_not_hurry_it() {
    world.plane.starts(A1, 7, service(A1), job(A1, 1));
    told(Phase.PHASE_STARTING);
    world.runs(A1, 0, "node-a");
    told(Phase.PHASE_RUNNING);
    world.lingers(A1, 0);
    world.plane.stops(A1, 7, 300_000);
    world.time.until("it is told to end", () -> ends().size() == 1);
    assertThat(ends().getFirst()).contains("\"gracePeriodSeconds\":300");

    world.killed();
    world.time.until("the next goes on with the stop", () -> ends().size() > 1);
    assertThat(ends().getLast()).doesNotContain("gracePeriodSeconds");
  }

  private java.util.List<String> ends() {
    return world.cluster().deletions().stream()
        .filter(deletion -> deletion.contains("/pods/"))
        .toList();
  }

  private long toldUntil() {
    return Long.parseLong(world.memory().getOrDefault("told-until", "0"));
  }

  private boolean isRemembered() {
    return world.client.configMaps().inNamespace("spillway").list().getItems().stream()
        .anyMatch(map -> map.getData().containsKey(A1));
  }

  @Test
  void killed_while_it_holds_and_the_hold_is_released_by_the_next() {
    world.plane.holds(A1, 7, placeholder(A1, 0));
    world.time.until(
        "it is applied",
        () -> world.client.pods().inNamespace(NAMESPACE).list().getItems().size() == 1);
    world.killed();
    world.plane.releases(A1, 7);
    told(Phase.PHASE_ABSENT);
    assertThat(world.client.pods().inNamespace(NAMESPACE).list().getItems()).isEmpty();
  }

  @Test
  void what_a_deposed_agent_applies_after_a_stop_is_taken_away_again() {
    world.plane.stops(A1, 7, 30_000);
    told(Phase.PHASE_ABSENT);
    String late =
        job(A1, 1).replace("\"labels\": {", "\"labels\": {\"spillway.io/epoch\": \"6\", ");
    world.client.resource(late).create();
    world.time.until("it is taken away", () -> world.job(A1).isEmpty());
  }

  @Test
  void a_watch_that_expired_is_begun_anew_and_nothing_is_missed() {
    world.plane.starts(A1, 7, service(A1), job(A1, 1));
    told(Phase.PHASE_STARTING);
    world.runs(A1, 0, "node-a");
    told(Phase.PHASE_RUNNING);
    world.cluster().expiresWatches();
    world.exits(A1, 0, 5, "while nobody watched");
    world.job(A1, "Failed", "BackoffLimitExceeded");
    world.time.advance(Duration.ofMinutes(1));
    told(Phase.PHASE_ENDED);
    assertThat(world.plane.report(A1, Phase.PHASE_ENDED).orElseThrow().getExitCodesList())
        .containsExactly(5);
  }

  @Test
  void a_watch_whose_connection_died_unnoticed_hides_an_end_for_some_minutes_only() {
    world.plane.starts(A1, 7, service(A1), job(A1, 1));
    told(Phase.PHASE_STARTING);
    world.runs(A1, 0, "node-a");
    told(Phase.PHASE_RUNNING);
    world.cluster().deafens();
    world.exits(A1, 0, 5, "while nobody heard");
    world.job(A1, "Failed", "BackoffLimitExceeded");
    world.time.advance(Duration.ofMinutes(9));
    world.time.until(
        "its end is told", () -> world.plane.report(A1, Phase.PHASE_ENDED).isPresent());
  }

  @Test
  void a_standby_does_nothing_until_the_lease_is_free() {
    world.standby();
    world.time.advance(Duration.ofMinutes(2));
    assertThat(world.plane.hellos()).hasSize(1);
    world.restarts();
    assertThat(world.plane.hellos().size()).isGreaterThan(1);
  }
}
