package io.spillway.server.inbox;

import io.spillway.scheduler.input.Lane;
import io.spillway.server.store.Database;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** This process's writers, one per lane. */
final class Lanes {
  private final Map<Lane, LaneWriter> writers = new EnumMap<>(Lane.class);

  Lanes(
      Database database,
      String cell,
      String replica,
      InboxBell bell,
      Consumer<List<PendingItem.Job>> repeats) {
    for (Lane lane : Lane.values()) {
      writers.put(lane, new LaneWriter(database, cell, replica, lane, bell, repeats));
    }
  }

  void add(Lane lane, List<? extends PendingItem> items) {
    writers.get(lane).add(items);
  }

  /** Takes nothing more. */
  void close() {
    writers.values().forEach(LaneWriter::close);
  }

  boolean areIdle() {
    return writers.values().stream().allMatch(LaneWriter::isIdle);
  }
}
