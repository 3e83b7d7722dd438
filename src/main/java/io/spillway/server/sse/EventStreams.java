package io.spillway.server.sse;

import io.smallrye.mutiny.Multi;
import io.spillway.server.problem.ProblemMapping;
import io.spillway.server.problem.ProblemType;
import io.spillway.server.problem.Refused;
import io.spillway.server.problem.RetryLater;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.sse.OutboundSseEvent;
import jakarta.ws.rs.sse.Sse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;

/** Opens server-sent event streams over the journal. */
@ApplicationScoped
public class EventStreams {
  private static final Duration RETRY = Duration.ofSeconds(5);

  private final StreamConfig config;
  private final JournalPages pages;
  private final LiveFeed live;
  private final AtomicInteger open = new AtomicInteger();

  EventStreams(StreamConfig config, JournalPages pages, LiveFeed live) {
    this.config = config;
    this.pages = pages;
    this.live = live;
  }

  /**
   * What to stream.
   *
   * @param contains a text that a row's events must hold; empty = any row
   * @param body what is sent of an item, as JSON; empty = nothing
   */
  public record Request(
      FeedPosition after,
      Optional<String> contains,
      Predicate<FeedItem> wanted,
      Function<FeedItem, Optional<Object>> body) {}

  /** How many streams are open in this process. */
  public int open() {
    return open.get();
  }

  /** A place among the open streams, to be given back once. */
  public final class Place {
    private final AtomicBoolean taken = new AtomicBoolean(true);

    private Place() {}

    private void giveBack() {
      if (taken.compareAndSet(true, false)) {
        open.decrementAndGet();
      }
    }
  }

  /**
   * To be called before the answer is begun, while it can still be another; then {@link #within}.
   *
   * @throws RetryLater when too many streams are open
   */
  public Place take() {
    if (open.incrementAndGet() > config.max()) {
      open.decrementAndGet();
      throw new RetryLater(
          ProblemType.TOO_MANY_STREAMS, "at most " + config.max() + " at once", RETRY);
    }
    return new Place();
  }

  /** Keeps the place until the stream has ended. */
  public static <T> Multi<T> within(Place place, Multi<T> stream) {
    return stream.onTermination().invoke(place::giveBack);
  }

  /** History after the position, then the present, until the client leaves. */
  public Multi<OutboundSseEvent> stream(Sse sse, Request request) {
    Multi<OutboundSseEvent> items =
        follow(request).onItem().transformToMultiAndConcatenate(item -> event(sse, request, item));
    Multi<OutboundSseEvent> beats =
        Multi.createBy()
            .concatenating()
            .streams(
                Multi.createFrom().item(0L),
                Multi.createFrom().ticks().every(config.heartbeat()).onOverflow().drop())
            .map(tick -> sse.newEventBuilder().comment("heartbeat").build());
    return Multi.createBy().merging().streams(items, beats);
  }

  /**
   * A refusal found after the answer was begun becomes its only event, named {@code problem}.
   *
   * @param instance the path that was called
   */
  public static Multi<OutboundSseEvent> orProblem(
      Multi<OutboundSseEvent> events, Sse sse, String instance) {
    return events
        .onFailure(failure -> failure instanceof Refused || failure instanceof RetryLater)
        .recoverWithItem(
            failure ->
                sse.newEventBuilder()
                    .name("problem")
                    .mediaType(MediaType.APPLICATION_JSON_TYPE)
                    .data(ProblemMapping.answer(failure, instance).problem())
                    .build());
  }

  private Multi<FeedItem> follow(Request request) {
    return Multi.createFrom()
        .emitter(
            out -> {
              Follower follower =
                  new Follower(out, pages, request.after(), request.contains(), request.wanted());
              live.add(follower);
              out.onTermination(() -> live.remove(follower));
              follower.begin();
            },
            config.buffer());
  }

  private static Multi<OutboundSseEvent> event(Sse sse, Request request, FeedItem item) {
    return request
        .body()
        .apply(item)
        .map(
            body ->
                Multi.createFrom()
                    .item(
                        sse.newEventBuilder()
                            .id(item.position().toString())
                            .name(item.type())
                            .mediaType(MediaType.APPLICATION_JSON_TYPE)
                            .data(body)
                            .build()))
        .orElseGet(() -> Multi.createFrom().empty());
  }
}
