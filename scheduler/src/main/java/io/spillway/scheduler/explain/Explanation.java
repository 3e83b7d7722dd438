package io.spillway.scheduler.explain;

import io.spillway.scheduler.model.JobId;
import io.spillway.scheduler.plan.Evaluation;
import io.spillway.scheduler.state.ParkedClass;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Why a job stands where it stands.
 *
 * @param shapeClass canonical text of its class
 * @param candidates every offering with its verdict, on every rung
 * @param parked what its class waits for, if it was set aside
 * @param ahead waiting jobs that go before it, at most 1,000
 */
public record Explanation(
    JobId job,
    String shapeClass,
    List<Evaluation.Candidate> candidates,
    Optional<ParkedClass> parked,
    List<JobId> ahead,
    Instant asOf) {
  public Explanation {
    candidates = List.copyOf(candidates);
    ahead = List.copyOf(ahead);
  }
}
