package io.spillway.scheduler.retry;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.scheduler.lifecycle.Standing;
import io.spillway.scheduler.lifecycle.Standing.Exclusion;
import io.spillway.scheduler.model.Abilities;
import io.spillway.scheduler.model.Grounds;
import io.spillway.scheduler.policy.Rung;
import io.spillway.scheduler.story.Land;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SetbacksTest {
  private static final Instant NOW = Instant.parse("2026-11-30T00:00:00Z");
  private static final Instant LATER = NOW.plusSeconds(600);

  private static Setbacks under(Rung... ladder) {
    return new Setbacks(List.of(ladder), NOW);
  }

  private static Standing standing(int rung, int interruptions, int refusals) {
    return new Standing(rung, interruptions, refusals, 1, 2, 3, List.of());
  }

  @Test
  void an_interruption_counts_for_life_and_on_the_first_rung_and_excludes_the_offering() {
    Standing after =
        under(Land.spot(Optional.of(Land.interruptions(2))), Land.pool())
            .interrupted(standing(0, 0, 4), 0, Land.CHEAP, LATER);
    assertThat(after)
        .isEqualTo(new Standing(0, 1, 0, 1, 2, 4, List.of(Exclusion.of(Land.CHEAP, LATER))));
  }

  @Test
  void an_interruption_on_a_later_rung_does_not_count_on_the_first() {
    Standing after =
        under(Land.spot(Optional.of(Land.interruptions(1))), Land.pool())
            .interrupted(standing(0, 0, 0), 1, Land.BARE, LATER);
    assertThat(after.interruptions()).isZero();
    assertThat(after.firstRung()).isZero();
    assertThat(after.totalInterruptions()).isEqualTo(4);
  }

  @Test
  void a_refusal_on_a_later_rung_does_not_count_on_the_first() {
    Standing after =
        under(Land.spot(Optional.of(Land.refusals(1))), Land.pool())
            .refused(standing(0, 1, 0), 1, Land.BARE, LATER);
    assertThat(after.refusals()).isZero();
    assertThat(after.firstRung()).isZero();
    assertThat(after.interruptions()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"1, 0, 1, 0", "2, 0, 0, 1", "2, 1, 1, 0", "3, 1, 0, 2"})
  void the_limit_of_interruptions_moves_the_first_rung_and_counts_anew_there(
      int limit, int before, int rung, int interruptions) {
    Standing after =
        under(Land.spot(Optional.of(Land.interruptions(limit))), Land.pool())
            .interrupted(standing(0, before, 1), 0, Land.CHEAP, LATER);
    assertThat(after.firstRung()).isEqualTo(rung);
    assertThat(after.interruptions()).isEqualTo(interruptions);
  }

  @ParameterizedTest
  @CsvSource({"1, 0, 1, 0", "3, 1, 0, 2", "3, 2, 1, 0"})
  void the_limit_of_refusals_moves_the_first_rung_and_counts_anew_there(
      int limit, int before, int rung, int refusals) {
    Standing after =
        under(Land.spot(Optional.of(Land.refusals(limit))), Land.pool())
            .refused(standing(0, 1, before), 0, Land.CHEAP, LATER);
    assertThat(after.firstRung()).isEqualTo(rung);
    assertThat(after.refusals()).isEqualTo(refusals);
  }

  @Test
  void there_is_no_rung_after_the_last() {
    Standing after =
        under(Land.spot(Optional.of(Land.interruptions(1))))
            .interrupted(standing(0, 0, 0), 0, Land.CHEAP, LATER);
    assertThat(after.firstRung()).isZero();
    assertThat(after.interruptions()).isEqualTo(1);
    assertThat(under().refused(standing(0, 0, 0), 0, Land.CHEAP, LATER).refusals()).isEqualTo(1);
  }

  @Test
  void failures_count_in_their_own_budget_and_let_refusals_count_anew() {
    Setbacks setbacks = under(Land.pool());
    assertThat(setbacks.failed(standing(1, 2, 3)))
        .isEqualTo(new Standing(1, 2, 0, 2, 2, 3, List.of()));
    assertThat(setbacks.brokenDown(standing(1, 2, 3)))
        .isEqualTo(new Standing(1, 2, 0, 1, 3, 3, List.of()));
    assertThat(setbacks.requeued(standing(1, 2, 3)))
        .isEqualTo(new Standing(1, 2, 0, 1, 2, 3, List.of()));
  }

  @Test
  void exclusions_are_extended_never_shortened_and_forgotten_when_over() {
    Standing before =
        new Standing(
            0,
            0,
            1,
            0,
            0,
            0,
            List.of(Exclusion.of(Land.CHEAP, LATER), Exclusion.of(Land.DEAR, NOW)));
    Setbacks setbacks = under(Land.pool());
    assertThat(setbacks.excluded(before, Exclusion.of(Land.CHEAP, NOW.plusSeconds(60))).excluded())
        .containsExactly(Exclusion.of(Land.CHEAP, LATER));
    assertThat(setbacks.excluded(before, Exclusion.of(Land.CHEAP, LATER.plusSeconds(1))).excluded())
        .containsExactly(Exclusion.of(Land.CHEAP, LATER.plusSeconds(1)));
    assertThat(setbacks.excluded(before, Exclusion.of(Land.BARE, NOW)).excluded())
        .containsExactly(Exclusion.of(Land.CHEAP, LATER));
    assertThat(setbacks.excluded(before, Exclusion.of(Land.CHEAP, LATER)).refusals()).isEqualTo(1);
    assertThat(setbacks.failed(before).excluded()).containsExactly(Exclusion.of(Land.CHEAP, LATER));
  }

  @Test
  void an_exclusion_with_grounds_stands_beside_one_of_time_and_the_newer_grounds_count() {
    Exclusion old = new Exclusion(Land.CHEAP, LATER, Optional.of(grounds("a")));
    Exclusion fresh = new Exclusion(Land.CHEAP, LATER.minusSeconds(1), Optional.of(grounds("b")));
    Exclusion timed = Exclusion.of(Land.CHEAP, NOW.plusSeconds(60));
    Setbacks setbacks = under(Land.pool());
    Standing before = setbacks.excluded(Standing.FRESH, old);
    assertThat(setbacks.excluded(before, fresh).excluded()).containsExactly(fresh);
    assertThat(setbacks.excluded(before, timed).excluded()).containsExactly(timed, old);
  }

  private static Grounds grounds(String policies) {
    return new Grounds(policies, Abilities.NONE);
  }

  @ParameterizedTest
  @CsvSource({"1, 60", "2, 120", "3, 240", "6, 1920", "7, 3600", "40, 3600"})
  void a_back_off_doubles_up_to_the_longest(int failures, long seconds) {
    assertThat(Backoff.after(failures, Duration.ofMinutes(1), Duration.ofHours(1)))
        .isEqualTo(Duration.ofSeconds(seconds));
  }

  @Test
  void no_back_off_stays_none_and_a_long_one_is_cut() {
    assertThat(Backoff.after(9, Duration.ZERO, Duration.ofHours(1))).isZero();
    assertThat(Backoff.after(1, Duration.ofHours(2), Duration.ofHours(1)))
        .isEqualTo(Duration.ofHours(1));
  }
}
