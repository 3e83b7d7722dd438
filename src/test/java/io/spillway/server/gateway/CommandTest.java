package io.spillway.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spillway.protocol.v1.ControlFrame;
import io.spillway.protocol.v1.Launch;
import io.spillway.protocol.v1.Start;
import io.spillway.protocol.v1.Stop;
import io.spillway.scheduler.event.AttemptEvent;
import io.spillway.scheduler.event.ClusterEvent;
import io.spillway.scheduler.lifecycle.AttemptState;
import io.spillway.scheduler.lifecycle.Outcome;
import io.spillway.scheduler.lifecycle.Reason;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.ClusterName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What agents are told, when, and how often. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CommandTest {
  private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
  private static final AttemptState LAUNCHING =
      new AttemptState.Launching(NOW, NOW.plusSeconds(900));
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
  void a_start_says_all_that_is_needed_to_run_it() {
    ClusterName cluster = world.cluster("starts", "aws");
    try (FakeAgent agent = agent(replica, cluster)) {
      AttemptId attempt = world.attempt(cluster, LAUNCHING, "START");
      ControlFrame frame = agent.awaits(ControlFrame::hasStart);
      Start start = frame.getStart();
      assertThat(start.getAttempt()).isEqualTo(attempt.toString());
      assertThat(start.getEpoch()).isEqualTo(1);
      assertThat(frame.getGeneration()).isEqualTo(1);
      assertThat(frame.getStoreHead()).isGreaterThanOrEqualTo(world.head());
      Launch launch = start.getLaunch();
      assertThat(launch.getNamespace()).isEqualTo("spillway-research");
      assertThat(launch.getInstanceType()).isEqualTo("h100x8");
      assertThat(launch.getZone()).isEqualTo("eu-1a");
      assertThat(launch.getCapacityType()).isEqualTo("spot");
      assertThat(launch.getNodes()).isEqualTo(2);
      assertThat(launch.getGpusPerNode()).isEqualTo(8);
      assertThat(launch.getGpu()).isEqualTo("nvidia-h100-80gb");
      assertThat(launch.getImage()).isEqualTo("registry.example/train:1");
      assertThat(launch.getCommandList()).containsExactly("torchrun", "train.py");
      assertThat(launch.getEnvMap()).containsEntry("EPOCHS", "3");
      assertThat(launch.getGraceMs()).isEqualTo(30_000);
      assertThat(launch.getSpecJson()).contains("\"queue\"");
    }
  }

  @Test
  void a_hold_a_start_a_stop_and_a_release_come_in_the_order_of_the_journal() {
    ClusterName cluster = world.cluster("orders", "aws");
    try (FakeAgent agent = agent(replica, cluster)) {
      AttemptState intended = new AttemptState.Intended(Optional.empty(), NOW, false);
      AttemptId held = world.attempt(cluster, intended, "HOLD");
      AttemptId dropped = world.attempt(cluster, intended, "HOLD");
      agent.awaits(f -> f.hasHold() && f.getHold().getAttempt().equals(dropped.toString()));
      world.put(held, cluster, LAUNCHING, "START");
      world.put(
          dropped,
          cluster,
          new AttemptState.Ended(Instant.now(), Outcome.DROPPED, Reason.HOLD_DROPPED, true),
          "RELEASE");
      world.put(
          held,
          cluster,
          new AttemptState.Ending(
              NOW, Instant.now().plusSeconds(100), Reason.INTERRUPTED, Optional.empty()),
          "STOP");
      Stop stop = agent.awaits(ControlFrame::hasStop).getStop();
      assertThat(stop.getGraceMs()).isBetween(90_000L, 100_000L);
      assertThat(agent.awaits(ControlFrame::hasRelease).getRelease().getAttempt())
          .isEqualTo(dropped.toString());
      List<ControlFrame> told = agent.commands();
      assertThat(told.get(0).getHold().getAttempt()).isEqualTo(held.toString());
      assertThat(told.getLast().hasStop()).isTrue();
    }
  }

  @Test
  void a_command_comes_again_until_a_report_made_it_moot_and_not_more_often() {
    GatewayWorld.Replica insistent =
        world.replica("insistent", FixedConfig.PATIENT.withResendAfter(Duration.ofMillis(400)));
    ClusterName cluster = world.cluster("again", "aws");
    try (FakeAgent agent = agent(insistent, cluster)) {
      AttemptId attempt = world.attempt(cluster, LAUNCHING, "START");
      await().atMost(Duration.ofSeconds(20)).until(() -> agent.count(ControlFrame::hasStart) >= 3);
      world.put(attempt, cluster, new AttemptState.Running(NOW), null);
      long told = agent.count(ControlFrame::hasStart);
      await()
          .during(Duration.ofMillis(1_500))
          .atMost(Duration.ofSeconds(5))
          .until(() -> agent.count(ControlFrame::hasStart) <= told + 1);
    }
  }

  @Test
  void everything_open_comes_again_after_a_reconnect() {
    ClusterName cluster = world.cluster("reconnects", "aws");
    AttemptId attempt;
    try (FakeAgent agent = agent(replica, cluster)) {
      attempt = world.attempt(cluster, LAUNCHING, "START");
      agent.awaits(ControlFrame::hasStart);
      agent.breaks();
    }
    try (FakeAgent agent = agent(replica, cluster)) {
      ControlFrame start = agent.awaits(ControlFrame::hasStart);
      assertThat(start.getStart().getAttempt()).isEqualTo(attempt.toString());
      assertThat(start.getGeneration()).isEqualTo(2);
    }
  }

  @Test
  void a_stray_is_swept_for_again_and_stopped_with_an_epoch_that_it_obeys() {
    GatewayWorld.Replica sweeping =
        world.replica("sweeping", FixedConfig.PATIENT.withStraySweepAfter(Duration.ofMillis(300)));
    ClusterName cluster = world.cluster("strays", "aws");
    AttemptId stray = AttemptId.parse("01STRAYSTRAYSTRAYSTRAYSTRA-1");
    try (FakeAgent agent = agent(sweeping, cluster)) {
      agent.awaits(ControlFrame::hasSweepRequest);
      world.commit(new ClusterEvent.StrayFound(cluster, stray, 9, NOW, 1));
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> agent.count(ControlFrame::hasSweepRequest) == 2);
      assertThat(agent.commands()).isEmpty();
      world.commit(new ClusterEvent.StrayStopped(cluster, stray, 9, NOW));
      Stop stop = agent.awaits(ControlFrame::hasStop).getStop();
      assertThat(stop.getAttempt()).isEqualTo(stray.toString());
      assertThat(stop.getEpoch()).isEqualTo(9);
    }
    try (FakeAgent again = agent(sweeping, cluster)) {
      assertThat(again.awaits(ControlFrame::hasStop).getStop().getAttempt())
          .as("told again after a reconnect, while it is not gone")
          .isEqualTo(stray.toString());
    }
  }

  @Test
  void no_stray_that_is_gone_by_then_is_stopped_at_an_agent_that_comes_later() {
    GatewayWorld.Replica idle = world.replica("idle", FixedConfig.PATIENT);
    ClusterName cluster = world.cluster("gone-strays", "aws");
    AttemptId gone = AttemptId.parse("01STRAYSTRAYSTRAYSTRAYG0NE-1");
    AttemptId still = AttemptId.parse("01STRAYSTRAYSTRAYSTRAYST1Y-1");
    for (AttemptId stray : List.of(gone, still)) {
      world.commit(new ClusterEvent.StrayFound(cluster, stray, 9, NOW, 1));
      world.commit(new ClusterEvent.StrayStopped(cluster, stray, 9, NOW));
    }
    world.commit(new ClusterEvent.StrayGone(cluster, gone));
    try (FakeAgent agent = agent(idle, cluster)) {
      agent.awaits(f -> f.hasStop() && f.getStop().getAttempt().equals(still.toString()));
      assertThat(agent.commands())
          .allMatch(frame -> frame.getStop().getAttempt().equals(still.toString()));
    }
  }

  @Test
  void a_sweep_is_asked_for_when_nobody_knows_what_became_of_a_launch() {
    GatewayWorld.Replica sweeping =
        world.replica("asking", FixedConfig.PATIENT.withStraySweepAfter(Duration.ofMillis(300)));
    ClusterName cluster = world.cluster("unheard", "aws");
    AttemptId launched = world.attempt(cluster, LAUNCHING, "START");
    try (FakeAgent agent = agent(sweeping, cluster)) {
      agent.awaits(ControlFrame::hasSweepRequest);
      world.commit(new AttemptEvent.AttemptUnknown(launched, GatewayWorld.offering(cluster), NOW));
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> agent.count(ControlFrame::hasSweepRequest) == 2);
    }
  }

  @Test
  void one_row_that_cannot_be_read_keeps_no_other_from_its_agent() {
    ClusterName cluster = world.cluster("odd-rows", "aws");
    AttemptId odd = world.attempt(cluster, LAUNCHING, "START");
    world.store.query("delete from job_spec where job_id = $1", odd.job().value());
    try (FakeAgent agent = agent(replica, cluster)) {
      AttemptId good = world.attempt(cluster, LAUNCHING, "START");
      assertThat(agent.awaits(ControlFrame::hasStart).getStart().getAttempt())
          .isEqualTo(good.toString());
    }
  }

  @Test
  void many_starts_of_many_clusters_each_reach_their_own_agent_once() {
    List<ClusterName> clusters = new ArrayList<>();
    List<FakeAgent> agents = new ArrayList<>();
    try {
      for (int c = 0; c < 5; c++) {
        clusters.add(world.cluster("many-" + c, "aws"));
        agents.add(agent(replica, clusters.get(c)));
      }
      for (int i = 0; i < 200; i++) {
        world.attempt(clusters.get(i % 5), LAUNCHING, "START");
      }
      for (FakeAgent agent : agents) {
        await()
            .atMost(Duration.ofSeconds(30))
            .until(() -> agent.count(ControlFrame::hasStart) >= 40);
        assertThat(agent.commands().stream().map(f -> f.getStart().getAttempt()).distinct())
            .hasSize(40);
        assertThat(agent.count(ControlFrame::hasStart)).isEqualTo(40);
      }
    } finally {
      agents.forEach(FakeAgent::close);
    }
  }

  private static FakeAgent agent(GatewayWorld.Replica at, ClusterName cluster) {
    return at.agent(cluster, 1);
  }
}
