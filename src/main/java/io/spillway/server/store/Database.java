package io.spillway.server.store;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The way to the store for its batch writers: a pool of its own, so that no user's query makes a
 * notice wait, and single connections for the journal and for notifications.
 */
public final class Database implements AutoCloseable {
  private static final int POOL_SIZE = 8;
  private static final int CONNECT_TIMEOUT_MILLIS = 5_000;

  private final Vertx vertx;
  private final PgConnectOptions options;
  private final Pool pool;

  /**
   * @param uri {@code postgresql://host:port/database}, a prefix {@code vertx-reactive:} allowed
   */
  public Database(Vertx vertx, String uri, String user, String password) {
    this(vertx, uri, user, password, List.of());
  }

  /**
   * @param authorities PEM files of those whose word for the database's certificate counts; empty:
   *     those that the JVM knows, which {@code sslmode=verify-full} in the URI refuses
   */
  public Database(Vertx vertx, String uri, String user, String password, List<String> authorities) {
    this.vertx = vertx;
    this.options =
        PgConnectOptions.fromUri(uri.replaceFirst("^vertx-reactive:", ""))
            .setUser(user)
            .setPassword(password)
            .setCachePreparedStatements(true)
            .setPreparedStatementCacheMaxSize(64)
            .setPipeliningLimit(64)
            // A transaction whose client is gone must not keep its locks.
            .addProperty("idle_in_transaction_session_timeout", "10000")
            // A partition that is there already is no news.
            .addProperty("client_min_messages", "warning")
            .addProperty("application_name", "spillway-store");
    options.setConnectTimeout(CONNECT_TIMEOUT_MILLIS);
    options.setTcpKeepAlive(true);
    options.setTcpNoDelay(true);
    if (!authorities.isEmpty()) {
      PemTrustOptions trusted = new PemTrustOptions();
      authorities.forEach(trusted::addCertPath);
      options.setTrustOptions(trusted).setHostnameVerificationAlgorithm("HTTPS");
    }
    this.pool =
        PgBuilder.pool()
            .with(
                new PoolOptions()
                    .setMaxSize(POOL_SIZE)
                    .setConnectionTimeout(CONNECT_TIMEOUT_MILLIS)
                    .setConnectionTimeoutUnit(TimeUnit.MILLISECONDS)
                    .setShared(false))
            .connectingTo(options)
            .using(vertx)
            .build();
  }

  public Pool pool() {
    return pool;
  }

  /** A connection of its own, never pooled. */
  public Future<PgConnection> connect() {
    return PgConnection.connect(vertx, options);
  }

  /** Fails when the future has not completed in time; the work itself is not stopped. */
  public <T> Future<T> within(Duration limit, Future<T> work) {
    Promise<T> promise = Promise.promise();
    long timer =
        vertx.setTimer(
            limit.toMillis(),
            fired -> promise.tryFail(new TimeoutException("no answer in " + limit)));
    work.onComplete(
        done -> {
          vertx.cancelTimer(timer);
          if (done.succeeded()) {
            promise.tryComplete(done.result());
          } else {
            promise.tryFail(done.cause());
          }
        });
    return promise.future();
  }

  public Vertx vertx() {
    return vertx;
  }

  @Override
  public void close() {
    pool.close();
  }
}
