package io.spillway.server.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * {@code spillway_attempts_total}. The registry takes a counter's name without its suffix, which is
 * the name of the gauge {@code spillway_attempts}, and would refuse the second of the two. So this
 * one is kept as a gauge that only rises; to Prometheus' functions it is a counter.
 */
final class EndedAttempts {
  private final MeterRegistry registry;
  private final Map<Tags, LongAdder> counts = new ConcurrentHashMap<>();

  EndedAttempts(MeterRegistry registry) {
    this.registry = registry;
  }

  void count(String outcome, String reason) {
    counts
        .computeIfAbsent(Tags.of("outcome", outcome, "reason", reason), this::register)
        .increment();
  }

  private LongAdder register(Tags tags) {
    LongAdder adder = new LongAdder();
    Gauge.builder("spillway.attempts.total", adder, LongAdder::sum).tags(tags).register(registry);
    return adder;
  }
}
