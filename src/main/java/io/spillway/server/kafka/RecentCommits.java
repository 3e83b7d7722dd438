package io.spillway.server.kafka;

import io.spillway.scheduler.event.Event;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * The last commits as they were adopted, so that the relay need not read and decode the journal
 * when it keeps up. Filled by the loop's thread, read by the relay's.
 */
final class RecentCommits {
  private static final int KEPT_EVENTS = 50_000;

  private final Deque<Entry> entries = new ArrayDeque<>();
  private int events;

  /** One journal row. */
  record Entry(long seq, Instant now, List<Event> events) {
    private int weight() {
      return events.size() + 1;
    }
  }

  synchronized void add(Entry entry) {
    if (!entries.isEmpty() && entries.getLast().seq() != entry.seq() - 1) {
      entries.clear(); // The state was loaded anew in between.
      events = 0;
    }
    entries.addLast(entry);
    events += entry.weight();
    while (events > KEPT_EVENTS && entries.size() > 1) {
      events -= entries.removeFirst().weight();
    }
  }

  /** All entries after that seq, or empty if some of them are no longer here. */
  synchronized Optional<List<Entry>> after(long seq) {
    if (entries.isEmpty() || entries.getFirst().seq() > seq + 1) {
      return Optional.empty();
    }
    return Optional.of(entries.stream().filter(entry -> entry.seq() > seq).toList());
  }
}
