package io.spillway.verify.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.spillway.standalone.Installation;
import io.spillway.standalone.StandaloneWorld;
import io.spillway.standalone.WorldPlan;
import io.spillway.verify.real.Programs;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the charts write, given to the packaged server, and what it answers, given to Helm. */
@HelmProgram.WithHelm
class ChartsRunTest {
  @TempDir Path files;

  private record Ports(int http, int https, int management) {}

  @Test
  @Timeout(240)
  void the_servers_line_attaches_a_cluster_and_the_charts_configuration_starts_a_second_replica()
      throws Exception {
    WorldPlan plan = WorldPlan.on(files.resolve("data")).withUnattended(Set.of("eks-ohio"));
    try (StandaloneWorld world = StandaloneWorld.open(plan)) {
      attachesByTheLine(world);
      startsByTheChart(world);
    }
  }

  private void attachesByTheLine(StandaloneWorld world) throws IOException, InterruptedException {
    String line =
        world
            .server(0)
            .api()
            .post("/api/v1/clusters", Map.of("name", "eks-ohio"), Map.of())
            .ok()
            .path("install")
            .asText();

    HelmProgram.Run run = HelmProgram.paste(line + " --dry-run=client -o yaml");
    assertThat(run.exit()).as(line + "\n" + run.output()).isZero();
    Rendered rendered = Rendered.of(Chart.YAML.readTree(run.output()).path("manifest").asText());
    List<String> queues =
        Rendered.each(world.server(0).api().get("/api/v1/queues").ok().path("items"))
            .map(queue -> "spillway-" + queue.path("name").asText())
            .toList();
    List<String> bound =
        rendered.kinds("RoleBinding").stream()
            .filter(b -> b.at("/metadata/name").asText().equals("spillway-agent-jobs"))
            .map(b -> b.at("/metadata/namespace").asText())
            .toList();
    assertThat(bound).isNotEmpty().containsExactlyInAnyOrderElementsOf(queues);
    JsonNode agent = rendered.one("Deployment", "spillway-agent");
    assertThat(agent.toString())
        .contains("eks-ohio")
        .contains("127.0.0.1:" + world.server(0).port());
    assertThat(rendered.one("Secret", "spillway-agent-token").at("/stringData/token").asText())
        .startsWith("swa_");
  }

  private void startsByTheChart(StandaloneWorld world) throws Exception {
    Ports ports = new Ports(free(), free(), free());
    TlsFiles tls = TlsFiles.make(files.resolve("tls"));
    Path home = Files.createDirectories(files.resolve("replica"));
    Files.createDirectories(home.resolve("config"));
    // What a mount would put there; the ports are those of a machine that others use too.
    String configuration =
        configuration(world)
                .replace("/etc/spillway/tls/", tls.directory() + "/")
                .replaceFirst("ssl-port=8443", "ssl-port=" + ports.https())
                .replaceFirst("management.port=\\d+", "management.port=" + ports.management())
            + "\nquarkus.http.port="
            + ports.http()
            + "\n";
    Files.writeString(home.resolve("config/application.properties"), configuration);
    ProcessBuilder server =
        new ProcessBuilder(
                Installation.java(), "-Xmx512m", "-jar", Installation.find().serverJar().toString())
            .directory(home.toFile())
            .redirectErrorStream(true)
            .redirectOutput(home.resolve("log").toFile());
    server.environment().put("QUARKUS_DATASOURCE_USERNAME", world.postgres().user());
    server.environment().put("QUARKUS_DATASOURCE_PASSWORD", world.postgres().user());
    server.environment().put("SPILLWAY_ADMIN_TOKEN", world.token());
    server.environment().put("SPILLWAY_REPLICA_NAME", "spillway-2");
    server.environment().put("SPILLWAY_REPLICA_ADDRESS", "127.0.0.1:" + ports.http());
    server.environment().put("CREDENTIAL_LAMBDA_PROD_API_KEY", "not-a-key");
    Process process = server.start();
    try (HttpClient client = HttpClient.newBuilder().sslContext(tls.trust()).build()) {
      await("the replica")
          .atMost(Duration.ofSeconds(90))
          .ignoreExceptions()
          .untilAsserted(
              () -> {
                URI ready =
                    URI.create("http://127.0.0.1:" + ports.management() + "/q/health/ready");
                assertThat(get(client, ready, "").statusCode()).isEqualTo(200);
              });
      URI queues = URI.create("https://localhost:" + ports.https() + "/api/v1/providers");
      HttpResponse<String> answer = get(client, queues, "Bearer " + world.token());

      assertThat(answer.statusCode()).isEqualTo(200);
      // The agents' protocol shares the port, and needs it.
      assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
      // The account of the values is known; its credential came from the environment.
      assertThat(answer.body()).contains("lambda").contains("prod").doesNotContain("not-a-key");
    } catch (Throwable failure) {
      System.out.println(Files.readString(home.resolve("log")));
      throw failure;
    } finally {
      Programs.end(process);
    }
  }

  /** The properties as the chart writes them for this database and broker. */
  private static String configuration(StandaloneWorld world)
      throws IOException, InterruptedException {
    URI database = URI.create(world.postgres().reactiveUrl());
    Rendered rendered =
        HelmProgram.render(
            Chart.SERVER,
            Chart.SERVER.example("ingress"),
            Stream.of(
                    "database.host=" + database.getHost(),
                    "database.port=" + database.getPort(),
                    "database.name=" + database.getPath().substring(1),
                    "database.sslMode=disable",
                    "kafka.bootstrapServers=" + world.broker().bootstrapServers(),
                    "tls.secret=spillway-tls",
                    "providers.lambda.prod.regions={us-east-1}",
                    "providers.lambda.prod.endpoint=http://127.0.0.1:9",
                    "providers.lambda.prod.credentialsSecret.name=lambda",
                    "providers.lambda.prod.credentialsSecret.keys={api-key}")
                .flatMap(setting -> Stream.of("--set", setting))
                .toArray(String[]::new));
    return rendered.one("ConfigMap", "spillway").at("/data/application.properties").asText();
  }

  private static HttpResponse<String> get(HttpClient client, URI uri, String authorization)
      throws IOException, InterruptedException {
    // What this replica knows itself: unasked, a standby shows what the leader's probes saw.
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri)
            .timeout(Duration.ofSeconds(10))
            .header("Spillway-Forwarded", "1");
    if (!authorization.isEmpty()) {
      request.header("Authorization", authorization);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static int free() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
