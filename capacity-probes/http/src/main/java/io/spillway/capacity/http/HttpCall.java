package io.spillway.capacity.http;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * One call to make. Immutable.
 *
 * @param method an HTTP method; a probe only reads, whatever its method
 * @param path from the endpoint on, beginning with a slash, percent-encoded
 * @param query parameters, sorted by name; encoded when sent
 * @param headers beside those that the client adds
 * @param body JSON, form or query text
 */
public record HttpCall(
    String method,
    String path,
    Map<String, String> query,
    Map<String, String> headers,
    Optional<String> body) {

  public HttpCall {
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException("a path begins with a slash: " + path);
    }
    query = java.util.Collections.unmodifiableMap(new TreeMap<>(query));
    headers = Map.copyOf(headers);
  }

  /** A GET without parameters. */
  public static HttpCall get(String path) {
    return new HttpCall("GET", path, Map.of(), Map.of(), Optional.empty());
  }

  /** A POST of JSON, for interfaces that search or query that way. */
  public static HttpCall post(String path, String json) {
    return new HttpCall(
        "POST", path, Map.of(), Map.of("Content-Type", "application/json"), Optional.of(json));
  }

  /** The same with one query parameter more, or another value of it. */
  public HttpCall with(String parameter, String value) {
    Map<String, String> more = new TreeMap<>(query);
    more.put(parameter, value);
    return new HttpCall(method, path, more, headers, body);
  }

  /** The same with one header more, or another value of it. */
  public HttpCall header(String name, String value) {
    Map<String, String> more = new TreeMap<>(headers);
    more.put(name, value);
    return new HttpCall(method, path, query, more, body);
  }

  /** The query as it is sent and signed: sorted by name, percent-encoded. */
  public String canonicalQuery() {
    return query.entrySet().stream()
        .map(entry -> encode(entry.getKey()) + '=' + encode(entry.getValue()))
        .collect(Collectors.joining("&"));
  }

  /** For a segment of a path or a parameter: RFC 3986's unreserved characters stay. */
  public static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8)
        .replace("+", "%20")
        .replace("%7E", "~")
        .replace("*", "%2A");
  }

  /** What it is called in warnings; without parameters, which may hold keys. */
  public String label() {
    return method + ' ' + path;
  }

  HttpRequest.Builder request(URI endpoint) {
    String base = endpoint.toString();
    String root = base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
    String asked = canonicalQuery();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(root + path + (asked.isEmpty() ? "" : '?' + asked)));
    headers.forEach(request::setHeader);
    return request.method(
        method,
        body.map(HttpRequest.BodyPublishers::ofString)
            .orElseGet(HttpRequest.BodyPublishers::noBody));
  }

  /** Puts the account's credentials on a call. Must be quick; any thread. */
  @FunctionalInterface
  public interface Signer {
    /** Calls that need no credentials. */
    Signer NONE = (call, providersTime) -> call;

    /**
     * @param providersTime the present time by the provider's clock, as far as it is known
     */
    HttpCall sign(HttpCall call, Instant providersTime);

    /**
     * Whether the signature holds the time. Then a call that is refused because our clock was wrong
     * is signed and made once more, by the clock that the refusal told.
     */
    default boolean timed() {
      return false;
    }

    /** {@code Authorization: Bearer …}. */
    static Signer bearer(String token) {
      return (call, providersTime) -> call.header("Authorization", "Bearer " + token);
    }
  }
}
