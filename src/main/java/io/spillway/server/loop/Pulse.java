package io.spillway.server.loop;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Signs of life of the loop, written by its thread, read by any. */
public final class Pulse {
  private volatile long beatAt = System.nanoTime();
  private volatile long advancedAt = System.nanoTime();
  private volatile boolean caughtUp;
  private volatile boolean ended;
  private volatile String lastTrouble = "";
  private final AtomicLong mismatches = new AtomicLong();
  private final AtomicLong troubles = new AtomicLong();

  void beat() {
    beatAt = System.nanoTime();
  }

  void advanced() {
    advancedAt = System.nanoTime();
  }

  void caughtUp() {
    caughtUp = true;
    lastTrouble = "";
  }

  void trouble(RuntimeException trouble) {
    caughtUp = false;
    troubles.incrementAndGet();
    lastTrouble = String.valueOf(trouble.getMessage());
  }

  void mismatch() {
    caughtUp = false;
    mismatches.incrementAndGet();
  }

  void ended() {
    ended = true;
  }

  /** Since the loop last came round. */
  public Duration sinceBeat() {
    return Duration.ofNanos(System.nanoTime() - beatAt);
  }

  /** Since the leading loop last committed. */
  public Duration sinceAdvance() {
    return Duration.ofNanos(System.nanoTime() - advancedAt);
  }

  /** Whether the state was at the journal's end and nothing went wrong since. */
  public boolean isCaughtUp() {
    return caughtUp;
  }

  public boolean hasEnded() {
    return ended;
  }

  /** Digests that differed from the journal's while following. */
  public long mismatches() {
    return mismatches.get();
  }

  /** Iterations that failed. */
  public long troubles() {
    return troubles.get();
  }

  /** What went wrong last; empty if nothing since. */
  public String lastTrouble() {
    return lastTrouble;
  }
}
