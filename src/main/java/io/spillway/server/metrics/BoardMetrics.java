package io.spillway.server.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.spillway.scheduler.state.View;
import io.spillway.server.inbox.InboxGauge;
import io.spillway.server.loop.CommitListener;
import io.spillway.server.loop.StateReader;
import io.spillway.server.probes.ProbeRunner;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/** Shows the {@link Board} every two seconds while this replica leads, and nothing otherwise. */
@ApplicationScoped
public class BoardMetrics implements CommitListener {
  private static final Logger LOG = Logger.getLogger(BoardMetrics.class);
  private static final long PERIOD_SECONDS = 2;

  private final MeterRegistry registry;
  private final StateReader state;
  private final CommitMetrics commits;
  private final InstantSource clock;
  private final InboxGauge inbox;
  private final ProbeRunner probes;
  private final Map<String, MultiGauge> gauges = new HashMap<>();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> Thread.ofPlatform().daemon().name("spillway-board").unstarted(task));
  private Meter policyInfo;
  private String shownPolicy = "";
  private volatile long sequence;
  private volatile int drift;
  private volatile int quarantined;

  @Inject
  BoardMetrics(
      MeterRegistry registry,
      StateReader state,
      CommitMetrics commits,
      InstantSource clock,
      InboxGauge inbox,
      ProbeRunner probes) {
    this.registry = registry;
    this.state = state;
    this.commits = commits;
    this.clock = clock;
    this.inbox = inbox;
    this.probes = probes;
  }

  // The timer's task logs its own failures.
  @SuppressWarnings("FutureReturnValueIgnored")
  void start(
      @Observes StartupEvent event,
      @ConfigProperty(name = "quarkus.application.version") String version) {
    Board.NAMES.forEach(name -> gauges.put(name, MultiGauge.builder(name).register(registry)));
    Gauge.builder("spillway.leader", state, reader -> reader.leading() ? 1 : 0).register(registry);
    Gauge.builder("spillway.journal.sequence", () -> sequence).register(registry);
    Gauge.builder("spillway.inbox.lag.seconds", () -> inbox.last().lag().toMillis() / 1_000.0)
        .register(registry);
    Gauge.builder("spillway.ledger.drift", () -> drift).register(registry);
    Gauge.builder("spillway.quarantined.jobs", () -> quarantined).register(registry);
    Gauge.builder("spillway.build.info", () -> 1)
        .tags("version", version, "java", Runtime.version().toString())
        .register(registry);
    timer.scheduleWithFixedDelay(this::look, PERIOD_SECONDS, PERIOD_SECONDS, TimeUnit.SECONDS);
  }

  void stop(@Observes ShutdownEvent event) {
    timer.shutdownNow();
  }

  @Override
  public void committed(Commit commit, View after) {
    sequence = commit.seq();
  }

  private void look() {
    if (!state.leading()) {
      gauges.values().forEach(gauge -> gauge.register(List.of(), true));
      drift = 0;
      quarantined = 0;
      return;
    }
    state
        .read(
            view -> {
              commits.showMoney();
              return Board.of(view, clock.instant(), probes.board());
            })
        .whenComplete(
            (board, failure) -> {
              if (failure == null) {
                show(board);
              } else {
                LOG.debugf("no look at the state: %s", failure.getMessage());
              }
            });
  }

  private synchronized void show(Board board) {
    gauges.forEach(
        (name, gauge) -> gauge.register(board.gauges().getOrDefault(name, List.of()), true));
    drift = board.drift();
    quarantined = board.quarantined();
    if (!board.policyVersion().equals(shownPolicy)) {
      if (policyInfo != null) {
        registry.remove(policyInfo);
      }
      shownPolicy = board.policyVersion();
      policyInfo =
          Gauge.builder("spillway.policy.info", () -> 1)
              .tags(Tags.of("version", shownPolicy))
              .register(registry);
    }
  }
}
