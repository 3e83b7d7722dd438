package io.spillway.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.spillway.protocol.v1.ControlFrame;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.state.Memo.ClusterFlags;
import io.spillway.server.loop.StateReader;
import io.spillway.server.store.Blocking;
import io.spillway.server.store.Database;
import io.vertx.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.net.URI;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The gateway on the server's own port, with the real loop behind it. */
@QuarkusTest
class GatewayInTheServerTest {
  @Inject Database database;
  @Inject StateReader state;

  @TestHTTPResource("/")
  URI server;

  @Test
  void an_agent_connects_on_the_http_port_and_the_loop_hears_it_come_and_go() {
    ClusterName cluster = new ClusterName("c-" + UUID.randomUUID().toString().substring(0, 8));
    Blocking.await(
        database
            .pool()
            .preparedQuery(
                "insert into cluster_token (cluster, token_hash, issued_by) values ($1, $2,"
                    + " 'test')")
            .execute(Tuple.of(cluster.value(), Doorkeeper.hash("secret"))),
        Duration.ofSeconds(10));
    try (FakeAgent agent = FakeAgent.welcomed(server.getPort(), cluster.value(), "secret", 4)) {
      // Sent only after the commit of the session came back through the loop.
      ControlFrame sweep = agent.awaits(ControlFrame::hasSweepRequest);
      assertThat(sweep.getGeneration()).isEqualTo(1);
      assertThat(sweep.getStoreHead()).isPositive();
      assertThat(flags(cluster).connected()).isTrue();
      assertThat(flags(cluster).agentEpoch()).isEqualTo(4);
      agent.heartbeat();
      agent.acked(2);
    }
    await().atMost(Duration.ofSeconds(20)).until(() -> !flags(cluster).connected());
  }

  private ClusterFlags flags(ClusterName cluster) {
    return state.read(view -> view.cluster(cluster)).toCompletableFuture().join();
  }
}
