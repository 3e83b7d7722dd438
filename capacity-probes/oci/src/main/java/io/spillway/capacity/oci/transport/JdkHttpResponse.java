package io.spillway.capacity.oci.transport;

import com.oracle.bmc.http.client.HttpResponse;
import com.oracle.bmc.http.client.Serializer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** An answer, whole in memory: tokens and certificates are small. */
final class JdkHttpResponse implements HttpResponse {
  private final java.net.http.HttpResponse<byte[]> answer;
  private final Serializer serializer;

  JdkHttpResponse(java.net.http.HttpResponse<byte[]> answer, Serializer serializer) {
    this.answer = answer;
    this.serializer = serializer;
  }

  @Override
  public int status() {
    return answer.statusCode();
  }

  @Override
  public Map<String, List<String>> headers() {
    return answer.headers().map();
  }

  @Override
  public CompletionStage<InputStream> streamBody() {
    return CompletableFuture.completedFuture(new ByteArrayInputStream(answer.body()));
  }

  @Override
  public <T> CompletionStage<T> body(Class<T> type) {
    if (type == String.class) {
      return textBody().thenApply(type::cast);
    }
    try {
      return CompletableFuture.completedFuture(serializer.readValue(answer.body(), type));
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  @SuppressWarnings("unchecked") // The class of an array of T is one of T[].
  public <T> CompletionStage<List<T>> listBody(Class<T> type) {
    return body((Class<T[]>) type.arrayType()).thenApply(Arrays::asList);
  }

  @Override
  public CompletionStage<String> textBody() {
    return CompletableFuture.completedFuture(new String(answer.body(), StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    // Nothing is open.
  }
}
