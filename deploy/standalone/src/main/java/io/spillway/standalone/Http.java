package io.spillway.standalone;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** JSON over HTTP to one process on this machine. Any thread. */
public final class Http {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();
  private final URI base;
  private final Optional<String> token;

  Http(int port, Optional<String> token) {
    this.base = URI.create("http://127.0.0.1:" + port);
    this.token = token;
  }

  /** An answer. */
  public record Answer(int status, JsonNode body) {
    /** The body of a success. */
    public JsonNode ok() throws IOException {
      if (status / 100 != 2) {
        throw new IOException("status " + status + ": " + body);
      }
      return body;
    }
  }

  public Answer get(String path) throws IOException, InterruptedException {
    return send(request(path).GET());
  }

  public Answer post(String path, Object body, Map<String, String> headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        request(path)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)));
    headers.forEach(request::header);
    return send(request);
  }

  /** A call without a body. */
  public Answer post(String path) throws IOException, InterruptedException {
    return send(request(path).POST(HttpRequest.BodyPublishers.noBody()));
  }

  /** The lines of a stream of events; the caller closes it. */
  HttpResponse<java.io.InputStream> stream(String path, Optional<String> lastEventId)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = builder(path).header("Accept", "text/event-stream").GET();
    lastEventId.ifPresent(id -> request.header("Last-Event-ID", id));
    return client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
  }

  /**
   * A page that is no JSON: metrics.
   *
   * @throws IOException if the answer is not 200
   */
  public String text(String path) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        client.send(
            builder(path).timeout(TIMEOUT).header("Accept", "text/plain").GET().build(),
            HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException(path + " answered " + answer.statusCode() + ": " + answer.body());
    }
    return answer.body();
  }

  private HttpRequest.Builder request(String path) {
    return builder(path).timeout(TIMEOUT).header("Accept", "application/json");
  }

  private HttpRequest.Builder builder(String path) {
    HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(path));
    token.ifPresent(t -> request.header("Authorization", "Bearer " + t));
    return request;
  }

  private Answer send(HttpRequest.Builder request) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    return new Answer(answer.statusCode(), json(answer.body()));
  }

  /** What is no JSON becomes a text, so that a message about it can show it. */
  private static JsonNode json(String body) {
    try {
      return body.isBlank() ? JSON.createObjectNode() : JSON.readTree(body);
    } catch (JsonProcessingException e) {
      return JSON.getNodeFactory().textNode(body);
    }
  }
}
