package io.spillway.server.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Set;
import java.util.stream.DoubleStream;

/**
 * Which times have buckets, so that quantiles can be taken over replicas and over any window. Few
 * and fixed bounds: one of these times has a label of its own for every queue.
 */
@ApplicationScoped
public class Histograms {
  private static final Set<String> TIMES =
      Set.of(
          "spillway.cycle.duration",
          "spillway.commit.duration",
          "spillway.failover",
          "spillway.placement.latency");

  /** Bounds in seconds. */
  private static final double[] BOUNDS = {
    0.001, 0.002, 0.003, 0.005, 0.007, 0.01, 0.015, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3,
    0.5, 0.7, 1, 2, 5, 10, 30, 60, 300, 1800, 7200
  };

  private static final double NANOS = Duration.ofSeconds(1).toNanos();

  /** Asked once, before the first meter is registered. */
  @Produces
  @Singleton
  MeterFilter buckets() {
    return new Buckets();
  }

  private static final class Buckets implements MeterFilter {
    @Override
    public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
      if (!TIMES.contains(id.getName())) {
        return config;
      }
      return DistributionStatisticConfig.builder()
          .serviceLevelObjectives(DoubleStream.of(BOUNDS).map(bound -> bound * NANOS).toArray())
          .build()
          .merge(config);
    }
  }
}
