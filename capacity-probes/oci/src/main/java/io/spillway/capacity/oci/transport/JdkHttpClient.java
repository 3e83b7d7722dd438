package io.spillway.capacity.oci.transport;

import com.oracle.bmc.http.client.HttpClient;
import com.oracle.bmc.http.client.HttpRequest;
import com.oracle.bmc.http.client.Method;
import com.oracle.bmc.http.client.RequestInterceptor;
import com.oracle.bmc.http.client.Serializer;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/** One client of the SDK. */
final class JdkHttpClient implements HttpClient {
  private final java.net.http.HttpClient http;
  private final Duration read;
  private final List<RequestInterceptor> interceptors;
  private final Serializer serializer;
  private volatile URI base;

  JdkHttpClient(
      java.net.http.HttpClient http,
      URI base,
      Duration read,
      List<RequestInterceptor> interceptors,
      Serializer serializer) {
    this.http = http;
    this.base = base;
    this.read = read;
    this.interceptors = interceptors;
    this.serializer = serializer;
  }

  @Override
  public HttpRequest createRequest(Method method) {
    return new JdkHttpRequest(this, method, base);
  }

  @Override
  public boolean isProcessingException(Exception failure) {
    return failure instanceof IOException;
  }

  @Override
  public void updateEndpoint(String endpoint) {
    base = URI.create(endpoint);
  }

  java.net.http.HttpClient http() {
    return http;
  }

  Duration read() {
    return read;
  }

  List<RequestInterceptor> interceptors() {
    return interceptors;
  }

  Serializer serializer() {
    return serializer;
  }

  @Override
  public void close() {
    http.close();
  }
}
