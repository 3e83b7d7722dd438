package io.spillway.capacity.oci.transport;

import com.oracle.bmc.http.client.HttpRequest;
import com.oracle.bmc.http.client.HttpResponse;
import com.oracle.bmc.http.client.Method;
import com.oracle.bmc.http.client.RequestInterceptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** One request, filled by the SDK and its interceptors. Not thread-safe, like the SDK's own. */
final class JdkHttpRequest implements HttpRequest {
  /** The client writes these itself. */
  private static final Set<String> OWN = Set.of("host", "content-length", "connection", "expect");

  private final JdkHttpClient client;
  private final Method method;
  private final StringBuilder path;
  private final StringBuilder query = new StringBuilder();
  private final Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
  private final Map<String, Object> attributes = new HashMap<>();
  private Optional<String> body = Optional.empty();

  JdkHttpRequest(JdkHttpClient client, Method method, URI base) {
    this.client = client;
    this.method = method;
    String text = base.toString();
    this.path = new StringBuilder(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
  }

  @Override
  public Method method() {
    return method;
  }

  /** Written out at once: what is signed is the text that is sent. */
  @Override
  public HttpRequest body(Object value) {
    try {
      body =
          value == null || value instanceof String
              ? Optional.ofNullable((String) value)
              : Optional.of(client.serializer().writeValueAsString(value));
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public HttpRequest body(InputStream stream, long length) {
    throw new UnsupportedOperationException("nothing is streamed to Oracle");
  }

  @Override
  public Object body() {
    return body.orElse(null);
  }

  @Override
  public HttpRequest appendPathPart(String part) {
    String clean = part.startsWith("/") ? part.substring(1) : part;
    path.append('/').append(clean.endsWith("/") ? clean.substring(0, clean.length() - 1) : clean);
    return this;
  }

  @Override
  public HttpRequest query(String name, String value) {
    query.append(query.isEmpty() ? '?' : '&').append(name).append('=').append(value);
    return this;
  }

  @Override
  public URI uri() {
    return URI.create(path.toString() + query);
  }

  @Override
  public HttpRequest header(String name, String value) {
    headers.computeIfAbsent(name, n -> new ArrayList<>()).add(value);
    return this;
  }

  @Override
  public Map<String, List<String>> headers() {
    return headers;
  }

  @Override
  public Object attribute(String name) {
    return attributes.get(name);
  }

  @Override
  public HttpRequest removeAttribute(String name) {
    attributes.remove(name);
    return this;
  }

  @Override
  public HttpRequest attribute(String name, Object value) {
    attributes.put(name, value);
    return this;
  }

  @Override
  public HttpRequest offloadExecutor(Executor executor) {
    return this;
  }

  @Override
  public HttpRequest copy() {
    JdkHttpRequest copy = new JdkHttpRequest(client, method, URI.create(path.toString()));
    copy.query.append(query);
    headers.forEach((name, values) -> copy.headers.put(name, new ArrayList<>(values)));
    copy.attributes.putAll(attributes);
    copy.body = body;
    return copy;
  }

  @Override
  public void discard() {
    body = Optional.empty();
  }

  @Override
  public CompletionStage<HttpResponse> execute() {
    if (body.isPresent() && !headers.containsKey("content-type")) {
      header("content-type", "application/json");
    }
    for (RequestInterceptor interceptor : client.interceptors()) {
      interceptor.intercept(this);
    }
    BodyPublisher publisher =
        body.map(text -> BodyPublishers.ofString(text, StandardCharsets.UTF_8))
            .orElseGet(BodyPublishers::noBody);
    var request =
        java.net.http.HttpRequest.newBuilder(uri())
            .timeout(client.read())
            .method(method.name(), publisher);
    headers.forEach(
        (name, values) -> {
          if (!OWN.contains(name.toLowerCase(Locale.ROOT))) {
            values.forEach(value -> request.header(name, value));
          }
        });
    return client
        .http()
        .sendAsync(request.build(), BodyHandlers.ofByteArray())
        .thenApply(answer -> new JdkHttpResponse(answer, client.serializer()));
  }
}
