package io.spillway.server.gateway;

import io.spillway.protocol.v1.LogChunk;
import io.spillway.server.config.GatewayConfig;
import io.spillway.server.inbox.Inbox;
import io.spillway.server.progress.ProgressBook;
import io.vertx.sqlclient.Pool;
import java.time.Clock;

/** What every stream needs. */
record Door(
    GatewayConfig config,
    Doorkeeper keeper,
    Pool pool,
    Inbox inbox,
    Symptoms symptoms,
    ClusterFacts facts,
    Streams streams,
    Hallway hallway,
    Clock clock,
    ProgressBook progress) {

  /** Whom a stream tells of itself. */
  interface Hallway {
    /** Its session is committed: it may be told commands. */
    void connected(AgentStream stream);

    /** It is gone; {@code own} = no newer session of the cluster was the reason. */
    void left(AgentStream stream, boolean own);

    /** A frame came. */
    void heard(AgentStream stream);

    /** A piece of a log came. */
    void logged(AgentStream stream, LogChunk chunk);
  }
}
