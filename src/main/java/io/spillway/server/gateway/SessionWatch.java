package io.spillway.server.gateway;

import io.spillway.protocol.v1.Refused;
import io.spillway.scheduler.input.AgentInput;
import io.spillway.scheduler.input.Lane;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.server.inbox.Inbox;
import io.spillway.server.loop.StateReader;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jboss.logging.Logger;

/**
 * What sessions need beyond their streams. Each replica says every few seconds that it lives; the
 * leader ends the sessions of one that does not, each replica those of its own that have no stream
 * any more. The end is an input first and a mark in the row second, so that none is lost between. A
 * stream whose session was taken elsewhere, or whose token was revoked, is closed here too, should
 * nobody have said so sooner.
 */
final class SessionWatch {
  private static final Logger LOG = Logger.getLogger(SessionWatch.class);

  private final Pool pool;
  private final String replica;
  private final String address;
  private final Duration lease;
  private final Inbox inbox;
  private final Streams streams;
  private final StateReader state;

  SessionWatch(
      Pool pool,
      String replica,
      String address,
      Duration lease,
      Inbox inbox,
      Streams streams,
      StateReader state) {
    this.pool = pool;
    this.replica = replica;
    this.address = address;
    this.lease = lease;
    this.inbox = inbox;
    this.streams = streams;
    this.state = state;
  }

  /** One round; completes when it is through, with what failed logged and left to the next. */
  Future<Void> round() {
    return renew()
        .compose(done -> sessions())
        .compose(done -> tokens())
        .otherwise(
            failure -> {
              LOG.warnf("sessions not looked after, tried again: %s", failure.toString());
              return null;
            });
  }

  /** The stream of that session is gone. */
  Future<Void> end(ClusterName cluster, long generation) {
    Promise<Void> durable = Promise.promise();
    inbox
        .append(
            Lane.REPORTS,
            "gateway:" + replica,
            List.of(new AgentInput.SessionClosed(cluster, generation)))
        .subscribe()
        .with(key -> durable.complete(), durable::fail);
    return durable
        .future()
        .compose(
            done ->
                pool.preparedQuery(
                        """
                        update agent_session set closed_at = clock_timestamp()
                         where cluster = $1 and generation = $2 and closed_at is null
                        """)
                    .execute(Tuple.of(cluster.value(), generation)))
        .mapEmpty();
  }

  private Future<Void> renew() {
    return pool.preparedQuery(
            """
            insert into gateway_replica (replica, address, seen_at) values ($1, $2, clock_timestamp())
            on conflict (replica) do update
              set seen_at = clock_timestamp(), address = excluded.address
            """)
        .execute(Tuple.of(replica, address))
        .compose(
            done ->
                state.leading()
                    ? pool.query(
                            "delete from gateway_replica"
                                + " where seen_at < clock_timestamp() - interval '1 day'")
                        .execute()
                        .mapEmpty()
                    : Future.succeededFuture());
  }

  private Future<Void> sessions() {
    return pool.preparedQuery(
            """
            select s.cluster, s.generation, s.replica = $1 as mine, s.closed_at is not null as closed,
                   coalesce(r.seen_at > clock_timestamp() - make_interval(secs => $2), false) as alive,
                   s.opened_at > clock_timestamp() - make_interval(secs => $2) as young
              from agent_session s left join gateway_replica r on r.replica = s.replica
            """)
        .execute(Tuple.of(replica, (double) lease.toSeconds()))
        .compose(
            rows -> {
              List<Future<Void>> ends = new ArrayList<>();
              for (Row row : rows) {
                ClusterName cluster = new ClusterName(row.getString("cluster"));
                long generation = row.getLong("generation");
                compare(cluster, generation, row.getBoolean("closed"));
                if (!row.getBoolean("closed") && isDead(row, cluster, generation)) {
                  LOG.infof("session given up: cluster=%s generation=%d", cluster, generation);
                  ends.add(end(cluster, generation));
                }
              }
              return Future.all(ends).mapEmpty();
            });
  }

  private void compare(ClusterName cluster, long generation, boolean closed) {
    streams
        .of(cluster)
        .ifPresent(
            stream -> {
              if (stream.generation() < generation) {
                stream.supersede(generation);
              } else if (stream.generation() == generation && closed) {
                stream.expel(Refused.Why.RETRY_LATER, "the session was given up; come again");
              }
            });
  }

  private boolean isDead(Row row, ClusterName cluster, long generation) {
    if (row.getBoolean("young")) {
      return false; // Its stream, or its replica's first sign of life, may not be there yet.
    }
    return row.getBoolean("mine")
        ? streams.of(cluster).filter(stream -> stream.generation() == generation).isEmpty()
        : !row.getBoolean("alive") && state.leading();
  }

  private Future<Void> tokens() {
    List<AgentStream> open = List.copyOf(streams.all());
    if (open.isEmpty()) {
      return Future.succeededFuture();
    }
    return pool.preparedQuery(
            """
            select cluster, token_hash from cluster_token
             where cluster = any($1) and revoked_at is null
            """)
        .execute(
            Tuple.of(
                (Object)
                    open.stream().map(stream -> stream.cluster().value()).toArray(String[]::new)))
        .map(
            rows -> {
              Set<String> valid = new HashSet<>();
              rows.forEach(
                  row -> valid.add(row.getString("cluster") + ' ' + row.getString("token_hash")));
              open.stream()
                  .filter(stream -> !valid.contains(stream.cluster() + " " + stream.tokenHash()))
                  .forEach(stream -> stream.expel(Refused.Why.BAD_TOKEN, "the token was revoked"));
              return null;
            });
  }
}
