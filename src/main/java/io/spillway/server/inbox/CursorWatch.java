package io.spillway.server.inbox;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * Who waits for the loop to pass a row. On the leader the loop says so itself, elsewhere the
 * follower reads the cursors of the writers that somebody waits for. Any thread.
 */
public final class CursorWatch {
  private final Map<String, TreeMap<Long, List<CompletableFuture<Boolean>>>> waiting =
      new HashMap<>();
  private final Map<String, Long> passed = new HashMap<>();

  /** Completes with true once the writer's cursor is at least that number. */
  synchronized CompletableFuture<Boolean> await(InboxKey key) {
    if (passed.getOrDefault(key.writer(), 0L) >= key.seq()) {
      return CompletableFuture.completedFuture(true);
    }
    CompletableFuture<Boolean> future = new CompletableFuture<>();
    waiting
        .computeIfAbsent(key.writer(), writer -> new TreeMap<>())
        .computeIfAbsent(key.seq(), seq -> new ArrayList<>(1))
        .add(future);
    return future;
  }

  /** Forgets one that has waited long enough. */
  synchronized void giveUp(InboxKey key, CompletableFuture<Boolean> future) {
    Optional.ofNullable(waiting.get(key.writer()))
        .ifPresent(
            bySeq -> {
              bySeq.computeIfPresent(
                  key.seq(),
                  (seq, futures) -> {
                    futures.removeIf(waiter -> waiter == future);
                    return futures.isEmpty() ? null : futures;
                  });
              if (bySeq.isEmpty()) {
                waiting.remove(key.writer());
              }
            });
    future.complete(false);
  }

  /** Writers that somebody waits for. */
  public synchronized List<String> awaited() {
    return List.copyOf(waiting.keySet());
  }

  /** The loop's commit moved these cursors (writer → number). */
  public void passed(Map<String, Long> cursors) {
    List<CompletableFuture<Boolean>> done = new ArrayList<>();
    synchronized (this) {
      cursors.forEach(
          (writer, seq) -> {
            passed.merge(writer, seq, Math::max);
            TreeMap<Long, List<CompletableFuture<Boolean>>> bySeq = waiting.get(writer);
            if (bySeq == null) {
              return;
            }
            while (!bySeq.isEmpty() && bySeq.firstKey() <= seq) {
              done.addAll(bySeq.pollFirstEntry().getValue());
            }
            if (bySeq.isEmpty()) {
              waiting.remove(writer);
            }
          });
    }
    done.forEach(future -> future.complete(true));
  }
}
