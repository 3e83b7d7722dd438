package io.spillway.capacity.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe.Result;
import io.spillway.capacity.spi.ProbeException;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.model.FailureClass;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The cases that the contract of providers does not reach: own deadlines, unbounded bodies. */
class ProbeRunTest {
  private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
  private static final ProbeClient.Limits SHORT =
      new ProbeClient.Limits(Duration.ofSeconds(1), Duration.ofSeconds(2), 10_000, 5);

  private final CountDownLatch end = new CountDownLatch(1);
  private HttpServer server;

  @BeforeEach
  void a_provider() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
  }

  @AfterEach
  void gone() {
    end.countDown();
    server.stop(0);
  }

  @Test
  void a_call_without_an_answer_ends_at_its_own_deadline() {
    server.createContext("/", exchange -> waitForTheEnd());

    ProbeException failure = failure(client(budget()).run(NOW), "/silent");

    assertThat(failure.failureClass()).isEqualTo(FailureClass.TRANSIENT);
    assertThat(failure).hasMessageContaining("/silent").hasMessageContaining("no answer");
  }

  @Test
  void a_round_ends_at_its_deadline_whatever_its_calls_do() {
    ProbeRun run = client(budget()).run(NOW);

    ProbeException failure = failed(run.end(new CompletableFuture<>()).toCompletableFuture());

    assertThat(failure.failureClass()).isEqualTo(FailureClass.TRANSIENT);
    assertThat(failure).hasMessageContaining("not done");
  }

  @Test
  void a_part_that_hangs_is_given_up_in_time_for_the_others() throws Exception {
    ProbeRun run = client(budget()).run(NOW);
    CompletableFuture<List<Observation>> parts =
        run.each(
            List.of("good", "hanging"),
            part -> part,
            part ->
                part.equals("good")
                    ? CompletableFuture.completedFuture(List.of())
                    : new CompletableFuture<>());

    var result = run.end(parts).toCompletableFuture().get();

    assertThat(result.warnings()).singleElement().asString().startsWith("hanging: not done in");
  }

  @Test
  void a_body_that_never_ends_is_hung_up_on() {
    AtomicInteger written = new AtomicInteger();
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          try (OutputStream out = exchange.getResponseBody()) {
            while (end.getCount() > 0) {
              out.write(new byte[1_000]);
              written.incrementAndGet();
            }
          }
        });

    ProbeException failure = failure(client(budget()).run(NOW), "/endless");

    assertThat(failure.failureClass()).isEqualTo(FailureClass.UNKNOWN);
    assertThat(failure).hasMessageContaining("longer than 10000 bytes");
  }

  @Test
  void after_retry_after_the_account_is_silent_without_being_told_again() {
    AtomicInteger calls = new AtomicInteger();
    server.createContext(
        "/",
        exchange -> {
          calls.incrementAndGet();
          exchange.getResponseHeaders().add("Retry-After", "60");
          answer(exchange, 429, "{}");
        });
    ProbeClient client = client(budget());

    assertThat(failure(client.run(NOW), "/a").retryAfter()).contains(Duration.ofSeconds(60));
    ProbeException second = failure(client.run(NOW), "/a");

    assertThat(second.failureClass()).isEqualTo(FailureClass.THROTTLED);
    assertThat(second.retryAfter().orElseThrow())
        .isBetween(Duration.ofSeconds(50), Duration.ofSeconds(60));
    assertThat(calls).hasValue(1);
  }

  @Test
  void a_redirect_is_not_followed_with_the_key() {
    server.createContext(
        "/",
        exchange -> {
          exchange.getResponseHeaders().add("Location", "https://elsewhere.example/");
          answer(exchange, 302, "");
        });

    assertThat(failure(client(budget()).run(NOW), "/a").failureClass())
        .isEqualTo(FailureClass.INVALID);
  }

  @Test
  void of_many_parts_the_failed_are_warnings_and_when_all_fail_the_worst_speaks() throws Exception {
    server.createContext("/good", exchange -> answer(exchange, 200, "[1]"));
    server.createContext("/bad", exchange -> answer(exchange, 500, "{}"));
    server.createContext("/shut", exchange -> answer(exchange, 401, "{}"));

    ProbeRun some = client(budget()).run(NOW);
    List<String> seen = ask(some, "/good", "/bad").get(5, TimeUnit.SECONDS);
    Result result =
        some.end(CompletableFuture.completedFuture(List.of())).toCompletableFuture().get();
    Throwable none =
        catchThrowable(
            () -> ask(client(budget()).run(NOW), "/bad", "/shut").get(5, TimeUnit.SECONDS));

    assertThat(seen).containsExactly("/good");
    assertThat(result.warnings())
        .filteredOn(warning -> !warning.contains("clock"))
        .singleElement()
        .asString()
        .startsWith("/bad: GET /bad: status 500");
    assertThat(((ProbeException) none.getCause()).failureClass()).isEqualTo(FailureClass.AUTH);
  }

  @Test
  void nothing_is_asked_after_the_round_is_over() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    server.createContext(
        "/",
        exchange -> {
          calls.incrementAndGet();
          answer(exchange, 200, "{}");
        });
    ProbeRun run = client(budget()).run(NOW);
    run.end(new CompletableFuture<>()).toCompletableFuture().cancel(true);

    assertThat(catchThrowable(() -> run.send(HttpCall.get("/a")).get(5, TimeUnit.SECONDS)))
        .isNotNull();
    assertThat(calls).hasValue(0);
  }

  @Test
  void a_bug_of_the_module_stays_a_bug() {
    ProbeRun run = client(budget()).run(NOW);
    CompletableFuture<List<io.spillway.scheduler.market.Observation>> broken =
        CompletableFuture.supplyAsync(
            () -> {
              throw new IllegalStateException("a bug");
            });

    Throwable failure =
        catchThrowable(() -> run.end(broken).toCompletableFuture().get(5, TimeUnit.SECONDS));

    assertThat(failure).hasCauseInstanceOf(IllegalStateException.class);
  }

  private static CompletableFuture<List<String>> ask(ProbeRun run, String... paths) {
    return run.each(
        List.of(paths),
        path -> path,
        path -> run.send(HttpCall.get(path)).thenApply(answer -> List.of(path)));
  }

  private static ProbeException failure(ProbeRun run, String path) {
    return failed(
        run.end(run.send(HttpCall.get(path)).thenApply(answer -> List.of())).toCompletableFuture());
  }

  private static ProbeException failed(CompletableFuture<Result> round) {
    Throwable failure = catchThrowable(() -> round.get(5, TimeUnit.SECONDS));
    assertThat(failure).isInstanceOf(ExecutionException.class);
    assertThat(failure.getCause()).isInstanceOf(ProbeException.class);
    return (ProbeException) failure.getCause();
  }

  private void waitForTheEnd() {
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private static CallBudget budget() {
    return new CallBudget(10, 10, Duration.ofSeconds(5));
  }

  private ProbeClient client(CallBudget budget) {
    AccountSettings account =
        new AccountSettings(
            "prod",
            Optional.empty(),
            List.of(),
            Duration.ofMinutes(1),
            BigDecimal.ONE,
            Optional.of(URI.create("http://127.0.0.1:" + server.getAddress().getPort())),
            Map.of("api-key", "some-secret-key"));
    return new ProbeClient(
        account,
        URI.create("https://public.example"),
        HttpCall.Signer.bearer("some-secret-key"),
        budget,
        SHORT);
  }
}
