package io.spillway.scheduler.plan;

import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.model.QueueName;
import io.spillway.scheduler.model.UsdPerGpuHour;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How one class of jobs was judged in one cycle: the best candidates and the refusals counted.
 *
 * @param placed jobs placed from this evaluation
 * @param parked the causes, if the class was set aside
 * @param refusals how many offerings were refused for each reason
 */
public record Evaluation(
    String shapeClass,
    QueueName queue,
    List<Candidate> candidates,
    Map<RefusalReason, Integer> refusals,
    List<Placed> placed,
    List<ParkCause> parked,
    boolean quarantined) {
  /** Candidates kept of an evaluation. */
  public static final int MAX_CANDIDATES = 20;

  public Evaluation {
    candidates = List.copyOf(candidates);
    refusals = java.util.Collections.unmodifiableMap(new TreeMap<>(refusals));
    placed = List.copyOf(placed);
    parked = List.copyOf(parked);
  }

  /**
   * One offering's verdict.
   *
   * @param rank from 1 for an admissible one, 0 for a refused one
   * @param until when the refusal ends by itself, if known
   * @param detail numbers behind the reason, for people
   */
  public record Candidate(
      OfferingId offering,
      int rung,
      int rank,
      Optional<UsdPerGpuHour> price,
      Optional<RefusalReason> refusal,
      Optional<Instant> until,
      String detail) {}

  /** A job placed, and where. */
  public record Placed(io.spillway.scheduler.model.AttemptId attempt, OfferingId offering) {}
}
