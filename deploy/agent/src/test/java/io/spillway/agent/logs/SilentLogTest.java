package io.spillway.agent.logs;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodListBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.spillway.agent.world.Members;
import io.spillway.agent.world.VirtualTimeline;
import io.spillway.protocol.v1.LogChunk;
import io.spillway.protocol.v1.LogRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A container that writes one line and is silent from then on, behind a real HTTP server. */
class SilentLogTest {
  private static final String ATTEMPT = "01JD0000000000000000000001-1";
  private static final Pod POD =
      Members.running("train-0", "spillway-research", ATTEMPT, 0, "node-a").build();
  private static final KubernetesSerialization JSON = new KubernetesSerialization();

  private final VirtualTimeline time = new VirtualTimeline();
  private final List<LogChunk> told = new ArrayList<>();
  private final CountDownLatch over = new CountDownLatch(1);
  private HttpServer server;
  private KubernetesClient client;
  private Logs logs;

  @BeforeEach
  void begin() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    server.start();
    client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder(Config.empty())
                    .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort() + "/")
                    .build())
            .withHttpClientFactory(new JdkHttpClientFactory())
            .build();
    logs = new Logs(time, client, "eks-ohio", message -> told.add(message.build().getLogChunk()));
  }

  @AfterEach
  void end() {
    over.countDown();
    client.close();
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    if (path.endsWith("/log")) {
      exchange.sendResponseHeaders(200, 0);
      exchange.getResponseBody().write("step 1\n".getBytes(StandardCharsets.UTF_8));
      exchange.getResponseBody().flush();
      try {
        over.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    } else {
      byte[] body =
          JSON.asJson(
                  path.endsWith("/pods")
                      ? new PodListBuilder().withItems(POD).withNewMetadata().endMetadata().build()
                      : POD)
              .getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().add("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
    exchange.close();
  }

  private void follows(long request) {
    logs.read(
        LogRequest.newBuilder().setRequest(request).setAttempt(ATTEMPT).setFollow(true).build());
  }

  private List<String> ends(long request) {
    return told.stream()
        .filter(chunk -> chunk.getRequest() == request && chunk.getLast())
        .map(LogChunk::getError)
        .toList();
  }

  private boolean began(long request) {
    return told.stream().anyMatch(c -> c.getRequest() == request && !c.getData().isEmpty());
  }

  @Test
  void logs_that_nobody_writes_give_their_places_back_after_an_hour() {
    for (long request = 1; request <= 16; request++) {
      follows(request);
    }
    time.until("all are read", () -> LongStream.rangeClosed(1, 16).allMatch(this::began));
    follows(17);
    time.until("no place is left", () -> !ends(17).isEmpty());
    assertThat(ends(17).getFirst()).contains("too many logs");

    time.advance(Duration.ofMinutes(61));
    time.until("the first is given up", () -> !ends(1).isEmpty());
    assertThat(ends(1)).containsExactly("given up");
    time.until("all are", () -> told.stream().filter(LogChunk::getLast).count() == 17);
    follows(18);
    time.until("another is read", () -> began(18));
  }
}
