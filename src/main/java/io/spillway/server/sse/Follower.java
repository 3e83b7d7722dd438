package io.spillway.server.sse;

import io.smallrye.mutiny.subscription.MultiEmitter;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * One subscriber: history first, then the present, each item once and in order. It listens to the
 * present from the beginning and keeps what comes until history has been told, at first and
 * whenever commits may have gone by unheard.
 */
final class Follower implements LiveFeed.Listener {
  private static final int PAGE = 500;
  private static final int MAX_KEPT = 20_000;

  private final MultiEmitter<? super FeedItem> out;
  private final JournalPages pages;
  private final Optional<String> contains;
  private final Predicate<FeedItem> wanted;
  private final Context context = Vertx.currentContext();
  private final Deque<FeedItem> kept = new ArrayDeque<>();
  private FeedPosition last;
  private boolean historyTold;
  private boolean reading;
  private boolean again;

  /** On the context of whoever follows: history is read there. */
  Follower(
      MultiEmitter<? super FeedItem> out,
      JournalPages pages,
      FeedPosition after,
      Optional<String> contains,
      Predicate<FeedItem> wanted) {
    this.out = out;
    this.pages = pages;
    this.contains = contains;
    this.wanted = wanted;
    this.last = after;
  }

  /** Reads history, page by page; to be called once, after the live feed has this listener. */
  void begin() {
    synchronized (this) {
      reading = true;
    }
    read();
  }

  /** Reads again what may have been missed; one reading at a time, since they share a session. */
  @Override
  public void missed() {
    synchronized (this) {
      historyTold = false;
      again = reading;
      if (reading) {
        return;
      }
      reading = true;
    }
    context.runOnContext(here -> read());
  }

  private void read() {
    var _ =
        pages
            .read(new JournalPages.Query(position(), contains, wanted, PAGE))
            .subscribe()
            .with(this::told, out::fail);
  }

  private void told(JournalPages.Page page) {
    if (out.isCancelled()) {
      return;
    }
    synchronized (this) {
      page.items().forEach(this::emit);
      last = max(last, page.reached());
      if (page.atHead() && !again) {
        reading = false;
        historyTold = true;
        kept.forEach(this::emit);
        kept.clear();
        return;
      }
      again = again && !page.atHead();
    }
    read();
  }

  @Override
  public synchronized void items(List<FeedItem> items) {
    for (FeedItem item : items) {
      if (!wanted.test(item)) {
        continue;
      }
      if (historyTold) {
        emit(item);
      } else if (kept.size() < MAX_KEPT) {
        kept.add(item);
      } else {
        out.fail(new IllegalStateException("the present outran history"));
      }
    }
  }

  private synchronized FeedPosition position() {
    return last;
  }

  private void emit(FeedItem item) {
    if (item.position().compareTo(last) > 0) {
      last = item.position();
      out.emit(item);
    }
  }

  private static FeedPosition max(FeedPosition a, FeedPosition b) {
    return a.compareTo(b) >= 0 ? a : b;
  }
}
