package io.spillway.server.inbox;

import io.spillway.scheduler.input.Lane;
import io.spillway.server.store.Database;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * This process's writers: of each lane one for what comes from Kafka and one for everything else. A
 * flood of provider events delays no agent's report then, neither here nor in a take, which goes
 * from writer to writer.
 */
final class Lanes {
  private final Map<Lane, LaneWriter> direct = new EnumMap<>(Lane.class);
  private final Map<Lane, LaneWriter> fromKafka = new EnumMap<>(Lane.class);

  Lanes(
      Database database,
      String cell,
      String replica,
      InboxBell bell,
      Consumer<List<PendingItem.Job>> repeats) {
    for (Lane lane : Lane.values()) {
      direct.put(lane, new LaneWriter(database, cell, replica, lane, bell, repeats));
      fromKafka.put(lane, new LaneWriter(database, cell, replica, lane, bell, repeats));
    }
  }

  void add(Lane lane, List<? extends PendingItem> items) {
    direct.get(lane).add(items);
  }

  /** Adds what moves an offset; all of one partition's moves stay in their order. */
  void addFromKafka(Lane lane, PendingItem.Move item) {
    fromKafka.get(lane).add(List.of(item));
  }

  /** Takes nothing more. */
  void close() {
    all().forEach(LaneWriter::close);
  }

  boolean areIdle() {
    return all().allMatch(LaneWriter::isIdle);
  }

  private Stream<LaneWriter> all() {
    return Stream.concat(direct.values().stream(), fromKafka.values().stream());
  }
}
