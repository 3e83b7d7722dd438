package io.spillway.server.simulation;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** Virtual time; a replica's own clock may be off. */
final class SimClock extends Clock {
  private final SimClock world;
  private Instant now;
  private Duration skew = Duration.ZERO;

  SimClock(Instant start) {
    this.world = this;
    this.now = start;
  }

  private SimClock(SimClock world) {
    this.world = world;
  }

  SimClock replica() {
    return new SimClock(world);
  }

  void advance(Duration time) {
    now = now.plus(time);
  }

  void skew(Duration by) {
    skew = by;
  }

  Duration skew() {
    return skew;
  }

  /** What a steady clock counts: no skew. */
  long nanos() {
    return Duration.between(Instant.EPOCH, world.now).toNanos();
  }

  @Override
  public Instant instant() {
    return world.now.plus(skew);
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    throw new IllegalStateException("virtual time has one zone");
  }
}
