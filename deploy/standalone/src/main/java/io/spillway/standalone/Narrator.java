package io.spillway.standalone;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Follows the stream of decisions and prints each. A broken stream is taken up where it ended, by
 * the id of the last event seen.
 */
final class Narrator implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int SHORT_ID = 5;

  private final Http api;
  private final PrintStream out;
  private final DecisionLine lines;
  private final Consumer<JsonNode> witness;
  private final Map<String, String> names = new ConcurrentHashMap<>();
  private final Thread thread;
  private volatile boolean closed;
  private Optional<String> lastId = Optional.empty();

  /**
   * @param witness sees each decision after it is printed
   */
  Narrator(Http api, PrintStream out, Ink ink, Consumer<JsonNode> witness) {
    this.api = api;
    this.out = out;
    this.lines = new DecisionLine(ink);
    this.witness = witness;
    this.thread = Thread.ofVirtual().name("narrator").start(this::follow);
  }

  private void follow() {
    while (!closed) {
      try {
        HttpResponse<InputStream> answer = api.stream("/api/v1/decisions:stream", lastId);
        try (BufferedReader reader =
            new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
          read(reader);
        }
      } catch (IOException e) {
        // The server is away or comes up: the stream goes on from the last id.
        Pause.millis(300);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void read(BufferedReader reader) throws IOException, InterruptedException {
    StringBuilder data = new StringBuilder();
    for (String line = reader.readLine(); line != null && !closed; line = reader.readLine()) {
      if (line.startsWith("id:")) {
        lastId = Optional.of(line.substring(3).strip());
      } else if (line.startsWith("data:")) {
        data.append(line.substring(5));
      } else if (line.isEmpty() && !data.isEmpty()) {
        tell(JSON.readTree(data.toString()));
        data.setLength(0);
      }
    }
  }

  private void tell(JsonNode decision) throws InterruptedException {
    lines.of(decision, name(decision.path("job").asText())).ifPresent(out::println);
    witness.accept(decision);
  }

  private String name(String job) throws InterruptedException {
    if (job.isEmpty()) {
      return "";
    }
    String known = names.get(job);
    if (known != null) {
      return known;
    }
    String tail = job.substring(Math.max(0, job.length() - SHORT_ID));
    try {
      Http.Answer answer = api.get("/api/v1/jobs/" + job);
      String name = answer.body().path("name").asText(job) + " …" + tail;
      if (answer.status() == 200) {
        names.put(job, name);
      }
      return name;
    } catch (IOException e) {
      return "…" + tail;
    }
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }
}
