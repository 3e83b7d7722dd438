package io.spillway.server.jobs;

import com.fasterxml.jackson.annotation.JsonInclude;
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
 * @param ahead jobs of its queue that go before it, first in line first
 * @param wouldChange what can change the verdict
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
    List<String> ahead,
    Optional<JobAnswer.Position> position,
    List<Change> wouldChange,
    Optional<Instant> nextLook,
    boolean quarantined) {

  /**
   * One offering's verdict.
   *
   * @param rank from 1 for an admissible one, 0 for a refused one
   * @param effectiveUsdPerUsefulGpuHour equal to the price until interruption rates are learnt
   * @param until when the refusal ends by itself
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
      String detail) {}

  /** Something that can change the verdict; an empty subject is any. */
  public record Change(String cause, String subject) {}
}
