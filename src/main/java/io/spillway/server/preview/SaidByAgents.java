package io.spillway.server.preview;

import com.google.protobuf.InvalidProtocolBufferException;
import io.smallrye.mutiny.Uni;
import io.spillway.protocol.v1.Capabilities;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.server.kubernetes.ClusterAbility;
import io.vertx.mutiny.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;

/** What agents said last of their clusters, connected now or not. */
@ApplicationScoped
class SaidByAgents {
  private final Pool pool;

  SaidByAgents(Pool pool) {
    this.pool = pool;
  }

  /** Empty for a cluster whose agent was never there, or applies no manifests. Never blocks. */
  Uni<Optional<ClusterAbility>> of(ClusterName cluster) {
    // By the primary key.
    return pool.preparedQuery("select capabilities from agent_session where cluster = $1")
        .execute(Tuple.of(cluster.value()))
        .map(
            rows ->
                rows.iterator().hasNext()
                    ? Optional.ofNullable(rows.iterator().next().getBuffer("capabilities"))
                        .map(SaidByAgents::message)
                        .filter(Capabilities::getAppliesManifests)
                        .map(ClusterAbility::said)
                    : Optional.empty());
  }

  private static Capabilities message(Buffer stored) {
    try {
      return Capabilities.parseFrom(stored.getBytes());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("stored capabilities are no message", e);
    }
  }
}
