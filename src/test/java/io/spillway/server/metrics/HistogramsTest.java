package io.spillway.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

// The registry that the server's extension brings; its successor is not in there.
@SuppressWarnings("deprecation")
class HistogramsTest {
  private final io.micrometer.prometheus.PrometheusMeterRegistry registry =
      new io.micrometer.prometheus.PrometheusMeterRegistry(
          io.micrometer.prometheus.PrometheusConfig.DEFAULT);

  @Test
  void times_that_are_asked_for_quantiles_have_buckets() {
    registry.config().meterFilter(new Histograms().buckets());

    registry.timer("spillway.cycle.duration").record(Duration.ofMillis(4));

    assertThat(registry.scrape())
        .contains("spillway_cycle_duration_seconds_bucket{le=\"0.003\",} 0.0")
        .contains("spillway_cycle_duration_seconds_bucket{le=\"0.005\",} 1.0")
        .contains("spillway_cycle_duration_seconds_bucket{le=\"+Inf\",} 1.0");
  }
}
