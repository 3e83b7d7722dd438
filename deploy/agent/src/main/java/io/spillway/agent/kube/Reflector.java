package io.spillway.agent.kube;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.spillway.agent.time.Timeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Follows one kind of object: a list, page by page, then a watch from there, and both anew when the
 * watch cannot go on (410, or a server that restarted without its history). Each object is trimmed
 * where it arrives, so that no list of whole objects is ever kept; the trimmed facts arrive on the
 * timeline in the server's order. The methods only from there.
 *
 * @param <T> the API's type
 * @param <F> what is kept of one
 */
public final class Reflector<T extends HasMetadata, F> {
  private static final Logger LOG = Logger.getLogger(Reflector.class.getName());
  private static final long PAGE = 250;

  /** The server ends a watch after this, if it still can. */
  private static final long WATCH_SECONDS = 290;

  /**
   * An API server says every minute that nothing happened (a bookmark). Who is silent for so long
   * is not there any more, whatever the connection looks like: a peer that lost its power says no
   * good-bye.
   */
  private static final Duration SILENCE = Duration.ofSeconds(150);

  /**
   * A page of a list, or the opening of a watch, takes no longer. A connection that is taken and
   * then forgotten, as by a balancer whose server has died, fails by no time-out of the client's.
   */
  private static final Duration ANSWER = Duration.ofSeconds(30);

  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(20);
  private static final Duration FORBIDDEN_PAUSE = Duration.ofMinutes(5);

  private final String what;
  private final Timeline timeline;
  private final Supplier<FilterWatchListDeletable<T, ? extends KubernetesResourceList<T>, ?>>
      source;
  private final Function<T, Optional<F>> trim;
  private final Sink<F> sink;

  private final AtomicInteger round = new AtomicInteger();
  private volatile boolean closed;
  private volatile long heardMillis;
  private boolean guarded;
  private Optional<Watch> watch = Optional.empty();
  private Duration pause = FIRST_PAUSE;

  /** Hears what there is. On the timeline. */
  public interface Sink<F> {
    /** These, and no others. */
    void all(List<F> facts);

    /** New or changed. */
    void seen(F fact);

    /** Not there any more; as it was last. */
    void gone(F last);

    /** The same, and then this each time that all was told. */
    default Sink<F> andAfterAll(Runnable then) {
      Sink<F> self = this;
      return new Sink<>() {
        @Override
        public void all(List<F> facts) {
          self.all(facts);
          then.run();
        }

        @Override
        public void seen(F fact) {
          self.seen(fact);
        }

        @Override
        public void gone(F last) {
          self.gone(last);
        }
      };
    }
  }

  /**
   * @param what names it in the log
   * @param source asked anew for each list and watch
   * @param trim empty: of no interest
   */
  public Reflector(
      String what,
      Timeline timeline,
      Supplier<FilterWatchListDeletable<T, ? extends KubernetesResourceList<T>, ?>> source,
      Function<T, Optional<F>> trim,
      Sink<F> sink) {
    this.what = what;
    this.timeline = timeline;
    this.source = source;
    this.trim = trim;
    this.sink = sink;
  }

  /**
   * Begins anew also when a watch is silent for too long. Not for events, of which many API servers
   * send no bookmarks. To be called before the start.
   */
  public Reflector<T, F> guarded() {
    guarded = true;
    return this;
  }

  public void start() {
    int mine = round.incrementAndGet();
    heardMillis = timeline.millis();
    guard(mine);
    Thread.ofVirtual().name("list-" + what).start(() -> list(mine));
  }

  /** Begins anew, for whatever a watch may have missed. */
  public void refresh() {
    watch.ifPresent(Watch::close);
    watch = Optional.empty();
    start();
  }

  public void close() {
    closed = true;
    watch.ifPresent(Watch::close);
    watch = Optional.empty();
  }

  private boolean stale(int mine) {
    return closed || mine != round.get();
  }

  private void list(int mine) {
    try {
      List<F> facts = new ArrayList<>();
      String version = "";
      String next = null;
      do {
        KubernetesResourceList<T> page =
            source.get().list(new ListOptionsBuilder().withLimit(PAGE).withContinue(next).build());
        heardMillis = timeline.millis();
        page.getItems().forEach(item -> trimmed(item).ifPresent(facts::add));
        version = page.getMetadata().getResourceVersion();
        next = page.getMetadata().getContinue();
      } while (next != null && !next.isEmpty() && !stale(mine));
      String from = version;
      timeline.execute(
          () -> {
            if (!stale(mine)) {
              pause = FIRST_PAUSE;
              sink.all(facts);
              Thread.ofVirtual().name("watch-" + what).start(() -> watch(mine, from));
            }
          });
    } catch (KubernetesClientException e) {
      again(mine, "cannot be listed", e);
    }
  }

  /** One odd object, which any user of the cluster can make, must not blind the agent to others. */
  private Optional<F> trimmed(T item) {
    try {
      return trim.apply(item);
    } catch (RuntimeException odd) {
      LOG.log(Level.SEVERE, odd, () -> what + ": not understood: " + item.getMetadata().getName());
      return Optional.empty();
    }
  }

  private void watch(int mine, String version) {
    try {
      Watch opened =
          source
              .get()
              .watch(
                  new ListOptionsBuilder()
                      .withResourceVersion(version)
                      .withTimeoutSeconds(WATCH_SECONDS)
                      .withAllowWatchBookmarks(true)
                      .build(),
                  new Events(mine));
      timeline.execute(
          () -> {
            if (stale(mine)) {
              opened.close();
            } else {
              watch = Optional.of(opened);
              heardMillis = timeline.millis();
            }
          });
    } catch (KubernetesClientException e) {
      again(mine, "cannot be watched", e);
    }
  }

  private void guard(int mine) {
    var _ =
        timeline.after(
            ANSWER,
            () -> {
              long quiet = timeline.millis() - heardMillis;
              if (stale(mine)) {
                return;
              }
              if (watch.isEmpty() && quiet >= ANSWER.toMillis()) {
                again(mine, "is not answered", new WatcherException("no word for " + ANSWER));
              } else if (watch.isPresent() && guarded && quiet >= SILENCE.toMillis()) {
                again(mine, "is silent", new WatcherException("no word for " + SILENCE));
              } else {
                guard(mine);
              }
            });
  }

  private void again(int mine, String problem, Exception why) {
    timeline.execute(
        () -> {
          if (stale(mine)) {
            return;
          }
          LOG.log(
              pause.compareTo(FIRST_PAUSE) > 0 ? Level.WARNING : Level.FINE,
              () -> what + " " + problem + ", tried again in " + pause + ": " + why.getMessage());
          watch.ifPresent(Watch::close);
          watch = Optional.empty();
          round.incrementAndGet();
          // A right that is missing is granted by a person, if at all; but an API server that has
          // just started forbids everything until it has read its roles.
          boolean forbidden = why instanceof KubernetesClientException e && e.getCode() == 403;
          Duration longest = forbidden ? FORBIDDEN_PAUSE : LONGEST_PAUSE;
          Duration wait = pause.compareTo(longest) > 0 ? longest : pause;
          pause = wait.multipliedBy(2);
          var _ =
              timeline.after(
                  wait,
                  () -> {
                    if (!closed) {
                      start();
                    }
                  });
        });
  }

  private final class Events implements Watcher<T> {
    private final int mine;

    Events(int mine) {
      this.mine = mine;
    }

    @Override
    public void eventReceived(Action action, T resource) {
      heardMillis = timeline.millis();
      if (action == Action.BOOKMARK || resource == null) {
        return;
      }
      Optional<F> fact = trimmed(resource);
      fact.ifPresent(
          f ->
              timeline.execute(
                  () -> {
                    if (stale(mine)) {
                      return;
                    }
                    if (action == Action.DELETED) {
                      sink.gone(f);
                    } else {
                      sink.seen(f);
                    }
                  }));
    }

    @Override
    public void onClose(WatcherException cause) {
      again(mine, "is watched no more", cause);
    }

    @Override
    public void onClose() {
      // By our own will only.
    }
  }
}
