package io.spillway.capacity.http;

import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe.Allowance;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * How often an account may call its provider: a bucket of calls that fills evenly, and the silence
 * that the provider itself asked for. One per account, so that no account slows another. Any
 * thread; never blocks: whoever asks is told how long to wait, or that it would be too long.
 */
public final class CallBudget {
  private final int burst;
  private final long nanosPerCall;
  private final long burstNanos;
  private final long longestWaitNanos;
  private final LongSupplier clock;

  /** When the bucket is full, on the clock; calls that wait already stand in it. */
  private long fullAt;

  private long silentUntil;

  /**
   * @param burst calls that may be made at once
   * @param perSecond calls that come back each second
   * @param longestWait a call that would wait longer is refused
   */
  public CallBudget(int burst, double perSecond, Duration longestWait) {
    this(burst, perSecond, longestWait, System::nanoTime);
  }

  /**
   * What a module lets itself call, as often as the account's {@code callRate} makes of it. A round
   * needs its calls at once, so the burst stays.
   */
  public static CallBudget of(
      AccountSettings account, int burst, double perSecond, Duration longestWait) {
    return new CallBudget(burst, perSecond * account.callRate(), longestWait);
  }

  CallBudget(int burst, double perSecond, Duration longestWait, LongSupplier clock) {
    if (burst < 1 || !(perSecond > 0)) {
      throw new IllegalArgumentException("no budget: " + burst + " calls, " + perSecond + "/s");
    }
    this.burst = burst;
    this.nanosPerCall = (long) (1_000_000_000L / perSecond);
    this.burstNanos = nanosPerCall * (burst - 1);
    this.longestWaitNanos = longestWait.toNanos();
    this.clock = clock;
    this.fullAt = clock.getAsLong();
    this.silentUntil = fullAt;
  }

  /**
   * Takes one call out of the bucket.
   *
   * @return how long it must wait before it is made; empty when that is too long or the provider
   *     asked for silence, and then nothing was taken
   */
  public synchronized Optional<Duration> take() {
    long now = clock.getAsLong();
    long wait = Math.max(0, fullAt - burstNanos - now);
    if (now < silentUntil || wait > longestWaitNanos) {
      return Optional.empty();
    }
    fullAt = Math.max(fullAt, now) + nanosPerCall;
    return Optional.of(Duration.ofNanos(wait));
  }

  /** The provider asked to be left alone for that long. */
  synchronized void silence(Duration time) {
    silentUntil = Math.max(silentUntil, clock.getAsLong() + time.toNanos());
  }

  /** What is left, for the board. */
  public synchronized Allowance allowance() {
    long now = clock.getAsLong();
    long inUse = Math.max(0, fullAt - now);
    int used = (int) Math.min(burst, (inUse + nanosPerCall - 1) / nanosPerCall);
    return new Allowance(
        silentUntil > now ? 0 : burst - used, burst, Duration.ofNanos(nanosPerCall * burst));
  }

  /** How long until a call could be made. */
  synchronized Duration nextIn() {
    long now = clock.getAsLong();
    return Duration.ofNanos(Math.max(0, Math.max(silentUntil, fullAt - burstNanos) - now));
  }
}
