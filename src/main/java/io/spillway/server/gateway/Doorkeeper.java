package io.spillway.server.gateway;

import static io.spillway.protocol.v1.Refused.Why.BAD_TOKEN;
import static io.spillway.protocol.v1.Refused.Why.MALFORMED;
import static io.spillway.protocol.v1.Refused.Why.OLD_PROTOCOL;
import static io.spillway.protocol.v1.Refused.Why.RETRY_LATER;
import static io.spillway.protocol.v1.Refused.Why.SUPERSEDED;
import static io.spillway.protocol.v1.Refused.Why.UNKNOWN_CLUSTER;

import io.spillway.protocol.v1.Capabilities;
import io.spillway.protocol.v1.Hello;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.server.gateway.Admission.Admitted;
import io.spillway.server.gateway.Admission.TurnedAway;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Lets an agent in: its token is one of its cluster's, its protocol is spoken here, and the session
 * of its cluster is taken under a higher generation, on whichever replica the older stream is.
 */
final class Doorkeeper {
  /** What this gateway speaks; fields are only added within it. */
  static final int PROTOCOL = 1;

  private static final int OLDEST_PROTOCOL = 1;
  private static final int MAX_TOKEN = 512;

  private final Pool pool;
  private final String cell;
  private final String replica;

  Doorkeeper(Pool pool, String cell, String replica) {
    this.pool = pool;
    this.cell = cell;
    this.replica = replica;
  }

  /** Fails only if the database does not answer. */
  Future<Admission> admit(Hello hello) {
    Optional<TurnedAway> unfit = unfit(hello);
    if (unfit.isPresent()) {
      return Future.succeededFuture(unfit.get());
    }
    ClusterName cluster = new ClusterName(hello.getCluster());
    String hash = hash(hello.getToken());
    return pool.preparedQuery(
            "select token_hash, revoked_at is null as valid from cluster_token where cluster = $1")
        .execute(Tuple.of(cluster.value()))
        .compose(
            tokens -> {
              Optional<TurnedAway> stranger = stranger(cluster, hash, tokens);
              return stranger.isPresent()
                  ? Future.succeededFuture(stranger.get())
                  : take(cluster, hash, hello);
            });
  }

  /** What the session's agent says now that the cluster can run; of an older session nothing. */
  Future<Void> keep(ClusterName cluster, long generation, Capabilities said) {
    return pool.preparedQuery(
            "update agent_session set capabilities = $3 where cluster = $1 and generation = $2")
        .execute(Tuple.of(cluster.value(), generation, Buffer.buffer(said.toByteArray())))
        .mapEmpty();
  }

  private static Optional<TurnedAway> unfit(Hello hello) {
    if (hello.getProtocolVersion() < OLDEST_PROTOCOL) {
      return Optional.of(
          new TurnedAway(
              OLD_PROTOCOL,
              "protocol version "
                  + hello.getProtocolVersion()
                  + " is not spoken any more; the oldest is "
                  + OLDEST_PROTOCOL));
    }
    try {
      new ClusterName(hello.getCluster());
    } catch (IllegalArgumentException e) {
      return Optional.of(new TurnedAway(MALFORMED, AgentText.clean(e.getMessage(), 200)));
    }
    if (hello.getToken().isEmpty() || hello.getToken().length() > MAX_TOKEN) {
      return Optional.of(new TurnedAway(BAD_TOKEN, "no token, or one longer than " + MAX_TOKEN));
    }
    if (hello.getAgentEpoch() < 0 || hello.getStoreHead() < 0) {
      return Optional.of(new TurnedAway(MALFORMED, "agent_epoch or store_head is over 2^63"));
    }
    return Optional.empty();
  }

  /** Looks at every token, and at every byte of each, whichever fits. */
  private static Optional<TurnedAway> stranger(
      ClusterName cluster, String hash, RowSet<Row> tokens) {
    if (tokens.size() == 0) {
      return Optional.of(
          new TurnedAway(
              UNKNOWN_CLUSTER,
              "no token was ever issued for cluster "
                  + cluster
                  + "; register it by POST /api/v1/clusters"));
    }
    byte[] given = hash.getBytes(StandardCharsets.US_ASCII);
    boolean known = false;
    for (Row token : tokens) {
      byte[] stored = token.getString("token_hash").getBytes(StandardCharsets.US_ASCII);
      boolean same = MessageDigest.isEqual(given, stored);
      if (same && token.getBoolean("valid")) {
        known = true;
      }
    }
    return known
        ? Optional.empty()
        : Optional.of(
            new TurnedAway(BAD_TOKEN, "the token is not one of cluster " + cluster + "'s"));
  }

  private Future<Admission> take(ClusterName cluster, String hash, Hello hello) {
    return pool.preparedQuery(
            """
            insert into agent_session as s
                   (cluster, replica, generation, agent_epoch, capabilities)
            values ($1, $2, 1, $3, $4)
            on conflict (cluster) do update
               set replica = $2, generation = s.generation + 1, agent_epoch = $3, capabilities = $4,
                   opened_at = clock_timestamp(), closed_at = null
             where s.agent_epoch <= $3
            returning generation
            """)
        .execute(
            Tuple.of(
                cluster.value(),
                replica,
                hello.getAgentEpoch(),
                Buffer.buffer(hello.getCapabilities().toByteArray())))
        .compose(
            taken ->
                taken.size() == 0
                    ? Future.succeededFuture(
                        new TurnedAway(
                            SUPERSEDED,
                            "a later start of this agent than epoch "
                                + hello.getAgentEpoch()
                                + " was here already"))
                    : compare(cluster, hash, hello, taken.iterator().next().getLong("generation")));
  }

  /** The head is the database's: what this replica has seen of the journal may be behind it. */
  private Future<Admission> compare(
      ClusterName cluster, String hash, Hello hello, long generation) {
    return pool.preparedQuery(
            """
            select i.generation, coalesce(h.seq, 0) as head
              from store_identity i left join journal_head h on h.cell = $1
            """)
        .execute(Tuple.of(cell))
        .map(
            rows -> {
              if (rows.size() == 0) {
                return new TurnedAway(RETRY_LATER, "the store is not set up yet");
              }
              Row store = rows.iterator().next();
              String ours = store.getString("generation");
              long head = store.getLong("head");
              boolean another =
                  !hello.getStoreGeneration().isEmpty()
                      && !hello.getStoreGeneration().equals(ours)
                      && hello.getStoreHead() > 0;
              boolean later =
                  hello.getStoreGeneration().equals(ours) && hello.getStoreHead() > head;
              Admission.KnownStore known =
                  new Admission.KnownStore(
                      AgentText.clean(hello.getStoreGeneration(), AgentText.NAME),
                      hello.getStoreHead());
              return new Admitted(
                  cluster,
                  generation,
                  hello.getAgentEpoch(),
                  hash,
                  ours,
                  head,
                  another || later ? Optional.of(known) : Optional.empty());
            });
  }

  /** How tokens are kept: SHA-256, hexadecimal, lower case. */
  static String hash(String token) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
