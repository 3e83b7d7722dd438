package io.spillway.server.loop;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.function.LongSupplier;

/**
 * The time of decisions: a wall clock read when it was last found right, and from then on what a
 * steady clock counts. A wall clock that jumps is heard only once it was compared with the
 * database's, so no deadline passes early because somebody set the time. While the machine is
 * suspended it stands still: deadlines then come late, never early. Any thread.
 */
public final class SteadyClock extends Clock {
  private final Clock wall;
  private final LongSupplier nanos;
  private volatile Anchor anchor;

  private record Anchor(Instant at, long nanos) {}

  /**
   * @param wall may jump
   * @param nanos counts nanoseconds and never jumps, from any origin
   */
  public SteadyClock(Clock wall, LongSupplier nanos) {
    this.wall = wall;
    this.nanos = nanos;
    anchor(wall.instant());
  }

  /** The machine's time, jumps included. */
  public Instant wall() {
    return wall.instant();
  }

  /** That reading of the wall clock, taken just now, was right. */
  public void anchor(Instant reading) {
    anchor = new Anchor(reading, nanos.getAsLong());
  }

  @Override
  public Instant instant() {
    Anchor from = anchor;
    return from.at().plus(Duration.ofNanos(nanos.getAsLong() - from.nanos()));
  }

  @Override
  public ZoneId getZone() {
    return wall.getZone();
  }

  @Override
  public Clock withZone(ZoneId zone) {
    SteadyClock other = new SteadyClock(wall.withZone(zone), nanos);
    other.anchor = anchor;
    return other;
  }
}
