package io.spillway.agent.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.spillway.agent.world.VirtualTimeline;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class ReflectorTest {
  private static final String NO_PODS =
      "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"7\"},\"items\":[]}";

  /**
   * Answers lists, the first of them by a refusal; takes the connections of watches and forgets
   * them.
   */
  private static final class Forgetful implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
    private final List<String> lists = new CopyOnWriteArrayList<>();
    private final List<Socket> watches = new CopyOnWriteArrayList<>();
    private final int forbidden;

    Forgetful(int forbidden) throws IOException {
      this.forbidden = forbidden;
      Thread.ofVirtual().start(this::accept);
    }

    private void accept() {
      while (!listener.isClosed()) {
        try {
          Socket caller = listener.accept();
          Thread.ofVirtual().start(() -> serve(caller));
        } catch (IOException closed) {
          return;
        }
      }
    }

    private void serve(Socket caller) {
      try {
        BufferedReader in =
            new BufferedReader(
                new InputStreamReader(caller.getInputStream(), StandardCharsets.US_ASCII));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
          boolean watch = line.contains("watch=true");
          String asked = line;
          while (!line.isEmpty()) {
            line = in.readLine();
          }
          if (watch) {
            watches.add(caller);
            return;
          }
          lists.add(asked);
          String status = lists.size() > forbidden ? "200 OK" : "403 Forbidden";
          String answer =
              "HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                  .formatted(status, NO_PODS.length(), NO_PODS);
          caller.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
          caller.getOutputStream().flush();
        }
      } catch (IOException gone) {
        // The client has what it wanted.
      }
    }

    @Override
    public void close() throws IOException {
      listener.close();
      for (Socket watch : watches) {
        watch.close();
      }
    }
  }

  @Test
  void a_watch_that_is_taken_and_never_answered_is_given_up_and_all_is_listed_anew()
      throws IOException {
    VirtualTimeline time = new VirtualTimeline();
    try (Forgetful server = new Forgetful(0);
        KubernetesClient client = client(server.listener.getLocalPort())) {
      Reflector<Pod, String> pods = pods(time, client);
      pods.start();
      time.until("it is watched", () -> server.watches.size() == 1);

      time.advance(Duration.ofSeconds(29));
      assertThat(server.lists).as("it is waited for").hasSize(1);
      time.advance(Duration.ofSeconds(4));
      time.until("it is watched again", () -> server.watches.size() == 2);
      assertThat(server.lists).hasSize(2);
      pods.close();
    }
  }

  @Test
  void a_server_that_forbids_all_while_it_starts_is_asked_again_within_seconds()
      throws IOException {
    VirtualTimeline time = new VirtualTimeline();
    try (Forgetful server = new Forgetful(3);
        KubernetesClient client = client(server.listener.getLocalPort())) {
      Reflector<Pod, String> pods = pods(time, client);
      pods.start();
      for (int tries = 1; tries <= 3; tries++) {
        int asked = tries;
        time.until("it is asked", () -> server.lists.size() >= asked);
        time.idle(Duration.ofMillis(100));
        time.advance(Duration.ofSeconds(2));
      }
      time.until("it is watched", () -> server.watches.size() == 1);
      pods.close();
    }
  }

  private static Reflector<Pod, String> pods(VirtualTimeline time, KubernetesClient client) {
    return new Reflector<>(
        "pods",
        time,
        () -> client.pods().inAnyNamespace(),
        pod -> Optional.of(pod.getMetadata().getName()),
        new Nobody());
  }

  private static KubernetesClient client(int port) {
    return new KubernetesClientBuilder()
        .withConfig(
            new ConfigBuilder()
                .withAutoConfigure(false)
                .withMasterUrl("http://127.0.0.1:" + port)
                .withRequestTimeout(8_000)
                .withRequestRetryBackoffLimit(0)
                .build())
        .withHttpClientFactory(new JdkHttpClientFactory())
        .build();
  }

  /** Hears, and does nothing. */
  private static final class Nobody implements Reflector.Sink<String> {
    @Override
    public void all(List<String> facts) {}

    @Override
    public void seen(String fact) {}

    @Override
    public void gone(String last) {}
  }
}
