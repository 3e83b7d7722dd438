package io.spillway.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spillway.protocol.v1.ControlFrame;
import io.spillway.protocol.v1.Phase;
import io.spillway.protocol.v1.Refused;
import io.spillway.scheduler.event.ControlEvent;
import io.spillway.scheduler.input.AgentInput;
import io.spillway.scheduler.lifecycle.AttemptState;
import io.spillway.scheduler.lifecycle.Outcome;
import io.spillway.scheduler.lifecycle.Reason;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.ClusterName;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One session a cluster, whatever connects where and whatever dies. */
class SessionTest {
  private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
  private GatewayWorld world;
  private GatewayWorld.Replica one;

  @BeforeEach
  void open() {
    world = new GatewayWorld();
    one = world.replica("one", FixedConfig.PATIENT);
  }

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void NOM_03_a_newer_stream_supersedes_the_older_on_another_replica_whose_frames_count_no_more() {
    GatewayWorld.Replica two = world.replica("two", FixedConfig.PATIENT);
    ClusterName cluster = world.cluster("moves", "aws");
    AttemptId attempt = world.attempt(cluster, new AttemptState.Running(NOW), null);
    try (FakeAgent older = one.agent(cluster, 1);
        FakeAgent newer = two.agent(cluster, 1)) {
      assertThat(older.refused().getWhy()).isEqualTo(Refused.Why.SUPERSEDED);
      older.awaitsEnd();
      long frame = newer.send(FakeAgent.report(attempt.toString(), Phase.PHASE_RUNNING));
      newer.acked(frame);
      assertThat(newer.awaits(ControlFrame::hasFrameAck).getGeneration()).isEqualTo(2);
      assertThat(world.inputs(AgentInput.SessionOpened.class))
          .extracting(AgentInput.SessionOpened::generation)
          .containsExactly(1L, 2L);
      assertThat(world.inputs(AgentInput.SessionClosed.class)).isEmpty();
    }
  }

  @Test
  void NOM_03_on_the_same_replica_too() {
    ClusterName cluster = world.cluster("stays", "aws");
    try (FakeAgent older = one.agent(cluster, 1);
        FakeAgent newer = one.agent(cluster, 2)) {
      assertThat(older.refused().getWhy()).isEqualTo(Refused.Why.SUPERSEDED);
      newer.acked(
          newer.send(FakeAgent.report("01AAAAAAAAAAAAAAAAAAAAAAAA-1", Phase.PHASE_RUNNING)));
      assertThat(world.inputs(AgentInput.AttemptReported.class))
          .extracting(AgentInput.AttemptReported::agentEpoch)
          .containsExactly(2L);
    }
  }

  @Test
  void an_agent_of_an_earlier_start_does_not_take_the_session_from_a_later_one() {
    ClusterName cluster = world.cluster("zombie", "aws");
    try (FakeAgent current = one.agent(cluster, 5);
        FakeAgent zombie = new FakeAgent(one.port())) {
      zombie.hello(FakeAgent.hello("zombie", "token-of-zombie", 4));
      assertThat(zombie.refused().getWhy()).isEqualTo(Refused.Why.SUPERSEDED);
      current.heartbeat();
      current.acked(2);
      assertThat(current.isOpen()).isTrue();
    }
  }

  @Test
  void KUE_13_an_agent_that_comes_again_with_running_attempts_is_told_to_stop_nothing() {
    ClusterName cluster = world.cluster("returns", "aws");
    AttemptId running = world.attempt(cluster, new AttemptState.Running(NOW), null);
    try (FakeAgent first = one.agent(cluster, 1)) {
      first.acked(first.send(FakeAgent.report(running.toString(), Phase.PHASE_RUNNING)));
      first.breaks();
    }
    try (FakeAgent again = one.agent(cluster, 1)) {
      again.awaits(ControlFrame::hasSweepRequest);
      again.acked(again.send(FakeAgent.report(running.toString(), Phase.PHASE_RUNNING)));
      assertThat(again.commands()).isEmpty();
      assertThat(world.inputs(AgentInput.AttemptReported.class))
          .extracting(AgentInput.AttemptReported::phase)
          .containsOnly(AgentInput.Phase.RUNNING);
    }
  }

  @Test
  void SKY_06_a_broken_connection_says_nothing_about_attempts() {
    ClusterName cluster = world.cluster("breaks", "aws");
    world.attempt(cluster, new AttemptState.Running(NOW), null);
    try (FakeAgent agent = one.agent(cluster, 1)) {
      agent.breaks();
      await()
          .untilAsserted(() -> assertThat(world.inputs(AgentInput.SessionClosed.class)).hasSize(1));
      assertThat(world.inputs())
          .allMatch(
              input ->
                  input instanceof AgentInput.SessionOpened
                      || input instanceof AgentInput.SessionClosed);
    }
  }

  @Test
  void DST_07_the_session_of_a_replica_that_died_is_ended_by_the_leader_and_nothing_else_is() {
    GatewayWorld.Replica two = world.replica("two", FixedConfig.PATIENT);
    ClusterName cluster = world.cluster("orphan", "aws");
    world.attempt(cluster, new AttemptState.Running(NOW), null);
    try (FakeAgent agent = two.agent(cluster, 1)) {
      two.dies();
      await()
          .atMost(java.time.Duration.ofSeconds(20))
          .untilAsserted(
              () ->
                  assertThat(world.inputs(AgentInput.SessionClosed.class))
                      .contains(new AgentInput.SessionClosed(cluster, 1)));
      assertThat(world.inputs(AgentInput.AttemptReported.class)).isEmpty();
      assertThat(agent.commands()).isEmpty();
    }
  }

  @Test
  void DST_14_the_first_command_after_a_return_is_the_stop_of_what_was_given_up() {
    ClusterName cluster = world.cluster("lost", "aws");
    AttemptId next =
        world.attempt(cluster, new AttemptState.Launching(NOW, NOW.plusSeconds(900)), "START");
    AttemptId stopping =
        world.attempt(
            cluster,
            new AttemptState.Ending(
                NOW,
                Instant.now().plusSeconds(20),
                Reason.USER_CANCELLED,
                java.util.Optional.empty()),
            "STOP");
    AttemptId fenced =
        world.attempt(
            cluster,
            new AttemptState.Ended(NOW, Outcome.FENCED, Reason.CLUSTER_DECLARED_LOST, false),
            "STOP");
    try (FakeAgent agent = one.agent(cluster, 1)) {
      agent.awaits(ControlFrame::hasStart);
      List<ControlFrame> commands = agent.commands();
      assertThat(commands.get(0).getStop().getAttempt()).isEqualTo(fenced.toString());
      assertThat(commands.get(1).getStop().getAttempt()).isEqualTo(stopping.toString());
      assertThat(commands.get(1).getStop().getGraceMs()).isBetween(1L, 20_000L);
      assertThat(commands.get(2).getStart().getAttempt()).isEqualTo(next.toString());
      agent.awaits(ControlFrame::hasSweepRequest);
    }
  }

  @Test
  void nothing_is_told_before_the_session_is_committed() {
    world.silentLoop = true;
    ClusterName cluster = world.cluster("early", "aws");
    AttemptId attempt =
        world.attempt(cluster, new AttemptState.Launching(NOW, NOW.plusSeconds(900)), "START");
    try (FakeAgent agent = one.agent(cluster, 1)) {
      agent.heartbeat();
      agent.acked(2);
      assertThat(agent.commands()).isEmpty();
      world.commit(new io.spillway.scheduler.event.ClusterEvent.AgentConnected(cluster, 1, 1, NOW));
      assertThat(agent.awaits(ControlFrame::hasStart).getStart().getAttempt())
          .isEqualTo(attempt.toString());
    }
  }

  @Test
  void a_restored_store_is_noticed_before_all_else_and_nothing_is_told_until_it_is_settled() {
    ClusterName cluster = world.cluster("knows-more", "aws");
    world.attempt(cluster, new AttemptState.Launching(NOW, NOW.plusSeconds(900)), "START");
    world.attempt(
        cluster,
        new AttemptState.Ended(NOW, Outcome.FENCED, Reason.CLUSTER_DECLARED_LOST, false),
        "STOP");
    long copied = world.head();
    try (FakeAgent agent = new FakeAgent(one.port())) {
      agent.hello(
          FakeAgent.hello("knows-more", "token-of-knows-more", 1)
              .setStoreGeneration("store-a")
              .setStoreHead(copied + 1_000));
      agent.awaits(ControlFrame::hasSweepRequest);
      agent.heartbeat();
      agent.acked(2);
      assertThat(world.inputs().subList(0, 2))
          .containsExactly(
              new AgentInput.NewerStoreReported(cluster, "store-a", copied + 1_000),
              new AgentInput.SessionOpened(cluster, 1, 1));
      assertThat(agent.commands()).isEmpty();
      world.commit(new ControlEvent.RecoveryLeft(NOW, true));
      agent.awaits(ControlFrame::hasStop);
      agent.awaits(ControlFrame::hasStart);
    }
  }

  @Test
  void another_store_is_noticed_whatever_its_head_and_an_agent_that_saw_none_is_no_sign() {
    world.cluster("other-store", "aws");
    ClusterName fresh = world.cluster("fresh", "aws");
    try (FakeAgent innocent = one.agent(fresh, 1);
        FakeAgent agent = new FakeAgent(one.port())) {
      innocent.awaits(ControlFrame::hasSweepRequest);
      assertThat(world.inputs(AgentInput.NewerStoreReported.class)).isEmpty();
      agent.hello(
          FakeAgent.hello("other-store", "token-of-other-store", 1)
              .setStoreGeneration("store-b")
              .setStoreHead(1));
      agent.welcome();
      assertThat(world.inputs(AgentInput.NewerStoreReported.class)).hasSize(1);
    }
  }
}
