package io.spillway.scheduler.retry;

import io.spillway.scheduler.lifecycle.Standing;
import io.spillway.scheduler.lifecycle.Standing.Exclusion;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.policy.Rung;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * Moves a job's standing by what befell it. Interruptions and refusals on the first rung open the
 * next one and make it the first (semantics §7); since nothing lowers it again in this version, a
 * moved job keeps its first rung for life.
 *
 * @param ladder of the job's queue; empty if the queue is gone
 */
public record Setbacks(List<Rung> ladder, Instant now) {
  public Setbacks {
    ladder = List.copyOf(ladder);
  }

  /** The provider took the capacity back; the offering is left alone for a while. */
  public Standing interrupted(Standing s, int rung, OfferingId offering, Instant excludedUntil) {
    int onRung = s.interruptions() + (rung == s.firstRung() ? 1 : 0);
    Standing counted =
        new Standing(
            s.firstRung(),
            onRung,
            0,
            s.userFailures(),
            s.infrastructureFailures(),
            s.totalInterruptions() + 1,
            excluding(s, Exclusion.of(offering, excludedUntil)));
    return limit(s.firstRung(), Limit.INTERRUPTIONS, onRung) ? moved(counted) : counted;
  }

  /** Capacity was refused there. */
  public Standing refused(Standing s, int rung, OfferingId offering, Instant excludedUntil) {
    int onRung = s.refusals() + (rung == s.firstRung() ? 1 : 0);
    Standing counted =
        new Standing(
            s.firstRung(),
            s.interruptions(),
            onRung,
            s.userFailures(),
            s.infrastructureFailures(),
            s.totalInterruptions(),
            excluding(s, Exclusion.of(offering, excludedUntil)));
    return limit(s.firstRung(), Limit.REFUSALS, onRung) ? moved(counted) : counted;
  }

  /** The offering is left alone without any count, since its cluster will not have the job. */
  public Standing excluded(Standing s, Exclusion exclusion) {
    return new Standing(
        s.firstRung(),
        s.interruptions(),
        s.refusals(),
        s.userFailures(),
        s.infrastructureFailures(),
        s.totalInterruptions(),
        excluding(s, exclusion));
  }

  /** It ended by its own fault. */
  public Standing failed(Standing s) {
    return new Standing(
        s.firstRung(),
        s.interruptions(),
        0,
        s.userFailures() + 1,
        s.infrastructureFailures(),
        s.totalInterruptions(),
        current(s));
  }

  /** Infrastructure failed under it. */
  public Standing brokenDown(Standing s) {
    return new Standing(
        s.firstRung(),
        s.interruptions(),
        0,
        s.userFailures(),
        s.infrastructureFailures() + 1,
        s.totalInterruptions(),
        current(s));
  }

  /** It goes back to the queue for another reason: refusals count anew. */
  public Standing requeued(Standing s) {
    return new Standing(
        s.firstRung(),
        s.interruptions(),
        0,
        s.userFailures(),
        s.infrastructureFailures(),
        s.totalInterruptions(),
        current(s));
  }

  private enum Limit {
    INTERRUPTIONS,
    REFUSALS
  }

  private boolean limit(int rung, Limit kind, int count) {
    if (rung + 1 >= ladder.size()) {
      return false;
    }
    OptionalInt limit =
        ladder
            .get(rung)
            .until()
            .map(until -> kind == Limit.REFUSALS ? until.refusals() : until.interruptions())
            .orElse(OptionalInt.empty());
    return limit.isPresent() && count >= limit.getAsInt();
  }

  private static Standing moved(Standing s) {
    return new Standing(
        s.firstRung() + 1,
        0,
        0,
        s.userFailures(),
        s.infrastructureFailures(),
        s.totalInterruptions(),
        s.excluded());
  }

  /** One offering has at most one of either kind: the longer without grounds, the newer with. */
  private List<Exclusion> excluding(Standing s, Exclusion added) {
    List<Exclusion> excluded = new ArrayList<>();
    Exclusion kept = added;
    for (Exclusion exclusion : current(s)) {
      boolean another =
          !exclusion.offering().equals(added.offering())
              || exclusion.grounds().isPresent() != added.grounds().isPresent();
      if (another) {
        excluded.add(exclusion);
      } else if (added.grounds().isEmpty() && exclusion.until().isAfter(kept.until())) {
        kept = exclusion;
      }
    }
    if (kept.until().isAfter(now)) {
      excluded.add(kept);
    }
    return excluded;
  }

  private List<Exclusion> current(Standing s) {
    return s.excluded().stream().filter(exclusion -> exclusion.until().isAfter(now)).toList();
  }
}
