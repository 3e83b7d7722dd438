package io.spillway.server.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.spillway.scheduler.event.AttemptEvent.AttemptEnded;
import io.spillway.scheduler.event.AttemptEvent.AttemptIntended;
import io.spillway.scheduler.event.AttemptEvent.AttemptRunning;
import io.spillway.scheduler.event.Event;
import io.spillway.scheduler.event.JobEvent.JobTaken;
import io.spillway.scheduler.event.MarketEvent.FailureCounted;
import io.spillway.scheduler.lifecycle.Outcome;
import io.spillway.scheduler.model.CapacityFailure;
import io.spillway.scheduler.state.View;
import io.spillway.server.loop.CommitListener;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import org.jboss.logging.Logger;

/** Counts what each commit did. Runs on the loop's thread; counts only what this replica led. */
@ApplicationScoped
public class CommitMetrics implements CommitListener {
  private static final Logger LOG = Logger.getLogger(CommitMetrics.class);

  private final MeterRegistry registry;
  private final InstantSource clock;
  private final SpendHistory history;
  private final LiveAttempts live = new LiveAttempts();
  private final MoneyCounters money;
  private final FailoverTimes failovers;
  private final EndedAttempts ends;

  @Inject
  CommitMetrics(MeterRegistry registry, InstantSource clock, SpendHistory history) {
    this.registry = registry;
    this.clock = clock;
    this.history = history;
    this.money = new MoneyCounters(registry);
    this.failovers = new FailoverTimes(registry);
    this.ends = new EndedAttempts(registry);
  }

  @Override
  public void reset(boolean leading, View now) {
    live.reset(now);
    failovers.reset();
    money.reset(leading ? history.sums(now.policies()) : java.util.List.of());
  }

  /** Called by the loop's thread between two cycles. */
  void showMoney() {
    money.show(live.all(), clock.instant());
  }

  @Override
  public void committed(Commit commit, View after) {
    Instant now = clock.instant();
    for (Event event : commit.events()) {
      follow(event, commit.led(), after);
    }
    if (commit.led()) {
      registry.timer("spillway.cycle.duration").record(commit.cycleTime());
      registry.timer("spillway.commit.duration").record(commit.commitTime());
      failovers.committed(commit, now);
    }
  }

  private void follow(Event event, boolean led, View after) {
    switch (event) {
      case AttemptIntended e -> {
        LiveAttempts.Entry entry = live.intended(e, after);
        if (led) {
          placed(e, entry, after);
        }
      }
      case AttemptRunning e -> live.running(e);
      case AttemptEnded e ->
          live.ended(e)
              .ifPresent(
                  entry -> {
                    if (led) {
                      ended(e, entry);
                    }
                  });
      case JobTaken e when led ->
          registry.counter("spillway.submissions", "queue", e.order().queue().value()).increment();
      case FailureCounted e when led -> failed(e.failure());
      default -> {}
    }
  }

  private void placed(AttemptIntended event, LiveAttempts.Entry entry, View after) {
    registry
        .counter(
            "spillway.placements",
            "provider",
            entry.provider(),
            "region",
            entry.region(),
            "capacity_type",
            entry.capacityType(),
            "rung",
            event.placement().rungName())
        .increment();
    if (event.attempt().number() == 1) {
      after
          .job(event.attempt().job())
          .map(job -> Duration.between(job.submittedAt(), clock.instant()))
          .filter(time -> !time.isNegative())
          .ifPresent(
              time ->
                  registry
                      .timer("spillway.placement.latency", "queue", entry.queue())
                      .record(time));
    }
  }

  private void ended(AttemptEnded event, LiveAttempts.Entry entry) {
    String reason = event.reason().name().toLowerCase(Locale.ROOT);
    ends.count(event.outcome().name().toLowerCase(Locale.ROOT), reason);
    if (event.outcome() == Outcome.INTERRUPTED) {
      registry
          .counter(
              "spillway.interruptions",
              "provider",
              entry.provider(),
              "capacity_type",
              entry.capacityType(),
              "kind",
              reason)
          .increment();
    }
    event.failure().ifPresent(this::failed);
    money.ended(entry, event.at());
    Duration ran =
        entry
            .runningSince()
            .map(since -> Duration.between(since, event.at()))
            .orElse(Duration.ZERO);
    double gpus = entry.placement().totalGpus();
    double lost = seconds(event.lostWork()) * gpus;
    double useful = Math.max(0, seconds(ran) * gpus - lost);
    if (lost > 0) {
      registry.counter("spillway.lost.gpu.seconds", "reason", reason).increment(lost);
    }
    if (useful > 0) {
      registry
          .counter(
              "spillway.useful.gpu.seconds",
              "queue",
              entry.queue(),
              "capacity_type",
              entry.capacityType())
          .increment(useful);
    }
  }

  private void failed(CapacityFailure failure) {
    registry
        .counter(
            "spillway.capacity.failures",
            "provider",
            failure.scope().provider(),
            "class",
            failure.failureClass().name().toLowerCase(Locale.ROOT))
        .increment();
    LOG.debugf("capacity failure %s", failure);
  }

  private static double seconds(Duration time) {
    return time.toMillis() / 1_000.0;
  }
}
