package io.spillway.capacity.http;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** Takes a body up to a size and hangs up on a longer one, whatever its headers said. */
final class BoundedBody implements BodySubscriber<byte[]> {
  private final int limit;
  private final CompletableFuture<byte[]> body = new CompletableFuture<>();
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private Flow.Subscription source;

  private BoundedBody(int limit) {
    this.limit = limit;
  }

  static BodyHandler<byte[]> of(int limit) {
    return head -> {
      BoundedBody subscriber = new BoundedBody(limit);
      if (head.headers().firstValueAsLong("Content-Length").orElse(0) > limit) {
        subscriber.refuse();
      }
      return subscriber;
    };
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return body;
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    source = subscription;
    if (body.isDone()) {
      source.cancel();
    } else {
      source.request(Long.MAX_VALUE);
    }
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    for (ByteBuffer buffer : buffers) {
      if (body.isDone()) {
        return;
      }
      if (bytes.size() + (long) buffer.remaining() > limit) {
        source.cancel();
        refuse();
        return;
      }
      byte[] chunk = new byte[buffer.remaining()];
      buffer.get(chunk);
      bytes.writeBytes(chunk);
    }
  }

  private void refuse() {
    body.completeExceptionally(
        new MalformedException("the answer is longer than " + limit + " bytes"));
  }

  @Override
  public void onError(Throwable failure) {
    body.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    body.complete(bytes.toByteArray());
  }
}
