package io.spillway.verify.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The API of a cluster as one user sees it, with nothing between: what is asked is what is sent, so
 * that a fault of the agent's client library cannot hide behind itself. Thread-safe.
 */
public final class KubeApi {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final HttpClient client;
  private final URI server;
  private final String token;
  private final Map<String, Resource> resources = new ConcurrentHashMap<>();

  KubeApi(HttpClient client, URI server, String token) {
    this.client = client;
    this.server = server;
    this.token = token;
  }

  /** An answer, whatever its status is. */
  public record Answer(int status, JsonNode body) {
    public boolean ok() {
      return status / 100 == 2;
    }

    /**
     * @throws AssertionError unless it is a good one
     */
    public JsonNode orFail() {
      if (!ok()) {
        throw new AssertionError(status + ": " + message());
      }
      return body;
    }

    public String message() {
      return body.path("message").asText(body.toString());
    }
  }

  private record Resource(String plural, boolean namespaced) {}

  public Answer get(String path) throws IOException, InterruptedException {
    return send("GET", path, "application/json", "");
  }

  public List<JsonNode> list(String path) throws IOException, InterruptedException {
    return StreamSupport.stream(get(path).orFail().path("items").spliterator(), false).toList();
  }

  public Answer post(String path, JsonNode body) throws IOException, InterruptedException {
    return send("POST", path, "application/json", body.toString());
  }

  public Answer put(String path, JsonNode body) throws IOException, InterruptedException {
    return send("PUT", path, "application/json", body.toString());
  }

  public Answer merge(String path, JsonNode patch) throws IOException, InterruptedException {
    return send("PATCH", path, "application/merge-patch+json", patch.toString());
  }

  /** Lists of Kubernetes are merged by their keys. */
  public Answer strategicMerge(String path, JsonNode patch)
      throws IOException, InterruptedException {
    return send("PATCH", path, "application/strategic-merge-patch+json", patch.toString());
  }

  public Answer delete(String path) throws IOException, InterruptedException {
    return send("DELETE", path, "application/json", "");
  }

  public Answer delete(String path, JsonNode options) throws IOException, InterruptedException {
    return send("DELETE", path, "application/json", options.toString());
  }

  /** Applies by server-side apply; fields that the schema does not know are errors. */
  public Answer apply(JsonNode object) throws IOException, InterruptedException {
    return apply(object, "");
  }

  /** As {@link #apply}, through all checks of the server, but nothing is kept. */
  public Answer dryRun(JsonNode object) throws IOException, InterruptedException {
    return apply(object, "&dryRun=All");
  }

  private Answer apply(JsonNode object, String more) throws IOException, InterruptedException {
    String query = "?fieldManager=verify&force=true&fieldValidation=Strict" + more;
    return send("PATCH", path(object) + query, "application/apply-patch+yaml", object.toString());
  }

  /** Whether the server serves its kind. */
  boolean knows(JsonNode object) throws IOException, InterruptedException {
    return resource(object).isPresent();
  }

  /** The path of an object, from what the server says of its kind. */
  public String path(JsonNode object) throws IOException, InterruptedException {
    Resource resource =
        resource(object)
            .orElseThrow(() -> new AssertionError("the server knows no such kind: " + object));
    JsonNode metadata = object.path("metadata");
    String namespace =
        resource.namespaced ? "/namespaces/" + metadata.path("namespace").asText("default") : "";
    return root(object) + namespace + '/' + resource.plural + '/' + metadata.path("name").asText();
  }

  private static String root(JsonNode object) {
    String version = object.path("apiVersion").asText();
    return (version.contains("/") ? "/apis/" : "/api/") + version;
  }

  private Optional<Resource> resource(JsonNode object) throws IOException, InterruptedException {
    String key = root(object) + ' ' + object.path("kind").asText();
    if (!resources.containsKey(key)) {
      discover(root(object));
    }
    return Optional.ofNullable(resources.get(key));
  }

  private void discover(String root) throws IOException, InterruptedException {
    for (JsonNode found : get(root).body().path("resources")) {
      if (!found.path("name").asText().contains("/")) {
        resources.put(
            root + ' ' + found.path("kind").asText(),
            new Resource(found.path("name").asText(), found.path("namespaced").asBoolean()));
      }
    }
  }

  /** Page by page, so that a large cluster need not fit in memory; answers the metadata. */
  private JsonNode pages(String path, Consumer<JsonNode> events)
      throws IOException, InterruptedException {
    String next = "";
    JsonNode metadata;
    do {
      JsonNode page = get(path + next).orFail();
      for (JsonNode item : page.path("items")) {
        events.accept(event("LISTED", item));
      }
      metadata = page.path("metadata");
      next = "&continue=" + metadata.path("continue").asText();
    } while (metadata.hasNonNull("continue"));
    return metadata;
  }

  /**
   * Lists, then follows all changes until it is closed or interrupted; lists again whenever the
   * stream ends. A list comes as events of type LISTED, then one SYNCED.
   */
  void follow(String path, Consumer<JsonNode> events, CountDownLatch closing)
      throws InterruptedException {
    while (closing.getCount() > 0 && !Thread.currentThread().isInterrupted()) {
      try {
        char and = path.contains("?") ? '&' : '?';
        JsonNode listed = pages(path + and + "limit=500", events);
        events.accept(event("SYNCED", listed));
        String from = listed.path("resourceVersion").asText();
        HttpRequest request =
            request(path + and + "watch=1&allowWatchBookmarks=true&resourceVersion=" + from)
                .build();
        try (Stream<String> lines = client.send(request, BodyHandlers.ofLines()).body()) {
          for (Iterator<String> each = lines.iterator(); each.hasNext(); ) {
            events.accept(JSON.readTree(each.next()));
          }
        }
      } catch (IOException | java.io.UncheckedIOException | AssertionError e) {
        if (closing.await(
            200, TimeUnit.MILLISECONDS)) { // the server is away: that is what is tested
          return;
        }
      }
    }
  }

  private static JsonNode event(String type, JsonNode object) {
    return JsonNodeFactory.instance.objectNode().put("type", type).set("object", object);
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(server.resolve(path)).header("Authorization", "Bearer " + token);
  }

  private Answer send(String method, String path, String type, String body)
      throws IOException, InterruptedException {
    HttpResponse<String> response =
        client.send(
            request(path)
                .timeout(PATIENCE)
                .header("Content-Type", type)
                .header("Accept", "application/json")
                .method(
                    method,
                    body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString());
    String text = response.body();
    boolean json = text.startsWith("{") || text.startsWith("[");
    return new Answer(
        response.statusCode(),
        json ? JSON.readTree(text) : JsonNodeFactory.instance.textNode(text));
  }
}
