package io.spillway.capacity.http;

import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.market.Observation.Availability;
import io.spillway.scheduler.model.MarketKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * For interfaces that say "not available" by leaving out: remembers what an account's market had,
 * and tells what is left out now. Without it the last good word would stand for as long as its
 * price lives. One per account; any thread.
 */
public final class LeftOut {
  private static final int MOST = 2_000;

  private final Map<MarketKey, Observation> had = new LinkedHashMap<>();

  /**
   * The market as listed, and an {@code UNAVAILABLE} for each key that was listed before and is not
   * now.
   *
   * @param answered whether the part of the answer that would list the key is there and whole; what
   *     was not answered is absent, not gone
   */
  public synchronized List<Observation> completed(
      Collection<Observation> listed, Predicate<MarketKey> answered, ProbeRun run) {
    List<Observation> all = new ArrayList<>(listed);
    Set<MarketKey> present = new HashSet<>();
    listed.forEach(seen -> present.add(seen.key()));
    for (Observation last : had.values()) {
      if (!present.contains(last.key()) && answered.test(last.key())) {
        all.add(gone(last, run));
      }
    }
    listed.stream()
        .filter(seen -> seen.availability() == Availability.AVAILABLE)
        .forEach(this::remember);
    return List.copyOf(all);
  }

  private void remember(Observation seen) {
    had.remove(seen.key());
    had.put(seen.key(), seen);
    if (had.size() > MOST) {
      had.remove(had.keySet().iterator().next());
    }
  }

  private static Observation gone(Observation last, ProbeRun run) {
    return new Observation(
        last.key(),
        last.shape(),
        last.price(),
        last.onDemandPrice(),
        Availability.UNAVAILABLE,
        last.trust(),
        last.priceAt(),
        run.now(),
        last.source());
  }
}
