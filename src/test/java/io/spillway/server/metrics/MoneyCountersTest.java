package io.spillway.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.model.UsdPerGpuHour;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MoneyCountersTest {
  private static final Instant START = Instant.parse("2026-11-30T10:00:00Z");

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final MoneyCounters money = new MoneyCounters(registry);

  @Test
  void live_attempts_accrue_and_ended_ones_stay() {
    LiveAttempts.Entry attempt = attempt();

    money.show(List.of(attempt), START.plusSeconds(1_800));
    assertThat(spend()).isEqualTo(8.0, within(1e-6));
    assertThat(onDemand()).isEqualTo(24.0, within(1e-6));

    money.ended(attempt, START.plusSeconds(3_600));
    money.show(List.of(), START.plusSeconds(7_200));
    assertThat(spend()).isEqualTo(16.0, within(1e-6));
  }

  @Test
  void a_takeover_begins_where_the_store_says() {
    money.reset(List.of(new MoneyCounters.Sum("research", "aws", "spot", 5_000_000, 9_000_000)));
    money.show(List.of(attempt()), START.plusSeconds(1_800));

    assertThat(spend()).isEqualTo(13.0, within(1e-6));
    assertThat(onDemand()).isEqualTo(33.0, within(1e-6));
  }

  @Test
  void a_standby_shows_no_money() {
    money.show(List.of(attempt()), START.plusSeconds(60));
    money.reset(List.of());

    assertThat(registry.find("spillway.spend.usd").functionCounter()).isNull();
  }

  @Test
  void a_counter_never_falls() {
    money.show(List.of(attempt()), START.plusSeconds(1_800));
    money.show(List.of(attempt()), START.plusSeconds(900));

    assertThat(spend()).isEqualTo(8.0, within(1e-6));
  }

  private double spend() {
    return registry.get("spillway.spend.usd").functionCounter().count();
  }

  private double onDemand() {
    return registry.get("spillway.on.demand.equivalent.usd").functionCounter().count();
  }

  /** Eight GPUs at two dollars, six on demand. */
  private static LiveAttempts.Entry attempt() {
    return new LiveAttempts.Entry(
        "research",
        "aws",
        "us-east-2",
        new Attempt.Placement(
            OfferingId.parse("eks-ohio~use2-az1~p5.48xlarge~spot"),
            0,
            "cheap-spot",
            UsdPerGpuHour.parse("2"),
            UsdPerGpuHour.parse("6"),
            1,
            8),
        Optional.of(START));
  }
}
