package io.spillway.capacity.simulated.agent;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Attempts that are over, in the order of their ends. Only from the timeline. */
final class Past {
  /** Commands are repeated for minutes, not for hours. */
  private static final Duration MEMORY = Duration.ofMinutes(30);

  private final Map<String, Ended> ended = new LinkedHashMap<>();

  void add(String attempt, Ended over) {
    ended.put(attempt, over);
  }

  Optional<Ended> find(String attempt) {
    return Optional.ofNullable(ended.get(attempt));
  }

  Map<String, Ended> all() {
    return Map.copyOf(ended);
  }

  void forget(long nowMillis) {
    long before = nowMillis - MEMORY.toMillis();
    Iterator<Ended> oldest = ended.values().iterator();
    while (oldest.hasNext() && oldest.next().atMillis() < before) {
      oldest.remove();
    }
  }
}
