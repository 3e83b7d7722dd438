package io.spillway.capacity.spi;

import io.spillway.scheduler.market.Observation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * Asks one account what can be had. Called by the leader only, every {@link
 * AccountSettings#interval()}, never concurrently with itself, on any thread; it must not block the
 * caller. The caller cancels after 30 s. A probe asks the cheapest sufficient calls and never
 * launches anything.
 */
public interface CapacityProbe extends AutoCloseable {

  /**
   * Observes the market.
   *
   * <p>Completes exceptionally with {@link ProbeException}; any other exception counts as a bug of
   * the module. On failure the last observations stay and age.
   *
   * @param interest instance types that policies can use; a probe may observe more
   */
  CompletionStage<Result> observe(Set<String> interest, Instant now);

  /**
   * Calls that may still be made, where the probe limits itself or its provider says so; for the
   * board. Any thread, never blocks.
   */
  default Optional<Allowance> budget() {
    return Optional.empty();
  }

  @Override
  default void close() {}

  /**
   * What is left of a rate limit.
   *
   * @param left calls that may be made now, 0 to {@code limit}
   * @param limit calls in a window
   * @param window after which {@code limit} calls are there again
   */
  record Allowance(int left, int limit, Duration window) {}

  /**
   * What was seen. Absence of a key says nothing; only a key that is there and unavailable is.
   *
   * @param warnings parts that failed, for people; the rest is still good
   */
  record Result(List<Observation> observations, List<String> warnings) {
    public Result {
      observations = List.copyOf(observations);
      warnings = List.copyOf(warnings);
    }
  }
}
