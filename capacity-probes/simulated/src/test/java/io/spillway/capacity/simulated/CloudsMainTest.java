package io.spillway.capacity.simulated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.spillway.capacity.simulated.ledger.LedgerFile;
import io.spillway.protocol.v1.EndCause;
import io.spillway.protocol.v1.Phase;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The process itself, killed for real. */
class CloudsMainTest {
  private static final String SHORT = "01JDZ0000000000000000000AA-1";
  private static final String LONG = "01JDZ0000000000000000000BB-1";
  private static final String ENDED = "01JDZ0000000000000000000CC-1";
  private static final String FORBIDDEN = "01JDZ0000000000000000000DD-1";
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir Path directory;

  private final List<Process> processes = new ArrayList<>();

  @AfterEach
  void end() {
    processes.forEach(Process::destroyForcibly);
  }

  private Process process(RecordingGateway gateway) throws IOException {
    Path settings = directory.resolve("settings.json");
    new ObjectMapper()
        .writeValue(
            settings.toFile(),
            Map.of(
                "directory",
                directory.toString(),
                "gateways",
                List.of(gateway.address()),
                "profile",
                "load"));
    Files.deleteIfExists(directory.resolve("port"));
    Process started =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                CloudsMain.class.getName(),
                settings.toString())
            .inheritIO()
            .start();
    processes.add(started);
    await().atMost(PATIENCE).until(() -> Files.exists(directory.resolve("port")));
    return started;
  }

  private void join() throws IOException, InterruptedException {
    String body =
        new ObjectMapper().writeValueAsString(Map.of("spec", CloudsTest.spec(), "token", "secret"));
    int port = Integer.parseInt(Files.readString(directory.resolve("port")));
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpResponse<String> answer =
          http.send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/clusters"))
                  .POST(HttpRequest.BodyPublishers.ofString(body))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }
  }

  private List<String> book(String attempt) throws IOException {
    List<String> events = new ArrayList<>();
    LedgerFile.read(
        directory.resolve("ledger.jsonl"),
        line -> {
          if (line.attempt().equals(attempt)) {
            events.add(line.event());
          }
        });
    return events;
  }

  @Test
  void after_kill_9_the_process_goes_on_where_its_ledger_ends() throws Exception {
    try (RecordingGateway gateway = new RecordingGateway()) {
      Process first = process(gateway);
      join();
      await().atMost(PATIENCE).until(gateway::connected);
      gateway.start(ENDED, "0");
      gateway.start(SHORT, "3");
      gateway.start(LONG, "3000");
      gateway.stop(FORBIDDEN);
      await()
          .atMost(PATIENCE)
          .until(
              () ->
                  gateway.reports(ENDED).size() == 3
                      && gateway.reports(LONG).size() == 2
                      && gateway.reports(SHORT).size() == 2
                      && gateway.reports(FORBIDDEN).size() == 1);
      first.destroyForcibly().waitFor();
      // What a kill in the middle of a write leaves.
      Files.writeString(
          directory.resolve("ledger.jsonl"), "{\"t\":1,\"clu", StandardOpenOption.APPEND);
      gateway.messages.clear();

      process(gateway);
      await().atMost(PATIENCE).until(() -> gateway.hellos.size() >= 2);
      assertThat(gateway.hellos.getLast().getAgentEpoch()).isEqualTo(2);
      assertThat(gateway.hellos.getLast().getStoreGeneration()).isEqualTo("store-1");
      await()
          .atMost(PATIENCE)
          .until(
              () ->
                  gateway.reports(SHORT).stream()
                      .anyMatch(r -> r.getEndCause() == EndCause.END_CAUSE_EXITED));
      assertThat(gateway.reports(LONG).getLast().getPhase()).isEqualTo(Phase.PHASE_RUNNING);
      gateway.start(LONG, "3000");
      gateway.start(ENDED, "0");
      gateway.start(FORBIDDEN, "0");
      await()
          .atMost(PATIENCE)
          .until(() -> gateway.reports(LONG).size() == 2 && gateway.reports(FORBIDDEN).size() == 2);
      assertThat(book(ENDED)).containsExactly("apply", "start", "end");
      assertThat(book(SHORT)).containsExactly("apply", "start", "end");
      assertThat(book(LONG)).containsExactly("apply", "start");
      assertThat(book(FORBIDDEN)).containsExactly("stop");
    }
  }
}
