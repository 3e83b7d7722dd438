package io.spillway.capacity.simulated.control;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.spillway.capacity.simulated.Clouds;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Serves {@link Routes}. */
public final class ControlServer implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int ANSWER_SECONDS = 10;
  private static final int SILENT_SECONDS = 60;

  private final HttpServer server;
  private final Clouds clouds;
  private final Routes routes;

  /**
   * @param port 0 = any free one
   */
  public ControlServer(Clouds clouds, int port) throws IOException {
    this.clouds = clouds;
    this.routes = new Routes(clouds);
    this.server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::handle);
    server.start();
  }

  public int port() {
    return server.getAddress().getPort();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      Routes.Request request =
          new Routes.Request(
              exchange.getRequestMethod(),
              exchange.getRequestURI().getPath(),
              query(exchange.getRequestURI().getRawQuery()),
              body);
      answer(exchange, ask(request));
    }
  }

  private Routes.Answer ask(Routes.Request request) {
    try {
      return clouds
          .timeline()
          .ask(() -> routes.answer(request))
          .get(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IllegalArgumentException refused) {
        return Routes.Answer.refused(422, refused.getMessage());
      }
      return Routes.Answer.refused(500, String.valueOf(e.getCause()));
    } catch (TimeoutException e) {
      return Routes.Answer.refused(504, "the timeline is busy");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Routes.Answer.refused(503, "the process ends");
    }
  }

  private static void answer(HttpExchange exchange, Routes.Answer answer) throws IOException {
    if (answer.status() == Routes.NO_ANSWER) {
      pause();
      return;
    }
    byte[] bytes = JSON.writeValueAsBytes(answer.body());
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    answer.headers().forEach(exchange.getResponseHeaders()::set);
    exchange.sendResponseHeaders(answer.status(), bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  /** An API that does not answer: the caller's patience ends first. */
  private static void pause() {
    try {
      TimeUnit.SECONDS.sleep(SILENT_SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Map<String, String> query(String raw) {
    Map<String, String> query = new LinkedHashMap<>();
    if (raw != null) {
      for (String pair : raw.split("&")) {
        int equals = pair.indexOf('=');
        if (equals > 0) {
          query.put(
              pair.substring(0, equals),
              java.net.URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
        }
      }
    }
    return query;
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
