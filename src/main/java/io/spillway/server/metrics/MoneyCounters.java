package io.spillway.server.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Money that ended attempts cost, plus what live ones have cost so far. Counters are seeded from
 * the store at a takeover and exist only while leading.
 */
final class MoneyCounters {
  private static final double MICROS = 1e6;

  private final MeterRegistry registry;
  private final Map<Tags, AtomicLong> shown = new ConcurrentHashMap<>();
  private final Map<Tags, Long> ended = new HashMap<>();
  private final List<Meter> meters = new ArrayList<>();

  MoneyCounters(MeterRegistry registry) {
    this.registry = registry;
  }

  /** Starts again from sums of ended attempts, or with nothing on a standby. */
  void reset(Collection<Sum> sums) {
    meters.forEach(registry::remove);
    meters.clear();
    shown.clear();
    ended.clear();
    sums.forEach(
        sum -> add(sum.queue(), sum.provider(), sum.capacityType(), sum.spent(), sum.onDemand()));
  }

  void ended(LiveAttempts.Entry entry, Instant at) {
    Cost cost = Cost.of(entry, at);
    add(entry.queue(), entry.provider(), entry.capacityType(), cost.spent(), cost.onDemand());
  }

  /** Shows the sums with the live attempts' cost so far. Never lets a counter fall. */
  void show(Collection<LiveAttempts.Entry> live, Instant now) {
    Map<Tags, Long> sums = new HashMap<>(ended);
    for (LiveAttempts.Entry entry : live) {
      Cost cost = Cost.of(entry, now);
      sums.merge(
          spendTags(entry.queue(), entry.provider(), entry.capacityType()),
          cost.spent(),
          Long::sum);
      sums.merge(onDemandTags(entry.queue()), cost.onDemand(), Long::sum);
    }
    sums.forEach((tags, micros) -> counter(tags).accumulateAndGet(micros, Math::max));
  }

  private void add(String queue, String provider, String capacityType, long spent, long onDemand) {
    ended.merge(spendTags(queue, provider, capacityType), spent, Long::sum);
    ended.merge(onDemandTags(queue), onDemand, Long::sum);
  }

  private AtomicLong counter(Tags tags) {
    return shown.computeIfAbsent(
        tags,
        absent -> {
          AtomicLong micros = new AtomicLong();
          String name =
              tags.stream().anyMatch(tag -> tag.getKey().equals("provider"))
                  ? "spillway.spend.usd"
                  : "spillway.on.demand.equivalent.usd";
          meters.add(
              FunctionCounter.builder(name, micros, value -> value.get() / MICROS)
                  .tags(tags)
                  .register(registry));
          return micros;
        });
  }

  private static Tags spendTags(String queue, String provider, String capacityType) {
    return Tags.of("queue", queue, "provider", provider, "capacity_type", capacityType);
  }

  private static Tags onDemandTags(String queue) {
    return Tags.of("queue", queue);
  }

  /** Money of ended attempts by the tags of the series, in micro-dollars. */
  record Sum(String queue, String provider, String capacityType, long spent, long onDemand) {}

  private record Cost(long spent, long onDemand) {
    static Cost of(LiveAttempts.Entry entry, Instant until) {
      Duration ran =
          entry
              .runningSince()
              .map(since -> Duration.between(since, until))
              .filter(time -> !time.isNegative())
              .orElse(Duration.ZERO);
      int gpus = entry.placement().totalGpus();
      return new Cost(
          entry.placement().price().cost(gpus, ran).micros(),
          entry.placement().onDemandPrice().cost(gpus, ran).micros());
    }
  }
}
