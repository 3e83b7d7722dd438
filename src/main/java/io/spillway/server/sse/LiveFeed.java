package io.spillway.server.sse;

import io.spillway.scheduler.state.View;
import io.spillway.server.codec.StoreCodec;
import io.spillway.server.loop.CommitListener;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Hands each commit's events to whoever follows, in the order of the journal and away from the
 * loop's thread. Without followers it costs one look at an empty set.
 */
@ApplicationScoped
public class LiveFeed implements CommitListener {

  /** Told of items, in order, on one thread at a time. */
  public interface Listener {
    void items(List<FeedItem> items);

    /** Others may have come between those that it was told of. */
    void missed();
  }

  private final StoreCodec codec = new StoreCodec();
  private final Set<Listener> listeners = ConcurrentHashMap.newKeySet();
  private final Context ordered;

  LiveFeed(Vertx vertx) {
    // Blocking pieces of one context run one after the other, in the order handed in.
    this.ordered = vertx.getOrCreateContext();
  }

  public void add(Listener listener) {
    listeners.add(listener);
  }

  public void remove(Listener listener) {
    listeners.remove(listener);
  }

  @Override
  public void committed(Commit commit, View after) {
    if (!listeners.isEmpty() && !commit.events().isEmpty()) {
      ordered.executeBlocking(() -> deliver(commit), true);
    }
  }

  /** The state was loaded anew: what another leader committed meanwhile was told to nobody here. */
  @Override
  public void reset(boolean leading, View now) {
    if (!listeners.isEmpty()) {
      ordered.executeBlocking(
          () -> {
            listeners.forEach(Listener::missed);
            return null;
          },
          true);
    }
  }

  private Void deliver(Commit commit) {
    List<FeedItem> items =
        FeedItem.ofRow(commit.seq(), commit.cycle().now(), codec.events(commit.events()));
    listeners.forEach(listener -> listener.items(items));
    return null;
  }
}
