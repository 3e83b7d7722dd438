package io.spillway.capacity.oci.transport;

import com.oracle.bmc.http.client.ClientProperty;
import com.oracle.bmc.http.client.HttpClient;
import com.oracle.bmc.http.client.HttpClientBuilder;
import com.oracle.bmc.http.client.RequestInterceptor;
import com.oracle.bmc.http.client.Serializer;
import com.oracle.bmc.http.client.StandardClientProperties;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import javax.net.ssl.SSLContext;

/** Gathers what a client needs; properties that a token's fetch does not need are left alone. */
final class JdkHttpClientBuilder implements HttpClientBuilder {
  private static final Duration READ = Duration.ofSeconds(10);

  private final Serializer serializer;
  private final List<Interceptor> interceptors = new ArrayList<>();
  private final java.net.http.HttpClient.Builder http =
      java.net.http.HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5));
  private URI base = URI.create("");
  private Duration read = READ;

  JdkHttpClientBuilder(Serializer serializer) {
    this.serializer = serializer;
  }

  private record Interceptor(int priority, RequestInterceptor interceptor) {}

  @Override
  public HttpClientBuilder baseUri(URI uri) {
    base = uri;
    return this;
  }

  @Override
  public HttpClientBuilder baseUri(String uri) {
    return baseUri(URI.create(uri));
  }

  @Override
  public <T> HttpClientBuilder property(ClientProperty<T> key, T value) {
    if (key.equals(StandardClientProperties.READ_TIMEOUT)
        && value instanceof Duration time
        && time.isPositive()
        && time.compareTo(READ) < 0) {
      read = time;
    }
    // Workload identities trust the certificate authority of their cluster.
    if (key.equals(StandardClientProperties.SSL_CONTEXT) && value instanceof SSLContext context) {
      http.sslContext(context);
    }
    return this;
  }

  @Override
  public HttpClientBuilder registerRequestInterceptor(
      int priority, RequestInterceptor interceptor) {
    interceptors.add(new Interceptor(priority, interceptor));
    return this;
  }

  @Override
  public HttpClient build() {
    return new JdkHttpClient(
        http.build(),
        base,
        read,
        interceptors.stream()
            .sorted(Comparator.comparingInt(Interceptor::priority))
            .map(Interceptor::interceptor)
            .toList(),
        serializer);
  }
}
