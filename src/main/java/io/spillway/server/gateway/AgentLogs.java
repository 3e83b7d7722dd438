package io.spillway.server.gateway;

import io.smallrye.mutiny.Uni;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.ClusterName;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Optional;

/** Reads logs of attempts through the agents of their clusters. From any thread. */
public interface AgentLogs {
  /**
   * What is wanted of a log.
   *
   * @param node member of the gang, from 0
   * @param follow until the container ends, or nobody reads any more
   * @param since only what is younger; zero = all that the cluster still has
   */
  record Wanted(AttemptId attempt, int node, boolean follow, Duration since) {}

  /**
   * A piece of a log, cut anywhere.
   *
   * @param last nothing comes after it
   * @param trouble why there is no more, if not because the log is at its end
   */
  record Piece(Buffer bytes, boolean last, Optional<String> trouble) {}

  /** Empty when the cluster's agent has no stream to this replica. */
  Optional<OpenLog> read(ClusterName cluster, Wanted wanted);

  /** Where the replica is reached that the cluster's agent has its stream to; empty for none. */
  Uni<Optional<String>> replicaOf(ClusterName cluster);
}
