package io.spillway.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresTest {
  @TempDir Path directory;

  private static String one(Postgres postgres, String sql) throws Exception {
    try (Connection connection = postgres.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      assertThat(rows.next()).isTrue();
      return rows.getString(1);
    }
  }

  @Test
  void after_kill_9_of_the_launcher_the_next_start_finds_every_committed_row() throws Exception {
    Path data = directory.resolve("postgres");
    Process launcher =
        new ProcessBuilder(
                Installation.java(),
                "-cp",
                System.getProperty("java.class.path"),
                PostgresHolder.class.getName(),
                data.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    long postmaster;
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(launcher.getInputStream(), StandardCharsets.UTF_8))) {
      String line = out.readLine();
      assertThat(line).startsWith("postmaster ");
      postmaster = Long.parseLong(line.substring("postmaster ".length()));
      launcher.destroyForcibly().waitFor();
    }
    // Taken over at once, whether or not the watchdog has ended the old postmaster yet.
    try (Watchdog dog = new Watchdog();
        Postgres again = new Postgres(data, 0, dog)) {
      assertThat(one(again, "select value from kept")).isEqualTo("committed");
      assertThat(one(again, "show synchronous_commit")).isEqualTo("on");
      assertThat(one(again, "show server_version")).startsWith("17.6");
      assertThat(again.pid()).isNotEqualTo(postmaster);
    }
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> ProcessHandle.of(postmaster).filter(ProcessHandle::isAlive).isEmpty());
  }

  @Test
  void a_copy_taken_while_it_was_written_to_is_restored_on_the_same_port() throws Exception {
    try (Watchdog dog = new Watchdog();
        Postgres postgres = new Postgres(directory.resolve("postgres"), 0, dog);
        Connection connection = postgres.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("create table written (value text)");
      statement.execute("insert into written values ('before the copy')");
      postgres.copyTo(directory.resolve("copy"));
      statement.execute("insert into written values ('after the copy')");
      int port = postgres.port();

      postgres.restore(directory.resolve("copy"));

      assertThat(postgres.port()).isEqualTo(port);
      assertThat(one(postgres, "select string_agg(value, ', ') from written"))
          .isEqualTo("before the copy");
    }
  }
}
