package io.spillway.server.rest;

import static io.spillway.server.rest.Calls.JOBS;
import static io.spillway.server.rest.Calls.as;
import static io.spillway.server.rest.Calls.json;
import static io.spillway.server.rest.Calls.problem;
import static io.spillway.server.rest.Calls.submitted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.notNullValue;

import com.google.protobuf.ByteString;
import com.sun.net.httpserver.HttpServer;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.spillway.protocol.v1.AgentMessage;
import io.spillway.protocol.v1.ControlFrame;
import io.spillway.protocol.v1.LogChunk;
import io.spillway.protocol.v1.LogRequest;
import io.spillway.protocol.v1.Nodes;
import io.spillway.scheduler.input.MarketInput.ObservationChanged;
import io.spillway.server.gateway.FakeAgent;
import io.spillway.server.inbox.Inbox;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Logs, read through an agent that answers as the real one does. */
@QuarkusTest
class LogsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @Inject Inbox inbox;
  @Inject Pool pool;

  @TestHTTPResource("/")
  URI server;

  private final String cluster =
      "logs-" + Integer.toHexString(ThreadLocalRandom.current().nextInt());

  @Test
  void a_log_comes_in_the_pieces_that_the_agent_read_also_when_they_part_a_character() {
    try (FakeAgent agent = connected()) {
      String job = started(agent);
      CompletableFuture<Response> answer =
          CompletableFuture.supplyAsync(
              () -> as("red").get(JOBS + "/" + job + "/logs?since=15m&node=0&attempt=1"));
      LogRequest request = asked(agent);
      assertThat(request.getAttempt()).isEqualTo(job + "-1");
      assertThat(request.getSinceMs()).isEqualTo(900_000);
      assertThat(request.getFollow()).isFalse();
      byte[] text = "step 1 ü\nstep 2\n".getBytes(StandardCharsets.UTF_8);
      agent.send(chunk(request, text, 0, 8), chunk(request, text, 8, text.length));
      agent.send(last(request, ""));

      Response log = answer.join();
      log.then().statusCode(200).contentType("text/plain");
      assertThat(log.body().asString()).isEqualTo("step 1 ü\nstep 2\n");
    }
  }

  @Test
  void a_log_that_is_gone_is_404_and_one_that_is_cut_says_so_in_its_last_line() {
    try (FakeAgent agent = connected()) {
      String job = started(agent);
      CompletableFuture<Response> gone = log(job);
      agent.send(last(asked(agent), "no pod of node 0 is there any more"));
      gone.join()
          .then()
          .spec(problem(404, "not-found"))
          .body("detail", containsString("no pod of node 0"));

      CompletableFuture<Response> cut = log(job);
      LogRequest request = asked(agent, 2);
      byte[] text = "much".getBytes(StandardCharsets.UTF_8);
      agent.send(chunk(request, text, 0, 4), last(request, "cut after 67108864 bytes"));
      assertThat(cut.join().body().asString())
          .isEqualTo("much\n[spillway: cut after 67108864 bytes]\n");
    }
  }

  @Test
  void a_reader_that_leaves_is_told_to_the_agent() throws Exception {
    try (FakeAgent agent = connected()) {
      String job = started(agent);
      HttpRequest call =
          HttpRequest.newBuilder(server.resolve(JOBS + "/" + job + "/logs?follow=true"))
              .header("Authorization", "Bearer red-token")
              .build();
      try (HttpClient http = HttpClient.newHttpClient()) {
        var answer = http.sendAsync(call, BodyHandlers.ofInputStream());
        LogRequest request = asked(agent);
        assertThat(request.getFollow()).isTrue();
        byte[] text = "line\n".getBytes(StandardCharsets.UTF_8);
        agent.send(chunk(request, text, 0, text.length));
        try (InputStream body = answer.join().body()) {
          assertThat(body.readNBytes(5)).isEqualTo(text);
        }
        http.shutdownNow();
        agent.awaits(
            frame ->
                frame.getLogRequest().getCancel()
                    && frame.getLogRequest().getRequest() == request.getRequest());
      }
    }
  }

  @Test
  void a_stream_that_breaks_ends_the_log_with_a_word() {
    FakeAgent agent = connected();
    String job = started(agent);
    CompletableFuture<Response> answer = log(job);
    LogRequest request = asked(agent);
    byte[] text = "half".getBytes(StandardCharsets.UTF_8);
    agent.acked(agent.send(chunk(request, text, 0, 4)));
    agent.breaks();
    assertThat(answer.join().body().asString()).startsWith("half\n[spillway: ").contains("lost");
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                as("red")
                    .get(JOBS + "/" + job + "/logs")
                    .then()
                    .spec(problem(503, "not-connected"))
                    .header("Retry-After", notNullValue()));
  }

  @Test
  void another_replica_that_hears_the_agent_is_asked_with_the_callers_token() throws IOException {
    FakeAgent agent = connected();
    String job = started(agent);
    agent.breaks();
    AtomicReference<String> seen = new AtomicReference<>();
    HttpServer far =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    far.createContext(
        "/",
        call -> {
          seen.set(
              call.getRequestURI()
                  + " "
                  + call.getRequestHeaders().getFirst("Authorization")
                  + " "
                  + call.getRequestHeaders().getFirst("Spillway-Forwarded"));
          byte[] text = "from afar\n".getBytes(StandardCharsets.UTF_8);
          call.sendResponseHeaders(200, text.length);
          call.getResponseBody().write(text);
          call.close();
        });
    far.start();
    try {
      sql(
          "insert into gateway_replica (replica, address, seen_at)"
              + " values ($1, $2, clock_timestamp() + interval '1 hour')",
          "far-" + cluster,
          "127.0.0.1:" + far.getAddress().getPort());
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                sql(
                    "update agent_session set replica = $2, closed_at = null where cluster = $1",
                    cluster,
                    "far-" + cluster);
                Response log = as("red").get(JOBS + "/" + job + "/logs?since=1h");
                assertThat(log.body().asString()).isEqualTo("from afar\n");
              });
      assertThat(seen.get()).isEqualTo(JOBS + "/" + job + "/logs?since=1h" + " Bearer red-token 1");
    } finally {
      far.stop(0);
    }
  }

  @Test
  void bad_calls_are_told_apart() {
    try (FakeAgent agent = connected()) {
      String job = started(agent);
      String logs = JOBS + "/" + job + "/logs";
      as("red").get(logs + "?node=1").then().spec(problem(400, "invalid-request"));
      as("red").get(logs + "?node=-1").then().spec(problem(400, "invalid-request"));
      as("red").get(logs + "?attempt=0").then().spec(problem(400, "invalid-request"));
      as("red").get(logs + "?attempt=7").then().spec(problem(404, "not-found"));
      as("red").get(logs + "?since=yesterday").then().spec(problem(400, "invalid-request"));
      as("red").get(logs + "?follow=perhaps").then().spec(problem(400, "invalid-request"));
      as("blue").get(logs).then().spec(problem(403, "queue-not-yours"));
      as("events").get(logs).then().spec(problem(403, "forbidden"));
      as("red")
          .get(JOBS + "/01KB3Z6Q8V4T2N7M5XW9R1C0DE/logs")
          .then()
          .spec(problem(404, "not-found"));
    }
    String waits = submitted(Calls.freshQueue());
    as("red").get(JOBS + "/" + waits + "/logs").then().spec(problem(404, "not-found"));
  }

  private static CompletableFuture<Response> log(String job) {
    return CompletableFuture.supplyAsync(() -> as("red").get(JOBS + "/" + job + "/logs"));
  }

  private static LogRequest asked(FakeAgent agent) {
    return asked(agent, 1);
  }

  /** The newest request once so many came. */
  private static LogRequest asked(FakeAgent agent, int times) {
    await().atMost(PATIENCE).until(() -> requests(agent).size() == times);
    return requests(agent).getLast();
  }

  private static List<LogRequest> requests(FakeAgent agent) {
    return agent.received().stream()
        .filter(ControlFrame::hasLogRequest)
        .map(ControlFrame::getLogRequest)
        .filter(request -> !request.getCancel())
        .toList();
  }

  private static AgentMessage.Builder chunk(LogRequest request, byte[] text, int from, int to) {
    return AgentMessage.newBuilder()
        .setLogChunk(
            LogChunk.newBuilder()
                .setRequest(request.getRequest())
                .setData(ByteString.copyFrom(text, from, to - from)));
  }

  private static AgentMessage.Builder last(LogRequest request, String error) {
    return AgentMessage.newBuilder()
        .setLogChunk(
            LogChunk.newBuilder().setRequest(request.getRequest()).setLast(true).setError(error));
  }

  private FakeAgent connected() {
    TestPolicies.add(TestPolicies.cluster(cluster));
    String token =
        json("admin")
            .body("{\"name\": \"" + cluster + "\"}")
            .post("/api/v1/clusters")
            .then()
            .statusCode(201)
            .extract()
            .path("token");
    FakeAgent agent = FakeAgent.welcomed(server.getPort(), cluster, token, 1);
    agent.acked(
        agent.send(AgentMessage.newBuilder().setNodes(Nodes.newBuilder().setComplete(true))));
    return agent;
  }

  /** A job whose first attempt the agent was told to start. */
  private String started(FakeAgent agent) {
    String queue = Calls.freshQueueOn(cluster);
    ObservationChanged seen = SpotMarket.seen();
    inbox
        .append(seen.lane(), "test", List.of(seen))
        .chain(at -> inbox.committed(at, PATIENCE))
        .await()
        .atMost(PATIENCE);
    String job = submitted(queue);
    agent.awaits(ControlFrame::hasStart);
    return job;
  }

  private void sql(String statement, Object... values) {
    pool.preparedQuery(statement).execute(Tuple.from(values)).await().atMost(PATIENCE);
  }
}
