package io.spillway.verify.real;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import org.awaitility.Awaitility;

/** The standalone as a user starts it, in a process of its own on free ports. */
final class Standalone implements AutoCloseable {
  private final Process process;
  private final Path data;
  private final Path log;
  final int port;
  final int managementPort;

  private Standalone(Process process, Path data, Path log, int port, int managementPort) {
    this.process = process;
    this.data = data;
    this.log = log;
    this.port = port;
    this.managementPort = managementPort;
  }

  static Standalone start(Map<String, String> settings) throws IOException {
    Path data = Files.createTempDirectory("spillway-verify");
    Path log = data.resolveSibling(data.getFileName() + ".log");
    int port = freePort();
    int management = freePort();
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-jar",
            Repository.root()
                .resolve("deploy/standalone/target/spillway-standalone.jar")
                .toString());
    builder.directory(Repository.root().toFile());
    builder.environment().put("PORT", Integer.toString(port));
    builder.environment().put("MANAGEMENT_PORT", Integer.toString(management));
    builder.environment().put("DATA", data.toString());
    builder.environment().putAll(settings);
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    Standalone standalone = new Standalone(builder.start(), data, log, port, management);
    Awaitility.await("readiness")
        .atMost(Duration.ofMinutes(3))
        .pollInterval(Duration.ofSeconds(1))
        .until(() -> standalone.ready() && standalone.told());
    return standalone;
  }

  private boolean ready() throws InterruptedException {
    if (!process.isAlive()) {
      throw new AssertionError("the standalone ended:\n" + log());
    }
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
              .send(
                  HttpRequest.newBuilder(
                          URI.create("http://127.0.0.1:" + managementPort + "/q/health/ready"))
                      .timeout(Duration.ofSeconds(2))
                      .build(),
                  HttpResponse.BodyHandlers.discarding())
              .statusCode()
          == 200;
    } catch (IOException notYet) {
      return false;
    }
  }

  private boolean told() {
    return Files.exists(data.resolve("connections.properties"));
  }

  /** Addresses of what it started, as it keeps them beside its data. */
  Properties connections() throws IOException {
    Properties properties = new Properties();
    try (var reader = Files.newBufferedReader(data.resolve("connections.properties"))) {
      properties.load(reader);
    }
    return properties;
  }

  /** Makes the simulated clouds do something, by their control port. */
  void toClouds(String path) throws IOException, InterruptedException {
    String port = Files.readString(data.resolve("clouds").resolve("port")).strip();
    post("http://127.0.0.1:" + port + path, "", "");
  }

  /** Submits a job as the administrator. */
  void submit(String job) throws IOException, InterruptedException {
    String token = Files.readString(data.resolve("admin-token")).strip();
    post("http://127.0.0.1:" + port + "/api/v1/jobs", job, "Bearer " + token);
  }

  private static void post(String uri, String body, String authorization)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(uri))
            .timeout(Duration.ofSeconds(20))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body));
    if (!authorization.isEmpty()) {
      request.header("Authorization", authorization);
    }
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer =
          client.send(request.build(), HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() / 100 != 2) {
        throw new IOException(uri + ": " + answer.statusCode() + " " + answer.body());
      }
    }
  }

  String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return "no log: " + e.getMessage();
    }
  }

  @Override
  public void close() {
    Programs.end(process);
  }

  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
