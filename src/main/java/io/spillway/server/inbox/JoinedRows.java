package io.spillway.server.inbox;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Neighbours of one actor in a batch become one inbox row: fewer rows under load, the same order.
 */
final class JoinedRows {
  private static final int MAX_INPUTS = 500;

  private JoinedRows() {}

  static List<PendingItem.Row> of(List<PendingItem.Row> rows) {
    List<PendingItem.Row> joined = new ArrayList<>();
    List<PendingItem.Row> group = new ArrayList<>();
    int inputs = 0;
    for (PendingItem.Row row : rows) {
      boolean fits =
          !group.isEmpty()
              && group.getFirst().actor().equals(row.actor())
              && inputs + row.inputs() <= MAX_INPUTS;
      if (!fits && !group.isEmpty()) {
        joined.add(join(group, inputs));
        group.clear();
        inputs = 0;
      }
      group.add(row);
      inputs += row.inputs();
    }
    if (!group.isEmpty()) {
      joined.add(join(group, inputs));
    }
    return joined;
  }

  private static PendingItem.Row join(List<PendingItem.Row> group, int inputs) {
    if (group.size() == 1) {
      return group.getFirst();
    }
    StringBuilder payload = new StringBuilder("[");
    List<CompletableFuture<InboxKey>> waiting = new ArrayList<>();
    for (PendingItem.Row row : group) {
      // Each payload is a JSON array that is not empty.
      payload.append(payload.length() > 1 ? "," : "");
      payload.append(row.payload(), 1, row.payload().length() - 1);
      waiting.add(row.done());
    }
    CompletableFuture<InboxKey> done = new CompletableFuture<>();
    var _ = done.thenAccept(key -> waiting.forEach(each -> each.complete(key)));
    return new PendingItem.Row(
        group.getFirst().actor(), inputs, payload.append(']').toString(), done);
  }
}
