package io.spillway.standalone;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** PostgreSQL 17 with its data under one directory, kept over starts. */
public final class Postgres implements AutoCloseable {
  private static final String DATABASE = "spillway";
  private static final String USER = "postgres";
  private static final Duration STOP = Duration.ofSeconds(20);

  private final Path data;
  private final Watchdog dog;
  private EmbeddedPostgres server;

  /**
   * Starts it; a postmaster that a kill left on the same directory is stopped first.
   *
   * @param port 0 = any free one
   */
  Postgres(Path data, int port, Watchdog dog) {
    this.data = data;
    this.dog = dog;
    try {
      stopLeftOver(data);
      Files.createDirectories(data);
      this.server = start(Ports.free(port));
      createDatabase();
    } catch (IOException e) {
      throw new UncheckedIOException("PostgreSQL did not start", e);
    }
  }

  private EmbeddedPostgres start(int port) throws IOException {
    EmbeddedPostgres started =
        EmbeddedPostgres.builder()
            .setDataDirectory(data)
            .setCleanDataDirectory(false)
            // This process ends things in order itself; a hook of its own would be too early.
            .setRegisterShutdownHook(false)
            .setPort(port)
            .setPGStartupWait(Duration.ofSeconds(60))
            // Off by default there, which loses committed rows at a crash.
            .setServerConfig("synchronous_commit", "on")
            .setServerConfig("listen_addresses", "127.0.0.1")
            .setServerConfig("max_connections", "200")
            .setServerConfig("shared_buffers", "128MB")
            .setServerConfig("max_wal_size", "1GB")
            .setErrorRedirector(log(data))
            .setOutputRedirector(log(data))
            .start();
    postmaster(data).ifPresent(handle -> dog.guardDatabase(handle.pid()));
    return started;
  }

  /**
   * Copies the whole database to a new directory while it is written to, as a backup does.
   *
   * @return when the state in the copy was the state of the database, or a moment before
   */
  public Instant copyTo(Path target) throws IOException, SQLException {
    try (Connection connection = connect()) {
      return HotCopy.take(connection, data, target);
    }
  }

  /**
   * Ends the database, puts a copy in its place and starts that on the same port. What was there
   * stays beside it as {@code <data>.replaced}.
   */
  public void restore(Path copy) throws IOException {
    int port = port();
    close();
    Files.move(data, data.resolveSibling(data.getFileName() + ".replaced"));
    HotCopy.copy(copy, data);
    server = start(port);
  }

  private static ProcessBuilder.Redirect log(Path data) {
    return ProcessBuilder.Redirect.appendTo(data.resolveSibling("postgres.log").toFile());
  }

  private void createDatabase() {
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      try (ResultSet found =
          statement.executeQuery("select 1 from pg_database where datname = '" + DATABASE + "'")) {
        if (found.next()) {
          return;
        }
      }
      statement.execute("create database " + DATABASE);
    } catch (SQLException e) {
      throw new IllegalStateException("the database could not be created", e);
    }
  }

  /** The process that holds the directory, if one does. */
  private static Optional<ProcessHandle> postmaster(Path data) throws IOException {
    Path file = data.resolve("postmaster.pid");
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    List<String> lines = Files.readAllLines(file);
    if (lines.isEmpty()) {
      return Optional.empty();
    }
    return ProcessHandle.of(Long.parseLong(lines.getFirst().strip()))
        .filter(ProcessHandle::isAlive)
        .filter(h -> h.info().command().map(c -> c.contains("postgres")).orElse(true));
  }

  private static void stopLeftOver(Path data) throws IOException {
    Optional<ProcessHandle> left = postmaster(data);
    if (left.isEmpty()) {
      return;
    }
    // SIGINT is the fast shutdown: clients are sent away, nothing committed is lost.
    new ProcessBuilder("kill", "-INT", Long.toString(left.get().pid())).start();
    try {
      left.get().onExit().get(STOP.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("process " + left.get().pid() + " still holds " + data, e);
    }
  }

  public int port() {
    return server.getPort();
  }

  /** For a JDBC client. */
  public String jdbcUrl() {
    return "jdbc:postgresql://127.0.0.1:" + port() + "/" + DATABASE;
  }

  /** For the reactive client. */
  public String reactiveUrl() {
    return "postgresql://127.0.0.1:" + port() + "/" + DATABASE;
  }

  public String user() {
    return USER;
  }

  /** A connection to the database, for audits and measurements. */
  public Connection connect() throws SQLException {
    return server.getDatabase(USER, DATABASE).getConnection();
  }

  /** The process id of the postmaster. */
  public long pid() {
    try {
      return postmaster(data).map(ProcessHandle::pid).orElse(-1L);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException("PostgreSQL did not end", e);
    }
  }
}
