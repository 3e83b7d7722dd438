package io.spillway.server.probes;

import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.spillway.server.inbox.Inbox;
import io.spillway.server.loop.StateReader;
import io.spillway.server.providers.ProviderMemory;
import io.spillway.server.providers.Providers;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Asks each account at its interval while this replica leads. One small timer thread only starts
 * probes; each question has a virtual thread of its own.
 */
@ApplicationScoped
public class ProbeRunner {
  private static final Duration FIRST = Duration.ofSeconds(1);

  /** Between the first questions of two accounts, so that a start is no burst. */
  private static final Duration STAGGER = Duration.ofMillis(50);

  private final Providers providers;
  private final AccountProbing.Surroundings around;
  private final List<AccountProbing> accounts = new ArrayList<>();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> Thread.ofPlatform().daemon().name("spillway-probes").unstarted(task));

  @Inject
  ProbeRunner(
      Providers providers,
      StateReader state,
      Inbox inbox,
      LastSeen lastSeen,
      ProviderMemory memory,
      InstantSource clock,
      MeterRegistry metrics) {
    this.providers = providers;
    this.around =
        new AccountProbing.Surroundings(
            new Market(state, inbox, lastSeen),
            memory::keep,
            clock,
            this::later,
            task -> Thread.ofVirtual().name("spillway-probe").start(task),
            metrics);
    for (Providers.Account account : providers.accounts()) {
      accounts.add(probing(account));
    }
  }

  private AccountProbing probing(Providers.Account account) {
    String name = account.settings().name();
    return new AccountProbing(
        account,
        providers.modules().get(account.provider()).marketOf(account.settings()),
        new ProbeGuard(account.provider(), name, ProbeGuard.TIMEOUT),
        new ProbePace(
            account.settings().interval(), () -> ThreadLocalRandom.current().nextDouble()),
        around);
  }

  void start(@Observes StartupEvent event) {
    for (int i = 0; i < accounts.size(); i++) {
      accounts.get(i).begin(FIRST.plus(STAGGER.multipliedBy(i)));
    }
  }

  void stop(@Observes ShutdownEvent event) {
    timer.shutdownNow();
    providers.accounts().forEach(account -> account.probe().close());
  }

  /** How every configured account fares, in the order of the configuration. */
  public List<AccountHealth> board() {
    List<AccountHealth> board = new ArrayList<>();
    providers
        .off()
        .forEach(off -> board.add(AccountHealth.off(off.provider(), off.account(), off.why())));
    accounts.forEach(account -> board.add(account.health()));
    return List.copyOf(board);
  }

  // A run reports its own failures; one that comes during the shutdown has nobody to report to.
  @SuppressWarnings("FutureReturnValueIgnored")
  private void later(Duration delay, Runnable task) {
    try {
      timer.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      // Shut down.
      return;
    }
  }
}
