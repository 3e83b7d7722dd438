package io.spillway.server.gateway;

import io.spillway.scheduler.model.AttemptId;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a stream was told last of each attempt, so that reading everything again does not tell
 * everything again. A release is not repeated, since nobody confirms it. Forgetting is harmless: a
 * command told twice changes nothing. Belongs to one stream.
 */
final class SentCommands {
  private static final int KEPT = 50_000;

  private final long againNanos;
  private final Map<AttemptId, Sent> last =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<AttemptId, Sent> eldest) {
          return size() > KEPT;
        }
      };

  private record Sent(long seq, long atNanos, boolean refused) {}

  SentCommands(Duration again) {
    this.againNanos = again.toNanos();
  }

  void forget() {
    last.clear();
  }

  void forget(AttemptId attempt) {
    last.remove(attempt);
  }

  /** Whether it is news, or long ago; if so it counts as told now. */
  boolean due(Command command, long nowNanos) {
    Sent before = last.get(command.attempt());
    if (before != null
        && (before.seq() > command.seq()
            || (before.seq() == command.seq()
                && (command.frame().hasRelease() || nowNanos - before.atNanos() < againNanos)))) {
      return false;
    }
    if (before != null
        && before.seq() == command.seq()
        && command.refusal().isPresent()
        && !before.refused()) {
      // Its objects may be there already: what was told is not taken back by a refusal.
      return false;
    }
    last.remove(command.attempt());
    last.put(command.attempt(), new Sent(command.seq(), nowNanos, command.refusal().isPresent()));
    return true;
  }
}
