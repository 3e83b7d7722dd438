package io.spillway.standalone;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;

/**
 * A launcher that starts a database, commits a row and waits for its end; for tests that kill it.
 */
final class PostgresHolder {
  private PostgresHolder() {}

  public static void main(String[] args) throws Exception {
    Postgres postgres = new Postgres(Path.of(args[0]), 0, new Watchdog());
    try (Connection connection = postgres.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("create table kept (value text)");
      statement.execute("insert into kept values ('committed')");
    }
    System.out.println("postmaster " + postgres.pid());
    System.out.flush();
    System.in.read();
  }
}
