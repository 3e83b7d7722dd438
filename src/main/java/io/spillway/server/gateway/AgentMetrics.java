package io.spillway.server.gateway;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.spillway.scheduler.model.ClusterName;
import java.time.Clock;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;

/**
 * When each agent was heard last, and how many streams are open here. The series of a cluster stays
 * after its stream is gone: that is what an alert on silence reads. Of several replicas the highest
 * counts.
 */
final class AgentMetrics {
  private final MeterRegistry registry;
  private final Clock clock;
  private final ConcurrentMap<ClusterName, AtomicLong> lastSeen = new ConcurrentHashMap<>();

  AgentMetrics(MeterRegistry registry, Clock clock) {
    this.registry = registry;
    this.clock = clock;
  }

  void streams(IntSupplier open) {
    Gauge.builder("spillway.agent.streams", open, IntSupplier::getAsInt)
        .description("agents' streams open on this replica")
        .register(registry);
  }

  /** A frame of the cluster's agent came. Any thread. */
  void heard(ClusterName cluster) {
    lastSeen.computeIfAbsent(cluster, this::series).set(clock.millis());
  }

  private AtomicLong series(ClusterName cluster) {
    AtomicLong millis = new AtomicLong();
    TimeGauge.builder(
            "spillway.agent.last.seen.timestamp", millis, TimeUnit.MILLISECONDS, AtomicLong::get)
        .description("when the cluster's agent was heard last")
        .tag("cluster", cluster.value())
        .register(registry);
    return millis;
  }
}
