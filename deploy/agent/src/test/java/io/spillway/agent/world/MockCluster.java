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
import java.util.HashMap;
import java.util.List;
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

  /** What was applied and deleted, {@code PATCH path}, in order. */
  public List<String> writes() {
    return dispatcher.writes;
  }

  @Override
  public void close() {
    server.destroy();
  }

  private static final class Dispatcher extends KubernetesCrudDispatcher {
    private final List<String> writes = new CopyOnWriteArrayList<>();
    private volatile boolean away;
    private volatile String refusedPart = "";
    private volatile int refusedCode;

    @Override
    public MockResponse dispatch(RecordedRequest request) {
      if (away) {
        return new MockResponse().setResponseCode(503);
      }
      if (request.getPath().equals("/apis")) {
        return new MockResponse().setResponseCode(200).setBody(GROUPS);
      }
      if (request.getPath().equals("/version")) {
        return new MockResponse().setResponseCode(200).setBody("{\"gitVersion\": \"v1.34.0\"}");
      }
      if (request.method() == HttpMethod.PATCH || request.method() == HttpMethod.DELETE) {
        writes.add(request.getMethod() + " " + request.getPath().replaceAll("\\?.*", ""));
      }
      return super.dispatch(request);
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
}
