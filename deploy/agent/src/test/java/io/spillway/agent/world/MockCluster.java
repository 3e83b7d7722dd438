package io.spillway.agent.world;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.fabric8.mockwebserver.dsl.HttpMethod;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import io.fabric8.mockwebserver.http.Response;
import io.fabric8.mockwebserver.http.WebSocket;
import io.fabric8.mockwebserver.http.WebSocketListener;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * fabric8's server that keeps objects, with what the agent needs besides: server-side apply
 * (without its merging: what is applied here is new), discovery, and an outage.
 */
public final class MockCluster implements AutoCloseable {
  private static final String GROUPS =
      """
      {"kind": "APIGroupList", "apiVersion": "v1", "groups": [
        {"name": "batch", "versions": [{"groupVersion": "batch/v1", "version": "v1"}],
         "preferredVersion": {"groupVersion": "batch/v1", "version": "v1"}},
        {"name": "kubeflow.org", "versions": [{"groupVersion": "kubeflow.org/v2beta1", "version": "v2beta1"}],
         "preferredVersion": {"groupVersion": "kubeflow.org/v2beta1", "version": "v2beta1"}}]}
      """;

  // Kept: loggers are forgotten, with their levels, when nobody does.
  private static final Logger REQUESTS = Logger.getLogger("io.fabric8");

  private static final Logger AGENT = Logger.getLogger("io.spillway.agent");

  static {
    REQUESTS.setLevel(Level.SEVERE);
    AGENT.setLevel(Level.SEVERE);
  }

  private final Dispatcher dispatcher = new Dispatcher();
  private final KubernetesMockServer server =
      new KubernetesMockServer(
          new Context(), new MockWebServer(), new HashMap<>(), dispatcher, false);

  public MockCluster() {
    server.init();
  }

  public KubernetesClient client() {
    return server.createClient(new JdkHttpClientFactory());
  }

  /** Every call fails from now on, or works again. */
  public void away(boolean away) {
    dispatcher.away = away;
  }

  /** Applies that begin so are answered with that. */
  public void refuses(String pathPart, int code) {
    dispatcher.refusedPart = pathPart;
    dispatcher.refusedCode = code;
  }

  /** Deletions are refused for now. */
  public void keeps(boolean keeps) {
    dispatcher.keeps = keeps;
  }

  /** All watches end with 410, as after a long pause. */
  public void expiresWatches() {
    dispatcher.expireWatches();
  }

  /** The connections of all watches that are open die: neither side is told. */
  public void deafens() {
    Watched.deaf.addAll(dispatcher.watches);
  }

  /** What the pod's container wrote. */
  public void log(String pod, String text) {
    dispatcher.logs.put(pod, text);
  }

  /** What was applied and deleted, {@code PATCH path}, in order. */
  public List<String> writes() {
    return dispatcher.writes;
  }

  /** What was asked to be deleted, {@code path options}, in order. */
  public List<String> deletions() {
    return dispatcher.deletions;
  }

  @Override
  public void close() {
    server.destroy();
  }

  private static final class Dispatcher extends KubernetesCrudDispatcher {
    private final List<String> writes = new CopyOnWriteArrayList<>();
    private final List<String> deletions = new CopyOnWriteArrayList<>();
    private final Map<String, String> logs = new ConcurrentHashMap<>();
    private final List<WebSocket> watches = new CopyOnWriteArrayList<>();
    private volatile boolean away;
    private volatile boolean keeps;
    private volatile String refusedPart = "";
    private volatile int refusedCode;

    @Override
    public MockResponse dispatch(RecordedRequest asked) {
      RecordedRequest request = withoutReasons(asked);
      if (away) {
        return new MockResponse().setResponseCode(503);
      }
      if (request.getPath().equals("/apis")) {
        return new MockResponse().setResponseCode(200).setBody(GROUPS);
      }
      if (request.getPath().equals("/version")) {
        return new MockResponse().setResponseCode(200).setBody("{\"gitVersion\": \"v1.34.0\"}");
      }
      if (request.getPath().contains("/log?")) {
        String[] parts = request.getPath().split("/");
        return new MockResponse()
            .setResponseCode(200)
            .setBody(logs.getOrDefault(parts[parts.length - 2], ""));
      }
      if (keeps && request.method() == HttpMethod.DELETE) {
        return new MockResponse().setResponseCode(503);
      }
      if (request.method() == HttpMethod.DELETE) {
        deletions.add(request.getPath() + " " + request.getUtf8Body());
      }
      if (request.method() == HttpMethod.PATCH || request.method() == HttpMethod.DELETE) {
        writes.add(request.getMethod() + " " + request.getPath().replaceAll("\\?.*", ""));
      }
      return super.dispatch(request);
    }

    /** It selects by names only, and would find nothing. */
    private static RecordedRequest withoutReasons(RecordedRequest request) {
      String path = request.getPath().replaceAll("fieldSelector=reason[^&]*&?", "");
      return path.equals(request.getPath())
          ? request
          : new RecordedRequest(
              "HTTP/1.1", request.method(), path, request.getHeaders(), request.getBody());
    }

    @Override
    public MockResponse handleWatch(String path) {
      MockResponse response = super.handleWatch(path);
      WebSocketListener inner = response.getWebSocketListener();
      return new MockResponse().withWebSocketUpgrade(new Watched(inner, watches));
    }

    void expireWatches() {
      for (WebSocket watch : watches) {
        watch.send(
            "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"code\":410,"
                + "\"reason\":\"Expired\",\"message\":\"too old resource version\"}}");
      }
      watches.clear();
    }

    @Override
    public MockResponse handlePatch(RecordedRequest request) {
      String type = String.valueOf(request.getHeader("Content-Type"));
      if (!type.contains("apply-patch")) {
        return super.handlePatch(request);
      }
      String path = request.getPath().replaceAll("\\?.*", "");
      if (!refusedPart.isEmpty() && path.contains(refusedPart)) {
        return new MockResponse()
            .setResponseCode(refusedCode)
            .setBody(
                "{\"kind\":\"Status\",\"code\":"
                    + refusedCode
                    + ",\"message\":\"violates PodSecurity\"}");
      }
      return handleCreate(
          new RecordedRequest(
              "HTTP/1.1",
              HttpMethod.POST,
              path.substring(0, path.lastIndexOf('/')),
              request.getHeaders(),
              request.getBody()));
    }
  }

  /** Passes everything on, and is there to be ended. */
  private static final class Watched extends WebSocketListener {
    private final WebSocketListener inner;
    private final List<WebSocket> open;

    Watched(WebSocketListener inner, List<WebSocket> open) {
      this.inner = inner;
      this.open = open;
    }

    private static final Set<WebSocket> deaf = ConcurrentHashMap.newKeySet();

    @Override
    public void onOpen(WebSocket socket, Response response) {
      open.add(socket);
      inner.onOpen(mortal(socket), response);
    }

    /** Passes on what is sent until its connection has died. */
    private static WebSocket mortal(WebSocket socket) {
      return (WebSocket)
          Proxy.newProxyInstance(
              WebSocket.class.getClassLoader(),
              new Class<?>[] {WebSocket.class},
              (proxy, method, words) -> {
                if (method.getName().equals("send") && deaf.contains(socket)) {
                  return true;
                }
                return switch (method.getName()) {
                  case "equals" -> proxy == words[0];
                  case "hashCode" -> System.identityHashCode(proxy);
                  default -> method.invoke(socket, words);
                };
              });
    }

    @Override
    public void onClosed(WebSocket socket, int code, String reason) {
      open.remove(socket);
      inner.onClosed(socket, code, reason);
    }

    @Override
    public void onFailure(WebSocket socket, Throwable why, Response response) {
      open.remove(socket);
      inner.onFailure(socket, why, response);
    }

    @Override
    public void onClosing(WebSocket socket, int code, String reason) {
      inner.onClosing(socket, code, reason);
    }
  }
}
