package io.spillway.server.world;

import io.spillway.server.store.Blocking;
import io.spillway.server.store.Database;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A fresh database with a client, without a server around it. */
public final class TestStore implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private final Vertx vertx = Vertx.vertx();
  private final String name = TestPostgres.freshDatabase();
  private final Database database = open();

  /** Another client of the same database, as another process would have. */
  public Database open() {
    return new Database(vertx, TestPostgres.uri(name), TestPostgres.USER, TestPostgres.PASSWORD);
  }

  public Database database() {
    return database;
  }

  public String name() {
    return name;
  }

  public List<Row> query(String sql, Object... arguments) {
    List<Row> rows = new ArrayList<>();
    Blocking.await(
            database.pool().preparedQuery(sql).execute(Tuple.from(List.of(arguments))), PATIENCE)
        .forEach(rows::add);
    return rows;
  }

  public long count(String sql, Object... arguments) {
    return query(sql, arguments).getFirst().getLong(0);
  }

  @Override
  public void close() {
    database.close();
    Blocking.await(vertx.close(), PATIENCE);
  }
}
