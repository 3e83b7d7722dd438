package io.spillway.scheduler.lifecycle;

import io.spillway.scheduler.model.Grounds;
import io.spillway.scheduler.model.OfferingId;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Where a job stands on its ladder and in its budgets. All zero for a job that nothing has happened
 * to yet; such jobs of equal shape are one class.
 *
 * @param firstRung index of the rung its search begins at
 * @param interruptions suffered on {@code firstRung} over the job's life
 * @param refusals on {@code firstRung} since it last became QUEUED
 * @param userFailures ends by its own fault
 * @param infrastructureFailures ends by infrastructure's
 * @param totalInterruptions over its life, on any rung
 * @param excluded offerings that interrupted or refused it, until when; sorted by offering
 */
public record Standing(
    int firstRung,
    int interruptions,
    int refusals,
    int userFailures,
    int infrastructureFailures,
    int totalInterruptions,
    List<Exclusion> excluded) {
  public static final Standing FRESH = new Standing(0, 0, 0, 0, 0, 0, List.of());

  public Standing {
    excluded =
        excluded.stream()
            .sorted(
                Comparator.comparing(Exclusion::offering)
                    .thenComparing(exclusion -> exclusion.grounds().isPresent()))
            .toList();
  }

  /**
   * An offering that is not tried again for this job before that time.
   *
   * @param grounds if it rests on any, it also ends when they no longer hold
   */
  public record Exclusion(OfferingId offering, Instant until, Optional<Grounds> grounds) {

    /** One that time alone ends. */
    public static Exclusion of(OfferingId offering, Instant until) {
      return new Exclusion(offering, until, Optional.empty());
    }

    /** Without grounds the text of old journals, whose hashes and digests are made of it. */
    @Override
    public String toString() {
      String rest = grounds.map(all -> ", grounds=" + all).orElse("");
      return "Exclusion[offering=" + offering + ", until=" + until + rest + "]";
    }
  }
}
