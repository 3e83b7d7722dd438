package io.spillway.server.loop;

import java.time.Duration;

/** When the next memo is due: by events or by time, whichever comes first. */
final class MemoPace {
  private final Duration every;
  private final int events;
  private int since;
  private long lastAt;

  MemoPace(Duration every, int events) {
    this.every = every;
    this.events = events;
    restart();
  }

  void restart() {
    since = 0;
    lastAt = System.nanoTime();
  }

  boolean due(int committed) {
    since += committed;
    boolean due = since >= events || System.nanoTime() - lastAt >= every.toNanos();
    if (due) {
      restart();
    }
    return due;
  }
}
