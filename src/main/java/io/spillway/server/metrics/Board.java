package io.spillway.server.metrics;

import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.AttemptState;
import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.model.BlockScope;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.policy.PoolPolicy;
import io.spillway.scheduler.state.Block;
import io.spillway.scheduler.state.OfferingStatus;
import io.spillway.scheduler.state.ParkedClass;
import io.spillway.scheduler.state.PoolStatus;
import io.spillway.scheduler.state.QueueStatus;
import io.spillway.scheduler.state.View;
import io.spillway.scheduler.state.Waiting;
import io.spillway.server.probes.AccountHealth;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All gauges of one look at the state, as rows by metric name. Computed by the loop's thread
 * between two cycles; its cost is that of the boards, not of the queues' depth.
 */
record Board(Map<String, List<Row<?>>> gauges, String policyVersion, int drift, int quarantined) {

  static final List<String> NAMES =
      List.of(
          "spillway.queue.jobs",
          "spillway.queue.gpus",
          "spillway.oldest.wait.seconds",
          "spillway.parked.jobs",
          "spillway.offering.price.usd.per.gpu.hour",
          "spillway.observation.timestamp.seconds",
          "spillway.launch.blocks",
          "spillway.attempts",
          "spillway.reserved.gpus");

  static Board of(View view, Instant now, List<AccountHealth> probes) {
    Rows rows = new Rows();
    queues(view, now, rows);
    int quarantined = parked(view, rows);
    market(view, now, probes, rows);
    attempts(view, rows);
    pools(view, rows);
    return new Board(rows.byName, view.policies().version(), view.system().drift(), quarantined);
  }

  private static void queues(View view, Instant now, Rows rows) {
    for (QueueStatus queue : view.queues()) {
      String name = queue.name().value();
      queue
          .jobs()
          .forEach(
              (state, count) ->
                  rows.add("spillway.queue.jobs", Tags.of("queue", name, "state", state), count));
      rows.add(
          "spillway.oldest.wait.seconds",
          Tags.of("queue", name),
          queue.oldestWaiting().map(at -> seconds(Duration.between(at, now))).orElse(0.0));
    }
  }

  /** Waiting jobs of parked classes by the first cause of each; answers the quarantined ones. */
  private static int parked(View view, Rows rows) {
    Map<Tags, Integer> waiting = new HashMap<>();
    int quarantined = 0;
    for (ParkedClass parked : view.parked()) {
      Optional<Waiting.WaitingClass> found = view.waiting().byText(parked.shapeClass());
      if (found.isEmpty()) {
        continue;
      }
      int jobs = found.get().jobs().size();
      quarantined += parked.quarantined() ? jobs : 0;
      String reason =
          parked.quarantined() || parked.causes().isEmpty()
              ? "quarantined"
              : parked.causes().getFirst().kind().name().toLowerCase(Locale.ROOT);
      waiting.merge(
          Tags.of("queue", found.get().shapeClass().queue().value(), "reason", reason),
          jobs,
          Integer::sum);
    }
    waiting.forEach((tags, jobs) -> rows.add("spillway.parked.jobs", tags, jobs));
    return quarantined;
  }

  private static Tags account(String provider, String account) {
    return Tags.of("provider", provider, "account", account);
  }

  private static double sinceEpoch(Instant at) {
    return seconds(Duration.between(Instant.EPOCH, at));
  }

  private static void market(View view, Instant now, List<AccountHealth> probes, Rows rows) {
    Map<Tags, Double> prices = new HashMap<>();
    Map<Tags, Double> observed = new HashMap<>();
    Set<BlockScope> counted = new HashSet<>();
    Map<Tags, Integer> blocks = new HashMap<>();
    for (OfferingStatus offering : view.offerings(now)) {
      Optional<MarketKey> key = offering.key();
      offering
          .observation()
          .ifPresent(
              seen -> {
                seen.price()
                    .ifPresent(
                        price -> prices.merge(tags(seen.key()), price.micros() / 1e6, Math::min));
                observed.merge(
                    account(seen.key().provider(), seen.key().account()),
                    sinceEpoch(seen.observedAt()),
                    Math::max);
              });
      offering
          .block()
          .map(Block::scope)
          .filter(scope -> key.isPresent() && counted.add(scope))
          .ifPresent(
              scope ->
                  blocks.merge(
                      Tags.of("provider", scope.provider(), "scope", scope.kind()),
                      1,
                      Integer::sum));
    }
    // A good round has seen the market, also where nothing was new to tell.
    for (AccountHealth probe : probes) {
      probe
          .lastSuccess()
          .ifPresent(
              at ->
                  observed.merge(
                      account(probe.market(), probe.account()), sinceEpoch(at), Math::max));
    }
    prices.forEach((t, v) -> rows.add("spillway.offering.price.usd.per.gpu.hour", t, v));
    observed.forEach((t, v) -> rows.add("spillway.observation.timestamp.seconds", t, v));
    blocks.forEach((t, v) -> rows.add("spillway.launch.blocks", t, v));
  }

  private static void attempts(View view, Rows rows) {
    Map<Tags, Integer> byState = new HashMap<>();
    Map<Tags, Integer> gpus = new HashMap<>();
    for (Attempt attempt : view.attempts()) {
      if (attempt.state() instanceof AttemptState.Ended) {
        continue;
      }
      byState.merge(
          Tags.of(
              "cluster", attempt.placement().offering().cluster().value(),
              "state", attempt.state().label()),
          1,
          Integer::sum);
      gpus.merge(
          Tags.of("queue", queue(view, attempt), "gpu", gpu(view, attempt), "kind", "used"),
          attempt.placement().totalGpus(),
          Integer::sum);
    }
    byState.forEach((tags, count) -> rows.add("spillway.attempts", tags, count));
    gpus.forEach((tags, count) -> rows.add("spillway.queue.gpus", tags, count));
  }

  private static void pools(View view, Rows rows) {
    for (PoolStatus pool : view.pools()) {
      PoolPolicy policy = pool.policy();
      int perNode = view.shape(pool.offering()).map(shape -> shape.gpus()).orElse(0);
      rows.add(
          "spillway.reserved.gpus",
          Tags.of("pool", policy.name().value(), "use", "owner"),
          pool.usedNodes() * perNode);
      rows.add(
          "spillway.reserved.gpus",
          Tags.of("pool", policy.name().value(), "use", "idle"),
          Math.max(0, policy.nodes() - pool.usedNodes()) * perNode);
    }
  }

  private static String queue(View view, Attempt attempt) {
    return view.job(attempt.id().job())
        .map(Job::order)
        .map(order -> order.queue().value())
        .orElse("unknown");
  }

  private static String gpu(View view, Attempt attempt) {
    return view.shape(attempt.placement().offering())
        .map(shape -> shape.gpu().name())
        .orElse("unknown");
  }

  private static Tags tags(MarketKey key) {
    return Tags.of(
        "provider", key.provider(),
        "region", key.region(),
        "zone", key.zone(),
        "instance_type", key.instanceType(),
        "capacity_type", key.capacityType().text());
  }

  private static double seconds(Duration time) {
    return time.toMillis() / 1_000.0;
  }

  private static final class Rows {
    private final Map<String, List<Row<?>>> byName = new HashMap<>();

    private void add(String name, Tags tags, double value) {
      byName.computeIfAbsent(name, absent -> new ArrayList<>()).add(Row.of(tags, value));
    }
  }
}
