package io.spillway.verify.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import io.spillway.verify.Part;
import io.spillway.verify.real.Dashboards.Language;
import io.spillway.verify.real.Dashboards.Query;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A real Prometheus scrapes a running standalone; every question of every panel has an answer. */
@Tag("real")
@Part("prometheus")
class PrometheusReadsTheRunTest {
  /** The demo has had its interruption and its failover by then. */
  private static final Duration DEMO = Duration.ofMinutes(4);

  /** Series that a healthy run must not write: what they count did not happen. */
  private static final Set<String> SILENT_IN_HEALTH = Set.of();

  @Test
  void every_selector_of_every_panel_finds_a_series_of_this_run() throws Exception {
    Optional<Path> program = Programs.prometheus("prometheus");
    assumeTrue(program.isPresent(), "prometheus is not there: make verify-programs");
    Path root = Repository.root();
    HttpServer exporter = exporter(MetricNames.read(root));
    try (Standalone standalone = Standalone.start(Map.of("DEMO", "on"));
        PrometheusServer prometheus =
            PrometheusServer.start(
                program.get(),
                Map.of(
                    "spillway", "127.0.0.1:" + standalone.managementPort,
                    "foreign", "127.0.0.1:" + exporter.getAddress().getPort()))) {
      deadLetter(standalone);
      refuseAndPark(standalone);
      Set<String> selectors = new TreeSet<>();
      List<Query> queries = Dashboards.read(root).of(Language.PROMQL);
      queries.forEach(query -> selectors.addAll(Selectors.of(query.text())));
      selectors.removeAll(SILENT_IN_HEALTH);

      Awaitility.await("a sample for every selector")
          .atMost(DEMO)
          .pollInterval(Duration.ofSeconds(2))
          .untilAsserted(() -> assertThat(missing(prometheus, selectors)).isEmpty());

      assertThat(unlabelled(prometheus, queries)).isEmpty();
      reader(standalone);
      Awaitility.await("a row for every table")
          .atMost(DEMO)
          .pollInterval(Duration.ofSeconds(2))
          .untilAsserted(
              () ->
                  assertThat(sqlFaults(standalone, Dashboards.read(root).of(Language.SQL)))
                      .isEmpty());
    } finally {
      exporter.stop(0);
    }
  }

  @Test
  void the_alert_rules_fire_when_they_should_and_stay_silent_otherwise() throws Exception {
    Optional<Path> promtool = Programs.prometheus("promtool");
    assumeTrue(promtool.isPresent(), "promtool is not there: make verify-programs");
    Path directory = Repository.root().resolve("deploy/prometheus");

    for (String rules : List.of("rules", "gpus")) {
      Programs.run(directory, List.of(promtool.get().toString(), "check", "rules", rules + ".yml"));
      String tested =
          Programs.run(
              directory,
              List.of(promtool.get().toString(), "test", "rules", "tests/" + rules + "_test.yml"));

      assertThat(tested).contains("SUCCESS");
    }
  }

  private static List<String> missing(PrometheusServer prometheus, Set<String> selectors)
      throws IOException, InterruptedException {
    List<String> missing = new ArrayList<>();
    for (String selector : selectors) {
      if (prometheus.series(selector).isEmpty()) {
        missing.add(selector);
      }
    }
    return missing;
  }

  private static List<String> unlabelled(PrometheusServer prometheus, List<Query> queries)
      throws IOException, InterruptedException {
    List<String> faults = new ArrayList<>();
    for (Query query : queries) {
      for (String selector : Selectors.of(query.text())) {
        for (String label : Selectors.grouped(query.text())) {
          boolean has =
              prometheus.series(selector).stream()
                  .anyMatch(labels -> !labels.getOrDefault(label, "").isEmpty());
          if (!has) {
            faults.add(query.place() + ": " + selector + " has no label " + label);
          }
        }
      }
    }
    return faults;
  }

  /** What a healthy demo may not do in time: capacity is refused, and a gang finds no room. */
  private static void refuseAndPark(Standalone standalone)
      throws IOException, InterruptedException {
    for (String type : List.of("spot", "on-demand")) {
      standalone.toClouds("/refuse?times=10&seconds=90&mode=at-once&capacityType=" + type);
    }
    for (int i = 0; i < 4; i++) {
      standalone.submit(
          """
          {"name": "gang", "queue": "research", "image": "registry.example/train:1",
           "env": {"SIM_RUN_SECONDS": "20"},
           "resources": {"nodes": 8, "gpusPerNode": 8, "gpu": ["nvidia-h100-80gb"]}}
          """);
    }
  }

  private static void reader(Standalone standalone) throws IOException, SQLException {
    Properties connections = standalone.connections();
    try (Connection owner =
            DriverManager.getConnection(
                connections.getProperty("postgres.jdbc"),
                connections.getProperty("postgres.user"),
                "");
        Statement statement = owner.createStatement()) {
      statement.execute(
          "create role verify_reader login password 'verify' in role spillway_dashboards");
    }
  }

  /** Runs every table's query as a user that may read the views and nothing else. */
  private static List<String> sqlFaults(Standalone standalone, List<Query> queries)
      throws IOException, SQLException {
    String url = standalone.connections().getProperty("postgres.jdbc");
    List<String> faults = new ArrayList<>();
    try (Connection reader = DriverManager.getConnection(url, "verify_reader", "verify");
        Statement statement = reader.createStatement()) {
      for (Query query : queries) {
        String sql =
            query
                .text()
                .replaceAll("\\$__timeFilter\\((\\w+)\\)", "$1 > now() - interval '1 hour'");
        try (ResultSet rows = statement.executeQuery(sql)) {
          if (!rows.next()) {
            faults.add(query.place() + ": no row");
          }
        } catch (SQLException e) {
          faults.add(query.place() + ": " + e.getMessage());
        }
      }
      try (ResultSet forbidden = statement.executeQuery("select spec from job_spec limit 1")) {
        faults.add("the reader may read job_spec: " + forbidden.next());
      } catch (SQLException expected) {
        assertThat(expected.getMessage()).contains("permission denied");
      }
    }
    return faults;
  }

  /** Something that no provider knows, so that dead letters are counted. */
  @SuppressWarnings("FutureReturnValueIgnored") // the flush waits for it
  private static void deadLetter(Standalone standalone) throws IOException {
    Properties kafka = new Properties();
    kafka.put("bootstrap.servers", standalone.connections().getProperty("kafka.bootstrap"));
    kafka.put("key.serializer", "org.apache.kafka.common.serialization.StringSerializer");
    kafka.put("value.serializer", "org.apache.kafka.common.serialization.StringSerializer");
    try (var producer =
        new org.apache.kafka.clients.producer.KafkaProducer<String, String>(kafka)) {
      producer.send(
          new org.apache.kafka.clients.producer.ProducerRecord<>(
              "spillway.capacity-events", "k", "{\"unknown\":true}"));
      producer.flush();
    }
  }

  /** Serves the samples of foreign metrics in the exposition format. */
  private static HttpServer exporter(MetricNames names) throws IOException {
    StringBuilder samples = new StringBuilder();
    names.foreign().stream()
        .filter(foreign -> !foreign.sample().isEmpty())
        .forEach(foreign -> samples.append(foreign.sample()).append('\n'));
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/metrics",
        exchange -> {
          byte[] body = samples.toString().getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "text/plain; version=0.0.4");
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    return server;
  }
}
