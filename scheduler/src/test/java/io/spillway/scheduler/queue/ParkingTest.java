package io.spillway.scheduler.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.scheduler.plan.ParkCause;
import io.spillway.scheduler.plan.ParkCause.Kind;
import io.spillway.scheduler.state.ParkedClass;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ParkingTest {
  private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");

  @Test
  void every_class_waits_for_a_policy_and_for_what_was_collected() {
    ParkedClass parked =
        new Parking()
            .on(Kind.CAPACITY, "pool b")
            .on(Kind.CAPACITY, "pool a")
            .until(Optional.of(NOON))
            .until(Optional.of(NOON.plusSeconds(1)))
            .until(Optional.empty())
            .of("class", false);

    assertThat(parked.causes())
        .containsExactly(
            new ParkCause(Kind.CAPACITY, "pool a"),
            new ParkCause(Kind.CAPACITY, "pool b"),
            new ParkCause(Kind.POLICY, ""));
    assertThat(parked.until()).contains(NOON);
  }

  @Test
  void too_many_subjects_of_a_kind_become_any_of_it() {
    Parking few = new Parking();
    Parking many = new Parking();
    for (int i = 0; i < Parking.MAX_SUBJECTS; i++) {
      few.on(Kind.BLOCK, "scope" + i);
      many.on(Kind.BLOCK, "scope" + i);
    }
    many.on(Kind.BLOCK, "one more");

    assertThat(few.of("c", false).causes()).hasSize(Parking.MAX_SUBJECTS + 1);
    assertThat(few.isAny(Kind.BLOCK)).isFalse();
    assertThat(many.isAny(Kind.BLOCK)).isTrue();
    assertThat(many.isAny(Kind.PAUSE)).isFalse();
    assertThat(many.of("c", false).causes()).contains(new ParkCause(Kind.BLOCK, ""));
    assertThat(many.of("c", false).causes()).hasSize(2);
  }

  @Test
  void a_class_covers_what_it_waits_for_by_name_or_by_kind_and_in_time() {
    ParkedClass byName = new Parking().on(Kind.BLOCK, "a").until(Optional.of(NOON)).of("c", false);
    ParkedClass byKind = new Parking().on(Kind.BLOCK, "").of("c", false);

    assertThat(new Parking().on(Kind.BLOCK, "a").isCoveredBy(byName)).isTrue();
    assertThat(new Parking().on(Kind.BLOCK, "b").isCoveredBy(byName)).isFalse();
    assertThat(new Parking().on(Kind.BLOCK, "b").isCoveredBy(byKind)).isTrue();
    assertThat(new Parking().on(Kind.CAPACITY, "a").isCoveredBy(byName)).isFalse();
    assertThat(new Parking().until(Optional.of(NOON)).isCoveredBy(byName)).isTrue();
    assertThat(new Parking().until(Optional.of(NOON.minusSeconds(1))).isCoveredBy(byName))
        .isFalse();
    assertThat(new Parking().until(Optional.of(NOON)).isCoveredBy(byKind)).isFalse();
  }
}
