package io.spillway.verify.kill;

import java.util.List;
import java.util.Set;

/**
 * A job as the public API shows it.
 *
 * @param key the label that the load generator put on it
 */
record Seen(String id, String key, String state, String reason, List<Try> attempts) {
  private static final Set<String> TERMINAL = Set.of("SUCCEEDED", "CANCELLED", "FAILED");
  private static final Set<String> WAITING = Set.of("QUEUED", "HELD");

  Seen {
    attempts = List.copyOf(attempts);
  }

  /** One of its attempts. */
  record Try(String id, String cluster, String state, String outcome) {}

  boolean ended() {
    return TERMINAL.contains(state);
  }

  /** It waits, and says why. */
  boolean waits() {
    return WAITING.contains(state) && !reason.isEmpty();
  }
}
