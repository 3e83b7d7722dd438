package io.spillway.server.loop;

import io.spillway.scheduler.cycle.Cycle;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.LongSupplier;

/** Gives each cycle its number, its time, which never goes back, and its seed. */
final class Cycles {
  private final Clock clock;
  private final LongSupplier seeds;
  private long last;
  private Instant lastNow = Instant.EPOCH;

  Cycles(Clock clock, LongSupplier seeds) {
    this.clock = clock;
    this.seeds = seeds;
  }

  /** From now on cycles come after that journal row. */
  void continueAfter(Journal.Head head) {
    last = Math.max(last, head.cycle());
    lastNow = head.now();
  }

  /** The last journalled now, or the clock if it is later; in milliseconds, as it is stored. */
  Cycle begin(LeaderToken token) {
    Instant clockNow = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    Instant now = clockNow.isAfter(lastNow) ? clockNow : lastNow;
    last++;
    return new Cycle(last, now, seeds.getAsLong(), token.epoch());
  }

  void committed(Cycle cycle) {
    lastNow = cycle.now();
  }
}
