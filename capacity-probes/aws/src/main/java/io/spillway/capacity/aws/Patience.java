package io.spillway.capacity.aws;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;

/**
 * What is left of the time for one run of the probe. A call that outlives it is given up. Waits
 * block, so they stand on virtual threads only.
 */
final class Patience {
  private final long begin = System.nanoTime();
  private final long end;

  private Patience(Duration time) {
    this.end = begin + time.toNanos();
  }

  static Patience of(Duration time) {
    return new Patience(time);
  }

  /** What was spent at that time of {@link System#nanoTime}; negative before the run began. */
  Duration spentAt(long nanoTime) {
    return Duration.ofNanos(nanoTime - begin);
  }

  boolean isOver() {
    return System.nanoTime() - end >= 0;
  }

  /** Waits that long, but not beyond the end. */
  void pause(Duration time) {
    try {
      TimeUnit.NANOSECONDS.sleep(Math.min(time.toNanos(), Math.max(0, end - System.nanoTime())));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw AbortedException.create("the probe is closing");
    }
  }

  /** The result, if it comes in time; it goes on otherwise, and is not waited for. */
  <T> Optional<T> inTime(CompletableFuture<T> result) {
    try {
      return Optional.of(result.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS));
    } catch (TimeoutException e) {
      return Optional.empty();
    } catch (ExecutionException e) {
      throw new CompletionException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw AbortedException.create("the probe is closing");
    }
  }

  /**
   * The call's answer.
   *
   * @throws RuntimeException as the SDK failed, or {@link ApiCallTimeoutException} at the end of
   *     the time
   */
  <T> T answer(CompletableFuture<T> call) {
    try {
      return call.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException failure
          ? failure
          : new IllegalStateException(e.getCause());
    } catch (TimeoutException e) {
      call.cancel(true);
      throw ApiCallTimeoutException.builder().message("no time left for this run").cause(e).build();
    } catch (InterruptedException e) {
      call.cancel(true);
      Thread.currentThread().interrupt();
      throw AbortedException.create("the probe is closing");
    }
  }
}
