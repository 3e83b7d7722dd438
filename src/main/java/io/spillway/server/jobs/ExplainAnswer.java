package io.spillway.server.jobs;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.spillway.server.board.OfferingAnswer;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * Why a job stands where it stands.
 *
 * @param source {@code leader}: evaluated for this call; {@code stored}: the last stored evaluation
 * @param truncated at most 20 candidates are there, the refusals only as counts
 * @param rungs the queue's ladder as it is open to the job now
 * @param ahead the first of the waiting jobs that go before it
 * @param line how many go before it, over all queues
 * @param wouldChange what can change the verdict
 * @param notLaunchable what is sold for less than the job can have now but no cluster can start,
 *     cheapest first, with what to install to use it
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
@Schema(description = "Why a job stands where it stands")
public record ExplainAnswer(
    String job,
    String state,
    String reason,
    @Schema(enumeration = {"leader", "stored", "none"}) String source,
    Optional<Instant> asOf,
    boolean truncated,
    Optional<String> shapeClass,
    List<Candidate> candidates,
    Map<String, Integer> refusals,
    List<Rung> rungs,
    List<String> ahead,
    Optional<Line> line,
    Optional<JobAnswer.Position> position,
    List<Change> wouldChange,
    List<OfferingAnswer> notLaunchable,
    Optional<Instant> nextLook,
    boolean quarantined) {

  ExplainAnswer withCandidates(List<Candidate> others) {
    return new ExplainAnswer(
        job,
        state,
        reason,
        source,
        asOf,
        truncated,
        shapeClass,
        others,
        refusals,
        rungs,
        ahead,
        line,
        position,
        wouldChange,
        notLaunchable,
        nextLook,
        quarantined);
  }

  /**
   * One offering's verdict.
   *
   * @param rank from 1 for an admissible one, 0 for a refused one
   * @param effectiveUsdPerUsefulGpuHour equal to the price until interruption rates are learnt
   * @param until when the refusal ends by itself
   * @param observedAt when a probe last asked, and what it said: with {@code trust}, {@code
   *     priceAt} and {@code source}; from the leader only
   */
  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  public record Candidate(
      String offering,
      int rung,
      int rank,
      Optional<BigDecimal> usdPerGpuHour,
      Optional<BigDecimal> effectiveUsdPerUsefulGpuHour,
      Optional<String> refusal,
      Optional<Instant> until,
      String detail,
      Optional<Instant> observedAt,
      Optional<Instant> priceAt,
      Optional<String> trust,
      Optional<String> source) {

    Candidate withDetail(String words) {
      return new Candidate(
          offering,
          rung,
          rank,
          usdPerGpuHour,
          effectiveUsdPerUsefulGpuHour,
          refusal,
          until,
          words,
          observedAt,
          priceAt,
          trust,
          source);
    }
  }

  /**
   * A rung of the ladder.
   *
   * @param opensAt since or from when it is open; missing if time alone will not open it
   */
  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  public record Rung(String name, boolean open, Optional<Instant> opensAt) {}

  /** Jobs before it; not exact beyond 1,000, where it is rounded down to hundreds. */
  public record Line(int jobs, boolean exact) {}

  /** Something that can change the verdict; an empty subject is any. */
  public record Change(String cause, String subject) {}
}
