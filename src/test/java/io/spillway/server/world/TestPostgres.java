package io.spillway.server.world;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.flywaydb.core.Flyway;

/**
 * One PostgreSQL 17 for all tests of this JVM, and a fresh migrated database for whoever wants one.
 * Known by system properties, since test classes are loaded by more than one class loader.
 */
public final class TestPostgres {
  public static final String USER = "postgres";
  public static final String PASSWORD = "postgres";
  private static final String PORT = "spillway.test.postgres.port";
  private static final String TEMPLATE = "spillway_template";

  private TestPostgres() {}

  /** The port of the running server; starts it at the first call. */
  public static int port() {
    synchronized (System.getProperties()) {
      String port = System.getProperty(PORT);
      return port != null ? Integer.parseInt(port) : start();
    }
  }

  /** A new database with the whole schema and no row. */
  public static String freshDatabase() {
    String name = "t" + UUID.randomUUID().toString().replace("-", "");
    port();
    synchronized (System.getProperties()) {
      execute("create database " + name + " template " + TEMPLATE);
    }
    return name;
  }

  public static String jdbcUrl(String database) {
    return "jdbc:postgresql://127.0.0.1:" + port() + "/" + database;
  }

  public static String uri(String database) {
    return "postgresql://127.0.0.1:" + port() + "/" + database;
  }

  private static int start() {
    try {
      EmbeddedPostgres server =
          EmbeddedPostgres.builder()
              .setServerConfig("synchronous_commit", "on")
              .setServerConfig("max_connections", "200")
              .setServerConfig("listen_addresses", "127.0.0.1")
              .start();
      System.setProperty(PORT, String.valueOf(server.getPort()));
    } catch (IOException e) {
      throw new UncheckedIOException("embedded PostgreSQL did not start", e);
    }
    execute("create database " + TEMPLATE);
    Flyway.configure()
        .dataSource(jdbcUrl(TEMPLATE), USER, PASSWORD)
        .locations("classpath:db/migration")
        .load()
        .migrate();
    return Integer.getInteger(PORT);
  }

  private static void execute(String sql) {
    String url = "jdbc:postgresql://127.0.0.1:" + Integer.getInteger(PORT) + "/postgres";
    try (Connection connection = DriverManager.getConnection(url, USER, PASSWORD);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }
}
