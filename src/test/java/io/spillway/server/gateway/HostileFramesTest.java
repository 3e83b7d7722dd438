package io.spillway.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.spillway.protocol.v1.AgentFrame;
import io.spillway.protocol.v1.AgentMessage;
import io.spillway.protocol.v1.Heartbeat;
import io.spillway.protocol.v1.LogChunk;
import io.spillway.protocol.v1.Phase;
import io.spillway.protocol.v1.Refused;
import io.spillway.scheduler.input.AgentInput;
import io.spillway.scheduler.lifecycle.AttemptState;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.ClusterName;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Whatever bytes come, the answer is clear, the next agent is served, and nothing durable is lost.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileFramesTest {
  private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
  private GatewayWorld world;
  private GatewayWorld.Replica replica;
  private ClusterName cluster;
  private AttemptId attempt;

  @BeforeAll
  void open() {
    world = new GatewayWorld();
    replica = world.replica("one", FixedConfig.PATIENT);
    cluster = world.cluster("hostile", "aws");
    attempt = world.attempt(cluster, new AttemptState.Running(NOW), null);
  }

  @AfterAll
  void close() {
    world.close();
  }

  @Test
  void garbage_is_malformed_before_and_after_the_greeting() {
    long seed = 4_711;
    Random random = new Random(seed);
    for (int i = 0; i < 40; i++) {
      byte[] garbage = new byte[1 + random.nextInt(2_000)];
      random.nextBytes(garbage);
      garbage[0] = (byte) 0xff; // No field number is that: never a valid frame by chance.
      try (FakeAgent agent =
          i % 2 == 0 ? new FakeAgent(replica.port()) : replica.agent(cluster, 1)) {
        agent.raw(garbage);
        Refused refused = agent.refused();
        assertThat(refused.getWhy())
            .as("seed %d round %d", seed, i)
            .isEqualTo(Refused.Why.MALFORMED);
        assertThat(refused.getDetail()).contains("not an AgentFrame");
        agent.awaitsEnd();
      }
    }
  }

  @Test
  void a_frame_with_flipped_bits_is_refused_or_read_and_never_breaks_the_gateway() {
    long seed = 8_150;
    Random random = new Random(seed);
    for (int i = 0; i < 60; i++) {
      byte[] bytes =
          AgentFrame.newBuilder()
              .setFrame(2)
              .addMessages(FakeAgent.report(attempt.toString(), Phase.PHASE_RUNNING).setSeq(2))
              .addMessages(FakeAgent.report("01" + "x".repeat(40), Phase.PHASE_ENDED).setSeq(3))
              .build()
              .toByteArray();
      for (int flips = 1 + random.nextInt(6); flips > 0; flips--) {
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      }
      try (FakeAgent agent = replica.agent(cluster, 1)) {
        agent.raw(bytes);
        agent.awaits(f -> f.hasRefused() || (f.hasFrameAck() && f.getFrameAck().getFrame() == 2));
      }
    }
    serves();
  }

  @Test
  void an_oversize_frame_is_refused_with_the_limit() {
    try (FakeAgent agent = replica.agent(cluster, 1)) {
      agent.acked(agent.send(FakeAgent.report(attempt.toString(), Phase.PHASE_RUNNING)));
      agent.send(
          AgentMessage.newBuilder()
              .setLogChunk(
                  LogChunk.newBuilder().setData(ByteString.copyFrom(new byte[5 * 1024 * 1024]))));
      Refused refused = agent.refused();
      assertThat(refused.getWhy()).isEqualTo(Refused.Why.MALFORMED);
      assertThat(refused.getDetail()).contains("4194304");
      agent.awaitsEnd();
    }
    serves();
  }

  @Test
  void too_many_messages_no_message_and_a_wrong_number_are_refused() {
    AgentFrame.Builder many = AgentFrame.newBuilder().setFrame(2);
    for (int i = 0; i < 1_001; i++) {
      many.addMessages(AgentMessage.newBuilder().setHeartbeat(Heartbeat.getDefaultInstance()));
    }
    AgentFrame.Builder[] frames = {
      many,
      AgentFrame.newBuilder().setFrame(2),
      AgentFrame.newBuilder()
          .setFrame(7)
          .addMessages(AgentMessage.newBuilder().setHeartbeat(Heartbeat.getDefaultInstance())),
      AgentFrame.newBuilder()
          .setFrame(1)
          .addMessages(AgentMessage.newBuilder().setHeartbeat(Heartbeat.getDefaultInstance()))
    };
    for (AgentFrame.Builder frame : frames) {
      try (FakeAgent agent = replica.agent(cluster, 1)) {
        agent.raw(frame.build().toByteArray());
        assertThat(agent.refused().getWhy()).isEqualTo(Refused.Why.MALFORMED);
        agent.awaitsEnd();
      }
    }
  }

  @Test
  void what_is_no_attempt_costs_its_message_and_not_the_stream() {
    String[] ids = {
      "",
      "-1",
      "01AAAAAAAAAAAAAAAAAAAAAAAA-0",
      "01AAAAAAAAAAAAAAAAAAAAAAAA-99999999999",
      "01aaaaaaaaaaaaaaaaaaaaaaaa-1",
      "'; drop table attempt; --",
      "$(reboot)-1",
      "\u0000\u0000-1",
      "💥".repeat(30) + "-1",
      "x".repeat(10_000)
    };
    try (FakeAgent agent = replica.agent(cluster, 1)) {
      for (String id : ids) {
        long frame = agent.send(FakeAgent.report(id, Phase.PHASE_RUNNING));
        assertThat(agent.acked(frame).getRefusedCount()).as(id).isEqualTo(1);
      }
      assertThat(agent.isOpen()).isTrue();
    }
    serves();
  }

  private void serves() {
    int before = world.inputs(AgentInput.AttemptReported.class).size();
    try (FakeAgent agent = replica.agent(cluster, 1)) {
      agent.acked(agent.send(FakeAgent.report(attempt.toString(), Phase.PHASE_RUNNING)));
      assertThat(world.inputs(AgentInput.AttemptReported.class)).hasSizeGreaterThan(before);
    }
  }
}
