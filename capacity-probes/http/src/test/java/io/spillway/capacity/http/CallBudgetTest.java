package io.spillway.capacity.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe.Allowance;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CallBudgetTest {
  private long nanos;
  private CallBudget budget;

  @BeforeEach
  void three_calls_at_once_and_two_a_second() {
    budget = new CallBudget(3, 2, Duration.ofSeconds(2), () -> nanos);
  }

  @Test
  void a_burst_goes_at_once_and_the_rest_is_spaced() {
    assertThat(waits(7)).containsExactly(0L, 0L, 0L, 500L, 1_000L, 1_500L, 2_000L);
  }

  @Test
  void an_accounts_call_rate_spaces_calls_and_leaves_the_burst() {
    AccountSettings shared =
        new AccountSettings(
            "shared",
            Optional.empty(),
            List.of(),
            Duration.ofSeconds(60),
            BigDecimal.ONE,
            0.5,
            Optional.empty(),
            Map.of());

    Allowance halved = CallBudget.of(shared, 3, 2, Duration.ofSeconds(2)).allowance();

    assertThat(halved.limit()).isEqualTo(3);
    assertThat(halved.window()).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void what_would_wait_too_long_is_refused_and_takes_nothing() {
    waits(7);

    assertThat(budget.take()).isEmpty();
    assertThat(budget.take()).isEmpty();
    pass(Duration.ofMillis(500));
    assertThat(budget.take()).contains(Duration.ofSeconds(2));
  }

  @Test
  void time_fills_the_bucket_up_to_the_burst() {
    waits(3);
    pass(Duration.ofHours(1));

    assertThat(waits(4)).containsExactly(0L, 0L, 0L, 500L);
  }

  @Test
  void a_silence_that_the_provider_asks_for_holds_for_every_call() {
    budget.silence(Duration.ofSeconds(30));

    assertThat(budget.take()).isEmpty();
    assertThat(budget.nextIn()).isEqualTo(Duration.ofSeconds(30));
    pass(Duration.ofSeconds(29));
    assertThat(budget.take()).isEmpty();
    pass(Duration.ofSeconds(1));
    assertThat(budget.take()).contains(Duration.ZERO);
  }

  @Test
  void what_is_left_can_be_shown_at_any_time() {
    assertThat(budget.allowance()).isEqualTo(left(3));
    waits(2);
    assertThat(budget.allowance()).isEqualTo(left(1));
    waits(3);
    assertThat(budget.allowance()).isEqualTo(left(0));
    pass(Duration.ofMillis(1_500));
    assertThat(budget.allowance()).isEqualTo(left(1));
    budget.silence(Duration.ofSeconds(5));
    assertThat(budget.allowance()).isEqualTo(left(0));
    pass(Duration.ofSeconds(5));
    assertThat(budget.allowance()).isEqualTo(left(3));
  }

  private static Allowance left(int calls) {
    return new Allowance(calls, 3, Duration.ofMillis(1_500));
  }

  @Test
  void whatever_is_asked_when_no_second_sees_more_than_burst_and_rate() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    java.util.List<Long> made = new java.util.ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      pass(Duration.ofMillis(random.nextInt(400)));
      budget.take().ifPresent(wait -> made.add(nanos + wait.toNanos()));
    }
    for (int i = 0; i + 5 < made.size(); i++) {
      // Six calls are the burst of three and three more, which take 1.5 s to come back.
      assertThat(made.get(i + 5) - made.get(i))
          .as("seed %d", seed)
          .isGreaterThanOrEqualTo(1_500_000_000L - 1);
    }
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  private java.util.List<Long> waits(int calls) {
    java.util.List<Long> waits = new java.util.ArrayList<>();
    for (int i = 0; i < calls; i++) {
      waits.add(budget.take().orElseThrow().toMillis());
    }
    return waits;
  }
}
