package io.spillway.server.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class SteadyClockTest {
  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

  private final AtomicReference<Instant> wall = new AtomicReference<>(START);
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
  private final SteadyClock clock = new SteadyClock(wallClock(), nanos::get);

  private Clock wallClock() {
    return ((InstantSource) wall::get).withZone(ZoneOffset.UTC);
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
    wall.updateAndGet(at -> at.plus(time));
  }

  @Test
  void a_wall_clock_that_jumps_is_not_heard_until_it_was_found_right() {
    pass(Duration.ofSeconds(3));
    wall.updateAndGet(at -> at.plusSeconds(120));

    assertThat(clock.instant()).isEqualTo(START.plusSeconds(3));
    assertThat(clock.wall()).isEqualTo(START.plusSeconds(123));

    clock.anchor(clock.wall());
    pass(Duration.ofMillis(250));

    assertThat(clock.instant()).isEqualTo(START.plusSeconds(123).plusMillis(250));
  }

  @Test
  void a_steady_count_may_run_over_its_end() {
    pass(Duration.ofDays(1));

    assertThat(clock.instant()).isEqualTo(START.plus(Duration.ofDays(1)));
  }
}
