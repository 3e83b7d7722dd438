package io.spillway.scheduler.state;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/** Index of remembered notices by the instances they name. Derived; never part of the digest. */
final class PendingNotices implements Table.Listener<String, Memo.Notice> {
  private final Map<String, NavigableSet<String>> byInstance = new HashMap<>();

  /** Ids of notices that name the instance. */
  List<String> naming(String providerId) {
    return List.copyOf(byInstance.getOrDefault(providerId, Collections.emptyNavigableSet()));
  }

  @Override
  public void changed(String id, Memo.Notice before, Memo.Notice after) {
    if (before != null) {
      before.notice().instances().forEach(instance -> remove(instance, id));
    }
    if (after != null) {
      after
          .notice()
          .instances()
          .forEach(instance -> byInstance.computeIfAbsent(instance, i -> new TreeSet<>()).add(id));
    }
  }

  private void remove(String instance, String id) {
    NavigableSet<String> ids = byInstance.get(instance);
    if (ids != null) {
      ids.remove(id);
      if (ids.isEmpty()) {
        byInstance.remove(instance);
      }
    }
  }
}
