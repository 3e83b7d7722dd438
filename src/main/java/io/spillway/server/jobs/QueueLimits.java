package io.spillway.server.jobs;

import io.smallrye.mutiny.Uni;
import io.spillway.scheduler.model.QueueName;
import io.spillway.scheduler.policy.QueuePolicy;
import io.spillway.server.problem.ProblemType;
import io.spillway.server.problem.RetryLater;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A queue's {@code maxPending} and {@code submitRatePerSecond}. The rate is a token bucket of one
 * second's worth in each process. Waiting jobs are counted in the store when the count known so
 * far, plus all that was accepted here since, could reach the limit; far from it nothing is asked.
 */
@ApplicationScoped
class QueueLimits {
  private static final Duration COUNT_LIFETIME = Duration.ofSeconds(5);

  /** A queue that was full a moment ago is not counted again for every call that hammers it. */
  private static final Duration COUNT_PAUSE = Duration.ofMillis(200);

  private static final Duration FULL_RETRY = Duration.ofSeconds(5);

  private final JobQueries queries;
  private final Map<QueueName, Gate> gates = new ConcurrentHashMap<>();

  QueueLimits(JobQueries queries) {
    this.queries = queries;
  }

  /** Empty when {@code count} more may be submitted; they then are counted as submitted. */
  Uni<Optional<RetryLater>> admit(QueuePolicy queue, int count) {
    Gate gate = gates.computeIfAbsent(queue.name(), name -> new Gate());
    Optional<RetryLater> tooFast = gate.takeTokens(queue, count, System.nanoTime());
    if (tooFast.isPresent() || queue.limits().maxPending() == Integer.MAX_VALUE) {
      return Uni.createFrom().item(tooFast);
    }
    int most = queue.limits().maxPending();
    if (gate.takeRoom(count, most, System.nanoTime())) {
      return Uni.createFrom().item(Optional.empty());
    }
    if (gate.justCounted(System.nanoTime())) {
      return Uni.createFrom().item(Optional.of(full(queue, most)));
    }
    return queries
        .waiting(queue.name(), most)
        .map(
            waiting -> {
              gate.counted(waiting, System.nanoTime());
              return gate.takeRoom(count, most, System.nanoTime())
                  ? Optional.empty()
                  : Optional.of(full(queue, waiting));
            });
  }

  private static RetryLater full(QueuePolicy queue, long waiting) {
    return new RetryLater(
        ProblemType.QUEUE_FULL,
        "queue "
            + queue.name()
            + " holds "
            + waiting
            + " waiting jobs and takes at most "
            + queue.limits().maxPending(),
        FULL_RETRY);
  }

  /** One queue's counters. */
  private static final class Gate {
    private double tokens = Double.NaN;
    private long refilledAt;
    private long upperBound = -1;
    private long countedAt;

    synchronized Optional<RetryLater> takeTokens(QueuePolicy queue, int count, long now) {
      int rate = queue.limits().submitRatePerSecond();
      if (rate == Integer.MAX_VALUE) {
        return Optional.empty();
      }
      double elapsed = (now - refilledAt) / 1e9;
      tokens = Double.isNaN(tokens) ? rate : Math.min(rate, tokens + elapsed * rate);
      refilledAt = now;
      if (tokens >= Math.min(count, rate)) {
        tokens -= count;
        return Optional.empty();
      }
      long millis = (long) Math.ceil((Math.min(count, rate) - tokens) * 1000 / rate);
      return Optional.of(
          new RetryLater(
              ProblemType.RATE_EXCEEDED,
              "queue " + queue.name() + " takes " + rate + " submits a second",
              Duration.ofMillis(millis)));
    }

    /** Whether there surely is room; the count made last is an upper bound with what came since. */
    synchronized boolean takeRoom(int count, int most, long now) {
      boolean known = upperBound >= 0 && now - countedAt < COUNT_LIFETIME.toNanos();
      if (!known || upperBound + count > most) {
        return false;
      }
      upperBound += count;
      return true;
    }

    synchronized boolean justCounted(long now) {
      return upperBound >= 0 && now - countedAt < COUNT_PAUSE.toNanos();
    }

    synchronized void counted(long waiting, long now) {
      upperBound = waiting;
      countedAt = now;
    }
  }
}
