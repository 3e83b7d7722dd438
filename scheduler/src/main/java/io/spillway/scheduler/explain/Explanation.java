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
 * @param candidates every offering with its verdict, best first; those that no rung of the queue
 *     names, or the shape never fits, have rung −1
 * @param rungs the queue's ladder as it is open to the job now
 * @param parked what its class waits for, if it was set aside: what would change the verdict
 * @param ahead the first of the waiting jobs that go before it, at most {@value Line#NAMED}
 * @param line how many go before it; empty if it does not wait
 * @param eta when it may start, and if that is not known why not
 */
public record Explanation(
    JobId job,
    String shapeClass,
    List<Evaluation.Candidate> candidates,
    List<RungState> rungs,
    Optional<ParkedClass> parked,
    List<JobId> ahead,
    Optional<Line> line,
    Eta eta,
    Instant asOf) {

  public Explanation {
    candidates = List.copyOf(candidates);
    rungs = List.copyOf(rungs);
    ahead = List.copyOf(ahead);
  }

  /**
   * One rung of the ladder.
   *
   * @param opensAt since or from when it is open; empty if time alone will not open it
   */
  public record RungState(String name, boolean open, Optional<Instant> opensAt) {}

  /** When the job may start; {@code reason} says why nothing is known. */
  public record Eta(Optional<Instant> at, String reason) {
    /** Start times are not estimated yet. */
    public static final Eta NOT_SUPPORTED =
        new Eta(Optional.empty(), "not supported by this version");
  }
}
