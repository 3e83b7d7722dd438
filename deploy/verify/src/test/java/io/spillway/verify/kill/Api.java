package io.spillway.verify.kill;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** The public API of any replica, as a patient client uses it. Any thread. */
final class Api implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final int PAGE = 500;

  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(1))
          .build();
  private final List<Integer> ports;
  private final String token;
  private final AtomicInteger turn = new AtomicInteger();

  Api(List<Integer> ports, String token) {
    this.ports = List.copyOf(ports);
    this.token = token;
  }

  /** What a replica answered. */
  record Answer(int status, JsonNode body) {
    boolean ok() {
      return status / 100 == 2;
    }
  }

  /** One call to one replica, each time the next. */
  Answer call(String method, String path, Optional<JsonNode> body, Map<String, String> headers)
      throws IOException, InterruptedException {
    int port = ports.get(Math.floorMod(turn.getAndIncrement(), ports.size()));
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(TIMEOUT)
            .header("Authorization", "Bearer " + token)
            .header("Accept", "application/json")
            .method(
                method,
                body.map(json -> HttpRequest.BodyPublishers.ofString(json.toString()))
                    .orElseGet(HttpRequest.BodyPublishers::noBody));
    if (body.isPresent()) {
      request.header("Content-Type", "application/json");
    }
    headers.forEach(request::header);
    HttpResponse<String> answer =
        client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    boolean json =
        answer.headers().firstValue("Content-Type").filter(t -> t.contains("json")).isPresent();
    return new Answer(
        answer.statusCode(), json ? JSON.readTree(answer.body()) : JSON.createObjectNode());
  }

  /** Reads until some replica answers it, for at most a minute. */
  JsonNode get(String path) throws IOException, InterruptedException {
    IOException last = new IOException("no replica answered " + path);
    for (int attempt = 0; attempt < 60 * ports.size(); attempt++) {
      try {
        Answer answer = call("GET", path, Optional.empty(), Map.of());
        if (answer.ok()) {
          return answer.body();
        }
        last = new IOException(path + " answered " + answer.status() + " " + answer.body());
      } catch (IOException e) {
        last = e;
      }
      Pace.millis(500);
    }
    throw last;
  }

  /** All jobs with that label, without their attempts. */
  List<Seen> jobs(String label, Optional<String> state) throws IOException, InterruptedException {
    List<Seen> jobs = new ArrayList<>();
    String filter =
        "/api/v1/jobs?limit="
            + PAGE
            + "&label="
            + encoded(label)
            + state.map(s -> "&state=" + s).orElse("");
    Optional<String> cursor = Optional.empty();
    do {
      JsonNode page = get(filter + cursor.map(c -> "&cursor=" + encoded(c)).orElse(""));
      page.path("items").forEach(item -> jobs.add(job(item, List.of())));
      cursor = Optional.ofNullable(page.path("nextCursor").textValue());
    } while (cursor.isPresent());
    return List.copyOf(jobs);
  }

  /** The same with their attempts. */
  List<Seen> jobsWithAttempts(String label) throws IOException, InterruptedException {
    List<Seen> jobs = new ArrayList<>();
    for (Seen job : jobs(label, Optional.empty())) {
      List<Seen.Try> tries = new ArrayList<>();
      for (JsonNode item : get("/api/v1/jobs/" + job.id() + "/attempts").path("items")) {
        tries.add(
            new Seen.Try(
                item.path("id").asText(),
                item.path("cluster").asText(),
                item.path("state").asText(),
                item.path("outcome").asText("")));
      }
      jobs.add(new Seen(job.id(), job.key(), job.state(), job.reason(), tries));
    }
    return List.copyOf(jobs);
  }

  private static Seen job(JsonNode item, List<Seen.Try> attempts) {
    return new Seen(
        item.path("id").asText(),
        item.path("labels").path("key").asText(),
        item.path("state").asText(),
        item.path("reason").asText(),
        attempts);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
