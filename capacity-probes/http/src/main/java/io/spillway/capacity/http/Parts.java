package io.spillway.capacity.http;

import io.spillway.capacity.spi.ProbeException;
import io.spillway.scheduler.model.FailureClass;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Gathers what the parts of a round came to. Any thread. */
final class Parts<R> {
  private static final int LEAST = 9;

  private final Map<Integer, List<R>> good = new TreeMap<>();
  private final Map<String, Throwable> failed = new TreeMap<>();
  private int asked;

  synchronized CompletableFuture<Void> take(String name, CompletableFuture<List<R>> part) {
    int number = asked++;
    return part.handle(
        (seen, failure) -> {
          done(number, name, seen, failure);
          return null;
        });
  }

  private synchronized void done(int number, String name, List<R> seen, Throwable failure) {
    if (failure == null) {
      good.put(number, seen);
    } else {
      failed.put(name, ProbeRun.typed(Refusals.cause(failure)));
    }
  }

  /**
   * All that was seen, in the order in which it was asked.
   *
   * @throws CompletionException if every part failed, or one by a bug
   */
  synchronized List<R> end(ProbeRun run) {
    failed.values().stream()
        .filter(failure -> !(failure instanceof ProbeException))
        .findFirst()
        .ifPresent(
            bug -> {
              throw new CompletionException(bug);
            });
    if (good.isEmpty() && !failed.isEmpty()) {
      throw new CompletionException(
          failed.values().stream().min(Comparator.comparingInt(Parts::weight)).orElseThrow());
    }
    failed.forEach((name, failure) -> run.warn(name + ": " + failure.getMessage()));
    List<R> all = new ArrayList<>();
    good.values().forEach(all::addAll);
    return List.copyOf(all);
  }

  /** What asks most of the caller first: to be left alone, to be repaired, to be tried again. */
  private static int weight(Throwable failure) {
    FailureClass type = ((ProbeException) failure).failureClass();
    return switch (type) {
      case THROTTLED -> 0;
      case AUTH -> 1;
      case TRANSIENT -> 2;
      default -> LEAST;
    };
  }
}
