package io.spillway.server.jobs;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A job as callers see it. Lists and submits leave out what is under {@link Detail}.
 *
 * @param reason why it is in that state
 * @param submittedAt database time of its acceptance: its place in the queue
 * @param policyVersion under which it was admitted
 * @param attempts how many it had
 * @param pending a command is not committed yet: this is the state before it
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
@Schema(description = "A job")
public record JobAnswer(
    @Schema(examples = "01KB3Z6Q8V4T2N7M5XW9R1C0DE") String id,
    @Schema(examples = "llama-ft") String name,
    @Schema(examples = "research") String queue,
    @Schema(examples = "normal") String priorityClass,
    @Schema(
            enumeration = {
              "QUEUED",
              "HELD",
              "LAUNCHING",
              "RUNNING",
              "DRAINING",
              "CANCELLING",
              "SUCCEEDED",
              "CANCELLED",
              "FAILED"
            })
        String state,
    @Schema(examples = "SUBMITTED") String reason,
    Optional<Instant> submittedAt,
    String submittedBy,
    Optional<Instant> finishedAt,
    String policyVersion,
    Map<String, String> labels,
    int attempts,
    Optional<Boolean> pending,
    Optional<Detail> detail) {

  /**
   * What only a single job's answer holds.
   *
   * @param shapeClass equal jobs of a queue share one; evaluations are stored under it
   * @param position in its queue while it waits
   * @param eta when it probably starts; empty with the reason, as long as nothing calibrated exists
   * @param attempt the one that counts now, the last one
   * @param progress what the job said last of it, if it ever did
   * @param spec as accepted, defaults filled in
   */
  public record Detail(
      Optional<String> shapeClass,
      Optional<Position> position,
      @JsonInclude(JsonInclude.Include.ALWAYS) Optional<Instant> eta,
      String etaReason,
      Optional<AttemptAnswer> attempt,
      Money cost,
      Optional<ProgressAnswer> progress,
      @Schema(implementation = Object.class) JsonNode spec) {}

  /**
   * How many jobs of the queue stand before it, itself included.
   *
   * @param exact false beyond 1,000: then it is about that many
   */
  public record Position(int place, boolean exact) {}

  static JobAnswer summary(JobRow row) {
    return of(row, Optional.empty(), Optional.empty());
  }

  static JobAnswer of(JobRow row, Optional<Boolean> pending, Optional<Detail> detail) {
    return new JobAnswer(
        row.id,
        row.name,
        row.queue,
        row.priorityClass,
        row.state,
        row.reason,
        Optional.of(row.submittedAt),
        row.submittedBy,
        Optional.ofNullable(row.finishedAt),
        row.policyVersion,
        JsonTexts.map(row.labels),
        row.attempts,
        pending,
        detail);
  }
}
