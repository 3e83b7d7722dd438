package io.spillway.benchmark.load;

import io.spillway.standalone.Postgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;

/** What the database says of itself. */
final class Store {
  /** A session tells its statistics when it has been idle for a second. */
  private static final long SETTLE_MILLIS = 2_500;

  private final Postgres postgres;

  Store(Postgres postgres) {
    this.postgres = postgres;
  }

  /** Rows inserted, updated and deleted in all tables since the database was made. */
  long rowOperations() throws SQLException, InterruptedException {
    TimeUnit.MILLISECONDS.sleep(SETTLE_MILLIS);
    return number("select sum(n_tup_ins + n_tup_upd + n_tup_del) from pg_stat_user_tables");
  }

  /** Of tables and indexes. */
  double mebibytes() throws SQLException {
    return number("select sum(pg_total_relation_size(relid)) from pg_stat_user_tables")
        / 1024.0
        / 1024.0;
  }

  /** Rows that vacuum has not taken yet. */
  long deadRows() throws SQLException {
    return number("select sum(n_dead_tup) from pg_stat_user_tables");
  }

  private long number(String sql) throws SQLException {
    try (Connection connection = postgres.connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      result.next();
      return result.getLong(1);
    }
  }
}
