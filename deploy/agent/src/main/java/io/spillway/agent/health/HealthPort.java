package io.spillway.agent.health;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.spillway.agent.Agent;
import io.spillway.agent.time.Timeline;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * {@code /live}: the agent's thread still turns; restarting it would help if not. {@code /ready}:
 * it reaches the API server, as leader or as standby. A control plane that is away makes nothing
 * unready: a restart would not bring it back. {@code /metrics}: Prometheus text.
 */
public final class HealthPort implements AutoCloseable {
  private static final int ANSWER_SECONDS = 5;

  private final Timeline timeline;
  private final Supplier<Agent.Condition> condition;
  private final String cluster;
  private final HttpServer server;

  /**
   * @param condition asked on the timeline
   * @param port 0 picks a free one
   */
  public HealthPort(
      Timeline timeline, Supplier<Agent.Condition> condition, String cluster, int port)
      throws IOException {
    this.timeline = timeline;
    this.condition = condition;
    this.cluster = cluster;
    this.server = HttpServer.create(new InetSocketAddress(port), 16);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/live", exchange -> answer(exchange, ask().isPresent(), "the agent's thread hangs"));
    server.createContext(
        "/ready",
        exchange ->
            answer(
                exchange,
                ask().filter(Agent.Condition::reachesCluster).isPresent(),
                "the API server does not answer"));
    server.createContext("/metrics", this::metrics);
    server.start();
  }

  public int port() {
    return server.getAddress().getPort();
  }

  private Optional<Agent.Condition> ask() {
    CompletableFuture<Agent.Condition> answer = new CompletableFuture<>();
    timeline.execute(() -> answer.complete(condition.get()));
    try {
      return Optional.of(answer.get(ANSWER_SECONDS, TimeUnit.SECONDS));
    } catch (TimeoutException | ExecutionException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  private static void answer(HttpExchange exchange, boolean well, String otherwise)
      throws IOException {
    send(exchange, well ? 200 : 503, well ? "ok\n" : otherwise + "\n");
  }

  private void metrics(HttpExchange exchange) throws IOException {
    Optional<Agent.Condition> now = ask();
    if (now.isEmpty()) {
      send(exchange, 503, "");
      return;
    }
    StringBuilder text = new StringBuilder();
    gauge(text, "leader", "1 while this replica acts", now.get().leads() ? 1 : 0);
    gauge(text, "connected", "1 while the control plane hears it", now.get().connected() ? 1 : 0);
    gauge(text, "attempts", "Attempts that are not over", now.get().attempts());
    gauge(text, "nodes", "Nodes of the cluster", now.get().nodes());
    gauge(
        text,
        "unacknowledged_messages",
        "Messages not acknowledged yet",
        now.get().unacknowledged());
    Runtime jvm = Runtime.getRuntime();
    gauge(text, "heap_used_bytes", "Heap in use", jvm.totalMemory() - jvm.freeMemory());
    gauge(text, "heap_max_bytes", "Heap at most", jvm.maxMemory());
    send(exchange, 200, text.toString());
  }

  private void gauge(StringBuilder text, String name, String help, long value) {
    String full = "spillway_agent_" + name;
    text.append("# HELP ").append(full).append(' ').append(help).append('\n');
    text.append("# TYPE ").append(full).append(" gauge\n");
    text.append(full)
        .append("{cluster=\"")
        .append(cluster)
        .append("\"} ")
        .append(value)
        .append('\n');
  }

  private static void send(HttpExchange exchange, int status, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    try (OutputStream body = exchange.getResponseBody()) {
      body.write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
