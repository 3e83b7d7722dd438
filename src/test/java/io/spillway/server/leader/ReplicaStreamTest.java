package io.spillway.server.leader;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.subscription.Cancellable;
import io.vertx.mutiny.core.Vertx;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ReplicaStreamTest {
  private static final int READERS = 20;

  @Test
  void those_who_follow_a_log_keep_nobody_else_from_reading_one() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    Vertx vertx = Vertx.vertx();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      HttpServer far = endless(threads, end);
      ReplicaStream streams = new ReplicaStream(vertx);
      List<Cancellable> readers = new ArrayList<>();
      try {
        for (int i = 0; i < READERS; i++) {
          Multi<byte[]> log =
              streams
                  .get("127.0.0.1:" + far.getAddress().getPort(), "/log", "Bearer t")
                  .await()
                  .atMost(Duration.ofSeconds(5));
          BlockingQueue<byte[]> lines = new ArrayBlockingQueue<>(10);
          readers.add(log.subscribe().with(lines::add, lost -> {}));
          assertThat(lines.poll(5, TimeUnit.SECONDS)).asString().isEqualTo("line\n");
        }
      } finally {
        readers.forEach(Cancellable::cancel);
        end.countDown();
        streams.close();
        far.stop(0);
      }
    } finally {
      vertx.closeAndAwait();
    }
  }

  /** Says a line, and no more until the end. */
  private static HttpServer endless(ExecutorService threads, CountDownLatch end)
      throws IOException {
    HttpServer far =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    far.setExecutor(threads);
    far.createContext(
        "/",
        call -> {
          call.sendResponseHeaders(200, 0);
          call.getResponseBody().write("line\n".getBytes(StandardCharsets.UTF_8));
          call.getResponseBody().flush();
          try {
            end.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          call.close();
        });
    far.start();
    return far;
  }
}
