package io.spillway.server.providers;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.spillway.server.loop.StateReader;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * What probes learnt and events are read by, such as EC2's zone ids, kept in the store: probes run
 * on the leader, and any replica reads events. Whoever probes keeps what is new; the others recall
 * it at their start, before they take the first event, and every few seconds. It is a help: an
 * event that comes before the first probe ever ran is read without.
 */
@ApplicationScoped
public class ProviderMemory {
  private static final Logger LOG = Logger.getLogger(ProviderMemory.class);
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final long AGAIN_SECONDS = 10;

  /** Before consumers of Kafka start, whose observers stand at 1000. */
  private static final int BEFORE_EVENTS = 500;

  private final Providers providers;
  private final StateReader state;
  private final Pool pool;
  private final Map<Place, Map<String, String>> kept = new ConcurrentHashMap<>();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> Thread.ofPlatform().daemon().name("spillway-memory").unstarted(task));

  private record Place(String provider, String account) {}

  @Inject
  ProviderMemory(Providers providers, StateReader state, Pool pool) {
    this.providers = providers;
    this.state = state;
    this.pool = pool;
  }

  // Failures are told in there.
  @SuppressWarnings("FutureReturnValueIgnored")
  void start(@Observes @Priority(BEFORE_EVENTS) StartupEvent event) {
    recallUnlessLeading();
    timer.scheduleWithFixedDelay(
        this::recallUnlessLeading, AGAIN_SECONDS, AGAIN_SECONDS, TimeUnit.SECONDS);
  }

  void stop(@Observes ShutdownEvent event) {
    timer.shutdownNow();
  }

  /** The leader's own probes know better. */
  private void recallUnlessLeading() {
    try {
      if (!state.leading()) {
        recall();
      }
    } catch (RuntimeException noStore) {
      LOG.debugf("what probes learnt could not be read: %s", noStore.getMessage());
    }
  }

  /** Tells the modules what is in the store. Blocks; fails as the store does. */
  void recall() {
    Map<Place, Map<String, String>> found = new HashMap<>();
    // The whole table: some zones of some accounts.
    for (Row row :
        pool.query("select provider, account, name, value from provider_memory")
            .execute()
            .await()
            .atMost(PATIENCE)) {
      found
          .computeIfAbsent(new Place(row.getString(0), row.getString(1)), place -> new HashMap<>())
          .put(row.getString(2), row.getString(3));
    }
    found.forEach(
        (place, known) -> {
          kept.put(place, Map.copyOf(known));
          providers
              .provider(place.provider())
              .ifPresent(module -> module.learn(place.account(), known));
        });
  }

  /**
   * Keeps what the account's probe learnt since it was last kept; never blocks. What cannot be kept
   * is tried again after the next round.
   */
  public void keep(Providers.Account account) {
    Place place = new Place(account.provider(), account.settings().name());
    Map<String, String> learnt =
        providers
            .provider(place.provider())
            .map(module -> module.learnt(place.account()))
            .orElse(Map.of());
    Map<String, String> news = new HashMap<>(learnt);
    news.entrySet().removeAll(kept.getOrDefault(place, Map.of()).entrySet());
    if (!news.isEmpty()) {
      write(place, news, learnt);
    }
  }

  private void write(Place place, Map<String, String> news, Map<String, String> all) {
    String[] names = news.keySet().toArray(String[]::new);
    String[] values = news.values().toArray(String[]::new);
    pool.preparedQuery(
            """
            insert into provider_memory (provider, account, name, value)
            select $1, $2, name, value from unnest($3::text[], $4::text[]) as news (name, value)
            on conflict (provider, account, name) do update set value = excluded.value
            """)
        .execute(
            Tuple.of(place.provider(), place.account())
                .addArrayOfString(names)
                .addArrayOfString(values))
        .subscribe()
        .with(
            done -> kept.put(place, Map.copyOf(all)),
            failure ->
                LOG.debugf(
                    "account=%s/%s what its probe learnt waits for the next round: %s",
                    place.provider(), place.account(), failure.getMessage()));
  }
}
