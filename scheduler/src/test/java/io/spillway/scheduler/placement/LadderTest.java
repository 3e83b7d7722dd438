package io.spillway.scheduler.placement;

import static io.spillway.scheduler.model.CapacityType.ON_DEMAND;
import static io.spillway.scheduler.model.CapacityType.RESERVED;
import static io.spillway.scheduler.model.CapacityType.SPOT;
import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.scheduler.policy.Rung;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Each clause of the ladder on its own. */
class LadderTest {
  private static final Instant T0 = World.START;
  private static final Rung LAST = Given.rung("last", ON_DEMAND);
  private static final Ladder.Counters FRESH = new Ladder.Counters(0, 0, 0);

  private static Ladder ladder(Rung.Until until, Ladder.Counters counters) {
    return ladder(until, counters, Optional.empty());
  }

  private static Ladder ladder(
      Rung.Until until, Ladder.Counters counters, Optional<Instant> exhausted) {
    List<Rung> rungs = List.of(Given.until(Given.rung("spot", SPOT), until), LAST);
    return Ladder.of(rungs, counters, T0, rung -> rung == 0 ? exhausted : Optional.empty());
  }

  @Test
  void a_rung_without_until_opens_the_next_in_the_same_decision() {
    Ladder ladder =
        Ladder.of(List.of(Given.rung("spot", SPOT), LAST), FRESH, T0, rung -> Optional.empty());

    assertThat(ladder.isOpen(0, T0)).isTrue();
    assertThat(ladder.isOpen(1, T0)).isTrue();
    assertThat(ladder.nextOpening(T0)).isEmpty();
  }

  @Test
  void waiting_opens_the_next_rung_at_its_instant_and_leaves_the_first_where_it_is() {
    Ladder ladder = ladder(Given.waited(Duration.ofMinutes(15)), FRESH);
    Instant opens = T0.plus(Duration.ofMinutes(15));

    assertThat(ladder.first()).isZero();
    assertThat(ladder.nextOpening(T0)).contains(opens);
    assertThat(ladder.isOpen(1, opens.minusNanos(1))).isFalse();
    assertThat(ladder.isOpen(1, opens)).isTrue();
    assertThat(ladder.isOpen(0, opens)).isTrue();
    assertThat(ladder.nextOpening(opens)).isEmpty();
    assertThat(ladder.opened(T0)).isEqualTo(1);
    assertThat(ladder.opened(opens)).isEqualTo(2);
  }

  @Test
  void exhaustion_opens_the_next_rung_only_while_its_clock_runs() {
    Rung.Until until = Given.exhausted(Duration.ofMinutes(2));

    assertThat(ladder(until, FRESH).opensAt().get(1)).isEmpty();
    assertThat(ladder(until, FRESH, Optional.of(T0.plusSeconds(30))).opensAt().get(1))
        .contains(T0.plusSeconds(150));
  }

  @Test
  void the_earlier_of_waiting_and_exhaustion_opens_the_next_rung() {
    Rung.Until both =
        new Rung.Until(
            Optional.of(Duration.ofMinutes(10)),
            OptionalInt.empty(),
            OptionalInt.empty(),
            Optional.of(Duration.ofMinutes(2)));

    assertThat(ladder(both, FRESH, Optional.of(T0)).opensAt().get(1))
        .contains(T0.plus(Duration.ofMinutes(2)));
    assertThat(ladder(both, FRESH, Optional.of(T0.plusSeconds(3_600))).opensAt().get(1))
        .contains(T0.plus(Duration.ofMinutes(10)));
    assertThat(ladder(both, FRESH).opensAt().get(1)).contains(T0.plus(Duration.ofMinutes(10)));
  }

  @Test
  void interruptions_make_the_next_rung_the_first_and_cheaper_ones_are_skipped() {
    Rung.Until until = Given.interruptions(2);

    assertThat(ladder(until, new Ladder.Counters(0, 1, 5)).isOpen(0, T0)).isTrue();
    assertThat(ladder(until, new Ladder.Counters(0, 1, 5)).isOpen(1, T0)).isFalse();
    Ladder moved = ladder(until, new Ladder.Counters(0, 2, 0));
    assertThat(moved.first()).isEqualTo(1);
    assertThat(moved.isOpen(0, T0)).isFalse();
    assertThat(moved.isOpen(1, T0)).isTrue();
  }

  @Test
  void refusals_make_the_next_rung_the_first() {
    assertThat(ladder(Given.refusals(3), new Ladder.Counters(0, 9, 2)).first()).isZero();
    assertThat(ladder(Given.refusals(3), new Ladder.Counters(0, 0, 3)).first()).isEqualTo(1);
  }

  @Test
  void a_ladder_that_became_shorter_keeps_its_last_rung() {
    Ladder ladder = ladder(Given.refusals(1), new Ladder.Counters(7, 0, 9));

    assertThat(ladder.first()).isEqualTo(1);
    assertThat(ladder.isOpen(1, T0)).isTrue();
  }

  @Test
  void the_third_rung_opens_by_the_time_on_the_second() {
    List<Rung> rungs =
        List.of(
            Given.until(Given.rung("spot", SPOT), Given.waited(Duration.ofMinutes(5))),
            Given.until(Given.rung("reserved", RESERVED), Given.waited(Duration.ofMinutes(3))),
            LAST);
    Ladder ladder = Ladder.of(rungs, FRESH, T0, rung -> Optional.empty());

    assertThat(ladder.opensAt())
        .containsExactly(
            Optional.of(T0), Optional.of(T0.plusSeconds(300)), Optional.of(T0.plusSeconds(480)));
    assertThat(ladder.nextOpening(T0)).contains(T0.plusSeconds(300));
  }
}
