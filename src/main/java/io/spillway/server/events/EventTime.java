package io.spillway.server.events;

import java.time.Instant;

/**
 * Times in events of others. Any instant can be written, and the first or the last one that there
 * is makes every addition to it fail, in a cycle that then would be tried again for ever.
 */
public final class EventTime {
  private static final Instant EARLIEST = Instant.EPOCH;
  private static final Instant LATEST = Instant.parse("2200-01-01T00:00:00Z");

  private EventTime() {}

  /** Whether something can have happened, or be going to happen, then. */
  public static boolean isPlausible(Instant time) {
    return !time.isBefore(EARLIEST) && !time.isAfter(LATEST);
  }
}
