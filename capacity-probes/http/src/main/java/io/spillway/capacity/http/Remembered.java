package io.spillway.capacity.http;

import io.spillway.capacity.spi.ProbeException;
import io.spillway.scheduler.model.FailureClass;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Answers that hold for longer than a round, such as lists of shapes or prices. What is still fresh
 * is not asked again; when asking fails, the last answer is used for a while, and that is told. By
 * the caller's clock. Any thread; of two rounds at a time, which do not occur, both would ask.
 *
 * @param <K> what was asked for, of a small set
 * @param <V> what was answered, immutable
 */
public final class Remembered<K, V> {
  private static final Set<FailureClass> LASTING =
      Set.of(FailureClass.AUTH, FailureClass.INVALID, FailureClass.QUOTA);

  private final Duration fresh;
  private final Duration usable;
  private final Duration refused;
  private final Map<K, Told<V>> told = new ConcurrentHashMap<>();
  private final Map<K, Told<ProbeException>> refusals = new ConcurrentHashMap<>();

  /**
   * @param fresh how long an answer is not asked for again
   * @param usable how long it stands in for one that failed
   */
  public Remembered(Duration fresh, Duration usable) {
    this(fresh, usable, Duration.ZERO);
  }

  /**
   * @param refused how long what is forbidden, or not understood, is not asked for again: for calls
   *     that need a permission of their own and are few
   */
  public Remembered(Duration fresh, Duration usable, Duration refused) {
    this.fresh = fresh;
    this.usable = usable;
    this.refused = refused;
  }

  /**
   * The remembered answer, or a new one.
   *
   * @param name what it is, for the warning
   */
  public CompletableFuture<Told<V>> get(
      K key, String name, ProbeRun run, Supplier<CompletableFuture<V>> ask) {
    Told<V> last = told.get(key);
    if (last != null && last.age(run.now()).compareTo(fresh) < 0) {
      return CompletableFuture.completedFuture(last);
    }
    Told<ProbeException> refusal = refusals.get(key);
    if (refusal != null && refusal.age(run.now()).compareTo(refused) < 0) {
      return instead(last, name, run, refusal.value());
    }
    return ask.get()
        .thenApply(
            value -> {
              Told<V> now = new Told<>(value, run.now());
              told.put(key, now);
              refusals.remove(key);
              return now;
            })
        .exceptionallyCompose(
            failure -> {
              Throwable cause = ProbeRun.typed(Refusals.cause(failure));
              if (cause instanceof ProbeException no && LASTING.contains(no.failureClass())) {
                refusals.put(key, new Told<>(no, run.now()));
              }
              return instead(last, name, run, cause);
            });
  }

  /** The last answer, if it can still be used, without asking. */
  public Optional<Told<V>> last(K key, Instant now) {
    return Optional.ofNullable(told.get(key)).filter(last -> last.age(now).compareTo(usable) < 0);
  }

  /**
   * Those keys that would be asked for, the longest unanswered first, at most that many: for lists
   * so long that a round cannot ask for all of them.
   */
  public List<K> due(Collection<K> keys, Instant now, int most) {
    return keys.stream()
        .filter(key -> isDue(key, now))
        .sorted(Comparator.comparing(this::askedAt))
        .limit(most)
        .toList();
  }

  private boolean isDue(K key, Instant now) {
    Told<V> last = told.get(key);
    Told<ProbeException> refusal = refusals.get(key);
    return (last == null || last.age(now).compareTo(fresh) >= 0)
        && (refusal == null || refusal.age(now).compareTo(refused) >= 0);
  }

  private Instant askedAt(K key) {
    Told<V> last = told.get(key);
    return last == null ? Instant.MIN : last.at();
  }

  private CompletableFuture<Told<V>> instead(
      Told<V> last, String name, ProbeRun run, Throwable cause) {
    if (last == null
        || !(cause instanceof ProbeException)
        || last.age(run.now()).compareTo(usable) >= 0) {
      return CompletableFuture.failedFuture(cause);
    }
    run.warn(name + " of " + last.at() + ", since: " + cause.getMessage());
    return CompletableFuture.completedFuture(last);
  }

  /**
   * An answer.
   *
   * @param at when it was asked for
   */
  public record Told<V>(V value, Instant at) {
    private Duration age(Instant now) {
      return Duration.between(at, now);
    }
  }
}
