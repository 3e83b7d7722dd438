package io.spillway.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.spillway.scheduler.model.FailureClass;
import io.spillway.scheduler.state.State;
import io.spillway.server.probes.AccountHealth;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BoardTest {
  private static final String OBSERVED = "spillway.observation.timestamp.seconds";
  private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");

  @Test
  void an_account_is_observed_by_each_good_round_and_stands_still_while_it_fails() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    MultiGauge gauge = MultiGauge.builder(OBSERVED).register(registry);

    gauge.register(
        Board.of(new State(), NOON, List.of(failing(NOON.minusSeconds(900))))
            .gauges()
            .get(OBSERVED));

    assertThat(registry.get(OBSERVED).tags("provider", "aws", "account", "prod").gauge().value())
        .isEqualTo((double) NOON.minusSeconds(900).getEpochSecond());
  }

  private static AccountHealth failing(Instant lastSuccess) {
    return new AccountHealth(
        "aws",
        "aws",
        "prod",
        AccountHealth.State.FAILING,
        Optional.of(NOON),
        Optional.of(lastSuccess),
        Optional.of(NOON.plusSeconds(60)),
        Optional.of(Duration.ofMillis(200)),
        "no connection",
        Optional.of(FailureClass.TRANSIENT),
        3,
        0,
        List.of(),
        Optional.empty());
  }
}
