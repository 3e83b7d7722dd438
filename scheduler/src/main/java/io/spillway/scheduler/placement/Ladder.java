package io.spillway.scheduler.placement;

import io.spillway.scheduler.policy.Rung;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * Which rungs of a queue's ladder are open to a job, and since or from when (semantics §7).
 *
 * <p>A rung opens when the one before has been open for {@code waited}, or has had nothing
 * admissible for {@code exhausted}, or at once when the one before has no {@code until}: since
 * rungs are tried in order, the later one is reached only if the earlier yields nothing.
 * Interruptions and refusals move the first rung instead; what lies before it is skipped.
 *
 * @param first index of the rung at which the search begins
 * @param opensAt by rung; empty before the first rung, and where time alone will not open it
 */
public record Ladder(int first, List<Optional<Instant>> opensAt) {

  /** Where a job stands: its first rung, and what it suffered there. */
  public record Counters(int first, int interruptions, int refusals) {}

  public Ladder {
    opensAt = List.copyOf(opensAt);
  }

  /**
   * @param rungs the queue's ladder
   * @param standing first rung and the counters on it, from the job's class
   * @param since when the job last became QUEUED
   * @param exhaustedSince by rung, since when nothing on it was admissible
   */
  public static Ladder of(
      List<Rung> rungs,
      Counters standing,
      Instant since,
      IntFunction<Optional<Instant>> exhaustedSince) {
    int first = first(rungs, standing);
    List<Optional<Instant>> opensAt = new ArrayList<>(rungs.size());
    for (int rung = 0; rung < rungs.size(); rung++) {
      if (rung < first) {
        opensAt.add(Optional.empty());
      } else if (rung == first) {
        opensAt.add(Optional.of(since));
      } else {
        Optional<Rung.Until> until = rungs.get(rung - 1).until();
        Optional<Instant> empty = exhaustedSince.apply(rung - 1);
        opensAt.add(opensAt.get(rung - 1).flatMap(at -> next(until, at, empty)));
      }
    }
    return new Ladder(first, opensAt);
  }

  /** Whether the rung may be used now. */
  public boolean isOpen(int rung, Instant now) {
    return opensAt.get(rung).map(at -> !at.isAfter(now)).orElse(false);
  }

  /** How many rungs may be used now. */
  public int opened(Instant now) {
    int opened = 0;
    for (int rung = 0; rung < opensAt.size(); rung++) {
      opened += isOpen(rung, now) ? 1 : 0;
    }
    return opened;
  }

  /** The next instant at which another rung opens by time alone. */
  public Optional<Instant> nextOpening(Instant now) {
    return opensAt.stream()
        .flatMap(Optional::stream)
        .filter(at -> at.isAfter(now))
        .sorted()
        .findFirst();
  }

  /**
   * The job's first rung, moved on while the counters on it reach its limits; they count on the
   * first rung only, so they move it by one. A ladder that became shorter keeps its last rung.
   */
  private static int first(List<Rung> rungs, Counters standing) {
    int last = rungs.size() - 1;
    if (standing.first() >= last) {
      return last;
    }
    return rungs
        .get(standing.first())
        .until()
        .filter(until -> reached(until, standing))
        .map(until -> standing.first() + 1)
        .orElse(standing.first());
  }

  private static boolean reached(Rung.Until until, Counters standing) {
    return (until.interruptions().isPresent()
            && standing.interruptions() >= until.interruptions().getAsInt())
        || (until.refusals().isPresent() && standing.refusals() >= until.refusals().getAsInt());
  }

  private static Optional<Instant> next(
      Optional<Rung.Until> until, Instant openSince, Optional<Instant> emptySince) {
    if (until.isEmpty()) {
      return Optional.of(openSince);
    }
    Optional<Instant> byWait = until.get().waited().map(openSince::plus);
    Optional<Instant> byExhaustion =
        until.get().exhausted().flatMap(time -> emptySince.map(since -> since.plus(time)));
    if (byWait.isPresent() && byExhaustion.isPresent()) {
      return byWait.get().isBefore(byExhaustion.get()) ? byWait : byExhaustion;
    }
    return byWait.or(() -> byExhaustion);
  }
}
