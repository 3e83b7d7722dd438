package io.spillway.capacity.aws;

import io.spillway.capacity.http.RetryAfter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.interceptor.SdkExecutionAttribute;

/**
 * What the SDK does not look at: it reads answers without end into memory, and takes any XML for an
 * empty answer. Here an answer of the 200s begins with its operation's element and has at most
 * {@link #MAX_BYTES}. Also keeps the time of the last answer by the service's clock.
 */
final class AnswerCheck implements ExecutionInterceptor {
  /** A page of 1,000 spot prices has 400 KB; one of 100 products with all their terms, 4 MB. */
  static final int MAX_BYTES = 16 << 20;

  private final AtomicReference<Optional<Heard>> heard = new AtomicReference<>(Optional.empty());

  /**
   * A {@code Date} header.
   *
   * @param at on the clock of {@link System#nanoTime}, when it came
   */
  record Heard(Instant date, long at) {}

  /** The {@code Date} of the last answer. */
  Optional<Heard> heard() {
    return heard.get();
  }

  @Override
  public Optional<Publisher<ByteBuffer>> modifyAsyncHttpResponseContent(
      Context.ModifyHttpResponse context, ExecutionAttributes attributes) {
    long at = System.nanoTime();
    heard.set(
        context
            .httpResponse()
            .firstMatchingHeader("Date")
            .flatMap(RetryAfter::date)
            .map(date -> new Heard(date, at)));
    String element =
        context.httpResponse().isSuccessful()
            ? "<" + attributes.getAttribute(SdkExecutionAttribute.OPERATION_NAME) + "Response"
            : "";
    return context
        .responsePublisher()
        .map(content -> checked -> content.subscribe(new Checked(checked, element)));
  }

  private static final class Checked implements Subscriber<ByteBuffer> {
    /** An XML declaration and the element stand well within. */
    private static final int HEAD = 512;

    private final Subscriber<? super ByteBuffer> reader;
    private final String element;
    private final StringBuilder head = new StringBuilder();
    private Optional<Subscription> source = Optional.empty();
    private long read;
    private boolean over;

    Checked(Subscriber<? super ByteBuffer> reader, String element) {
      this.reader = reader;
      this.element = element;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      source = Optional.of(subscription);
      reader.onSubscribe(subscription);
    }

    @Override
    public void onNext(ByteBuffer content) {
      if (over) {
        return;
      }
      if (head.length() < HEAD) {
        head.append(StandardCharsets.ISO_8859_1.decode(content.duplicate()));
      }
      read += content.remaining();
      if (read > MAX_BYTES) {
        end("the answer is longer than " + MAX_BYTES + " bytes");
      } else {
        reader.onNext(content);
      }
    }

    @Override
    public void onError(Throwable failure) {
      if (!over) {
        over = true;
        reader.onError(failure);
      }
    }

    @Override
    public void onComplete() {
      if (over) {
        return;
      }
      if (head.indexOf(element) < 0) {
        end("the answer is not one of EC2");
        return;
      }
      over = true;
      reader.onComplete();
    }

    private void end(String why) {
      over = true;
      source.ifPresent(Subscription::cancel);
      reader.onError(SdkClientException.create(why));
    }
  }
}
