package io.spillway.verify.real;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.awaitility.Awaitility;

/** A real Prometheus on loopback. */
final class PrometheusServer implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client = HttpClient.newHttpClient();
  private final Process process;
  private final int port;

  private PrometheusServer(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /**
   * Starts it with the project's own scrape configuration and rules.
   *
   * @param targets host and port to scrape, by job
   */
  static PrometheusServer start(Path program, Map<String, String> targets) throws IOException {
    Path directory = Files.createTempDirectory("spillway-prometheus");
    Path root = Repository.root();
    String configuration =
        Files.readString(root.resolve("deploy/prometheus/prometheus.yml"))
            .replace("127.0.0.1:9000", targets.get("spillway"))
            .replaceAll("(scrape|evaluation)_interval: \\w+", "$1_interval: 1s");
    StringBuilder all = new StringBuilder(configuration);
    targets.forEach(
        (job, target) -> {
          if (!job.equals("spillway")) {
            all.append("  - job_name: ").append(job).append("\n    static_configs:\n");
            all.append("      - targets: [\"").append(target).append("\"]\n");
          }
        });
    Files.writeString(directory.resolve("prometheus.yml"), all);
    for (String rules : List.of("rules.yml", "gpus.yml")) {
      Files.copy(root.resolve("deploy/prometheus").resolve(rules), directory.resolve(rules));
    }
    int port = Standalone.freePort();
    Process process =
        new ProcessBuilder(
                program.toString(),
                "--config.file=" + directory.resolve("prometheus.yml"),
                "--storage.tsdb.path=" + directory.resolve("data"),
                "--web.listen-address=127.0.0.1:" + port)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log").toFile())
            .start();
    PrometheusServer server = new PrometheusServer(process, port);
    Awaitility.await("Prometheus").atMost(Duration.ofSeconds(30)).until(server::ready);
    return server;
  }

  private boolean ready() throws InterruptedException {
    try {
      return get("/-/ready").statusCode() == 200;
    } catch (IOException notYet) {
      return false;
    }
  }

  /** The series that a selector has now, each as its labels. */
  List<Map<String, String>> series(String selector) throws IOException, InterruptedException {
    HttpResponse<String> response =
        get("/api/v1/query?query=" + URLEncoder.encode(selector, StandardCharsets.UTF_8));
    JsonNode answer = JSON.readTree(response.body());
    if (!answer.path("status").asText().equals("success")) {
      throw new AssertionError(selector + ": " + response.body());
    }
    List<Map<String, String>> series = new ArrayList<>();
    for (JsonNode result : answer.path("data").path("result")) {
      Map<String, String> labels = new TreeMap<>();
      result
          .path("metric")
          .properties()
          .forEach(e -> labels.put(e.getKey(), e.getValue().asText()));
      series.add(labels);
    }
    return series;
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(Duration.ofSeconds(10))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @Override
  public void close() {
    client.close();
    Programs.end(process);
  }
}
