package io.spillway.server.probes;

import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.model.MarketKey;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * When this replica's probes last saw each part of the market, whether anything had changed or not:
 * only changes are told to the scheduler, so by its state a market that stands still looks like one
 * that nobody sees any more. Empty where this replica never led. Any thread.
 */
@ApplicationScoped
public class LastSeen {
  /** What was not seen for so long is not looked for here any more. */
  private static final Duration KEPT = Duration.ofDays(1);

  private final Map<MarketKey, Instant> at = new ConcurrentHashMap<>();

  /** A round brought these. */
  void saw(List<Observation> seen) {
    Instant newest = Instant.MIN;
    for (Observation observation : seen) {
      at.merge(observation.key(), observation.observedAt(), LastSeen::later);
      newest = later(newest, observation.observedAt());
    }
    if (!seen.isEmpty()) {
      Instant oldest = newest.minus(KEPT);
      at.values().removeIf(time -> time.isBefore(oldest));
    }
  }

  public Optional<Instant> of(MarketKey key) {
    return Optional.ofNullable(at.get(key));
  }

  private static Instant later(Instant a, Instant b) {
    return a.isAfter(b) ? a : b;
  }
}
