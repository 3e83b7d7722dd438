package io.spillway.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spillway.protocol.v1.AgentMessage;
import io.spillway.protocol.v1.Heartbeat;
import io.spillway.protocol.v1.Refused;
import io.spillway.protocol.v1.Welcome;
import io.spillway.scheduler.input.AgentInput;
import io.spillway.scheduler.model.ClusterName;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Who is let in, and who is not. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GreetingTest {
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
  void an_agent_with_its_clusters_token_is_welcomed_and_its_session_is_an_input() {
    ClusterName cluster = world.cluster("greets", "aws");
    try (FakeAgent agent = new FakeAgent(replica.port())) {
      agent.hello(FakeAgent.hello("greets", "token-of-greets", 7));
      Welcome welcome = agent.welcome();
      assertThat(welcome.getProtocolVersion()).isEqualTo(1);
      assertThat(welcome.getStoreGeneration()).isEqualTo("store-a");
      assertThat(welcome.getSilenceMs()).isEqualTo(60_000);
      assertThat(agent.acked(1).getFrame()).isEqualTo(1);
      assertThat(world.inputs(AgentInput.SessionOpened.class))
          .contains(new AgentInput.SessionOpened(cluster, 1, 7));
      assertThat(
              replica.registry.find("spillway.agent.last.seen.timestamp").tag("cluster", "greets"))
          .isNotNull();
    }
  }

  @Test
  void a_token_of_another_cluster_is_refused() {
    world.cluster("mine", "aws");
    world.cluster("yours", "aws");
    assertThat(refusal("mine", "token-of-yours").getWhy()).isEqualTo(Refused.Why.BAD_TOKEN);
  }

  @Test
  void an_empty_an_oversize_and_a_nearly_right_token_are_refused() {
    world.cluster("picky", "aws");
    for (String token :
        new String[] {"", "x".repeat(600), "token-of-pickY", "token-of-picky\u0000"}) {
      assertThat(refusal("picky", token).getWhy()).as(token).isEqualTo(Refused.Why.BAD_TOKEN);
    }
  }

  @Test
  void a_cluster_that_nobody_registered_is_unknown() {
    Refused refused = refusal("never-heard-of", "token");
    assertThat(refused.getWhy()).isEqualTo(Refused.Why.UNKNOWN_CLUSTER);
    assertThat(refused.getDetail()).contains("never-heard-of");
  }

  @Test
  void a_name_that_is_none_is_malformed_and_reaches_no_query() {
    assertThat(refusal("'; drop table agent_session; --", "t").getWhy())
        .isEqualTo(Refused.Why.MALFORMED);
  }

  @Test
  void a_protocol_of_before_is_refused_and_one_of_later_is_spoken_to_in_ours() {
    world.cluster("versions", "aws");
    try (FakeAgent old = new FakeAgent(replica.port());
        FakeAgent later = new FakeAgent(replica.port())) {
      old.hello(FakeAgent.hello("versions", "token-of-versions", 1).setProtocolVersion(0));
      assertThat(old.refused().getWhy()).isEqualTo(Refused.Why.OLD_PROTOCOL);
      later.hello(FakeAgent.hello("versions", "token-of-versions", 1).setProtocolVersion(9));
      assertThat(later.welcome().getProtocolVersion()).isEqualTo(1);
    }
  }

  @Test
  void a_revoked_token_lets_nobody_in_and_ends_the_stream_that_it_let_in() {
    ClusterName cluster = world.cluster("revoked", "aws");
    try (FakeAgent agent = replica.agent(cluster, 1)) {
      world.store.query("update cluster_token set revoked_at = now() where cluster = 'revoked'");
      assertThat(agent.refused().getWhy()).isEqualTo(Refused.Why.BAD_TOKEN);
      agent.awaitsEnd();
    }
    assertThat(refusal("revoked", "token-of-revoked").getWhy()).isEqualTo(Refused.Why.BAD_TOKEN);
  }

  @Test
  void who_says_nothing_at_first_is_turned_away() {
    GatewayWorld.Replica hasty =
        world.replica("hasty", FixedConfig.PATIENT.withHelloTimeout(Duration.ofMillis(300)));
    try (FakeAgent mute = new FakeAgent(hasty.port())) {
      Refused refused = mute.refused();
      assertThat(refused.getWhy()).isEqualTo(Refused.Why.MALFORMED);
      assertThat(refused.getDetail()).contains("no Hello");
      mute.awaitsEnd();
    }
  }

  @Test
  void the_first_message_is_a_greeting_and_no_later_one_is() {
    ClusterName cluster = world.cluster("twice", "aws");
    try (FakeAgent rude = new FakeAgent(replica.port());
        FakeAgent again = replica.agent(cluster, 1)) {
      rude.send(AgentMessage.newBuilder().setHeartbeat(Heartbeat.getDefaultInstance()));
      assertThat(rude.refused().getWhy()).isEqualTo(Refused.Why.MALFORMED);
      again.hello(FakeAgent.hello("twice", "token-of-twice", 1));
      assertThat(again.refused().getDetail()).contains("first message");
    }
  }

  @Test
  void a_silent_agent_is_closed_and_that_is_all_that_happens() {
    GatewayWorld.Replica strict =
        world.replica("strict", FixedConfig.PATIENT.withSilence(Duration.ofMillis(800)));
    ClusterName cluster = world.cluster("silent", "aws");
    try (FakeAgent agent = strict.agent(cluster, 1)) {
      assertThat(agent.refused().getWhy()).isEqualTo(Refused.Why.RETRY_LATER);
      agent.awaitsEnd();
      await()
          .untilAsserted(
              () ->
                  assertThat(world.inputs(AgentInput.SessionClosed.class))
                      .contains(new AgentInput.SessionClosed(cluster, 1)));
      assertThat(agent.commands()).isEmpty();
    }
  }

  @Test
  void heartbeats_keep_a_stream_open_and_are_no_inputs() {
    GatewayWorld.Replica strict =
        world.replica("strict-too", FixedConfig.PATIENT.withSilence(Duration.ofMillis(900)));
    ClusterName cluster = world.cluster("beats", "aws");
    try (FakeAgent agent = strict.agent(cluster, 1)) {
      long until = System.nanoTime() + Duration.ofMillis(2_500).toNanos();
      await()
          .pollInterval(Duration.ofMillis(200))
          .until(
              () -> {
                agent.heartbeat();
                return System.nanoTime() > until;
              });
      assertThat(agent.isOpen()).isTrue();
      assertThat(world.inputs(AgentInput.class))
          .filteredOn(input -> input.cluster().equals(cluster))
          .hasSize(1);
    }
  }

  private Refused refusal(String cluster, String token) {
    try (FakeAgent agent = new FakeAgent(replica.port())) {
      agent.hello(FakeAgent.hello(cluster, token, 1));
      Refused refused = agent.refused();
      agent.awaitsEnd();
      return refused;
    }
  }
}
