package io.spillway.server.probes;

import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.scheduler.input.Input;
import io.spillway.scheduler.input.Lane;
import io.spillway.scheduler.input.MarketInput.ObservationChanged;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.state.View;
import io.spillway.server.inbox.Inbox;
import io.spillway.server.loop.StateReader;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Asks each account at its interval while this replica leads. Runs on one small timer thread that
 * only starts probes; their results arrive on the modules' own threads.
 */
@ApplicationScoped
public class ProbeRunner {
  private static final Logger LOG = Logger.getLogger(ProbeRunner.class);

  /** Half of the shortest age at which the core distrusts a price (one hour for spot). */
  private static final Duration REPEAT_AFTER = Duration.ofMinutes(30);

  private static final int INPUTS_PER_ROW = 200;

  private final Providers providers;
  private final StateReader state;
  private final Inbox inbox;
  private final InstantSource clock;
  private final MeterRegistry metrics;
  private final ObservationChange change = new ObservationChange(REPEAT_AFTER);
  private final Map<String, AccountHealth> health = new ConcurrentHashMap<>();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> Thread.ofPlatform().daemon().name("spillway-probes").unstarted(task));

  @Inject
  ProbeRunner(
      Providers providers,
      StateReader state,
      Inbox inbox,
      InstantSource clock,
      MeterRegistry metrics) {
    this.providers = providers;
    this.state = state;
    this.inbox = inbox;
    this.clock = clock;
    this.metrics = metrics;
  }

  void start(@Observes StartupEvent event) {
    for (Providers.Account account : providers.accounts()) {
      health.put(
          key(account), AccountHealth.waiting(account.provider(), account.settings().name()));
      ProbeGuard guard = new ProbeGuard(account.provider(), account.settings().name());
      schedule(account, guard, Duration.ofSeconds(1));
    }
  }

  void stop(@Observes ShutdownEvent event) {
    timer.shutdownNow();
    providers.accounts().forEach(account -> account.probe().close());
  }

  /** How every configured account fares, in the order of the configuration. */
  public List<AccountHealth> board() {
    List<AccountHealth> board = new ArrayList<>(providers.off());
    providers.accounts().forEach(account -> board.add(health.get(key(account))));
    return List.copyOf(board);
  }

  // A run reports its own failures.
  @SuppressWarnings("FutureReturnValueIgnored")
  private void schedule(Providers.Account account, ProbeGuard guard, Duration delay) {
    if (!timer.isShutdown()) {
      timer.schedule(() -> run(account, guard), delay.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private void run(Providers.Account account, ProbeGuard guard) {
    if (!state.leading()) {
      schedule(account, guard, Duration.ofSeconds(1));
      return;
    }
    Instant started = clock.instant();
    state
        .read(ProbeRunner::interest)
        .thenCompose(types -> guard.run(() -> account.probe().observe(types, started)))
        .whenComplete(
            (result, failure) -> {
              Duration took = Duration.between(started, clock.instant());
              Instant next = started.plus(account.settings().interval());
              if (failure == null) {
                succeeded(account, result, started, took, next);
              } else {
                failed(account, failure, started, took, next);
              }
              schedule(account, guard, account.settings().interval());
            });
  }

  /** Instance types that the policies could use. */
  private static Set<String> interest(View view) {
    Set<String> types = new TreeSet<>();
    view.policies()
        .clusters()
        .values()
        .forEach(cluster -> cluster.capacity().forEach(entry -> types.add(entry.instanceType())));
    view.policies().pools().values().forEach(pool -> types.add(pool.instanceType()));
    return types;
  }

  private void succeeded(
      Providers.Account account,
      CapacityProbe.Result result,
      Instant at,
      Duration took,
      Instant next) {
    String warnings = String.join("; ", result.warnings());
    health.computeIfPresent(
        key(account),
        (key, last) -> last.succeeded(at, took, result.observations().size(), warnings, next));
    time(account, warnings.isEmpty() ? "ok" : "partial", took);
    state
        .read(
            view ->
                result.observations().stream()
                    .filter(seen -> change.matters(view.observation(seen.key()), seen))
                    .toList())
        .thenAccept(changed -> tell(account, changed))
        .exceptionally(
            failure -> {
              LOG.errorf(failure, "account=%s observations could not be told", key(account));
              return null;
            });
  }

  private void tell(Providers.Account account, List<Observation> changed) {
    for (int from = 0; from < changed.size(); from += INPUTS_PER_ROW) {
      List<Input> inputs =
          changed.subList(from, Math.min(changed.size(), from + INPUTS_PER_ROW)).stream()
              .<Input>map(ObservationChanged::new)
              .toList();
      inbox
          .append(Lane.OBSERVATIONS, "probe:" + key(account), inputs)
          .subscribe()
          .with(
              done -> {},
              failure ->
                  LOG.warnf(
                      "account=%s observations wait for the next run: %s",
                      key(account), failure.getMessage()));
    }
  }

  private void failed(
      Providers.Account account, Throwable failure, Instant at, Duration took, Instant next) {
    String why =
        failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
    AccountHealth before =
        health.put(key(account), health.get(key(account)).failed(at, took, why, next));
    // Told once per change of words: a broken account must not fill the log.
    if (before == null || !before.detail().equals(why)) {
      LOG.warnf("account=%s probe failed: %s", key(account), why);
    }
    time(account, "failed", took);
  }

  private void time(Providers.Account account, String result, Duration took) {
    metrics
        .timer("spillway.probe.duration", "provider", account.provider(), "result", result)
        .record(took);
  }

  private static String key(Providers.Account account) {
    return account.provider() + '/' + account.settings().name();
  }
}
