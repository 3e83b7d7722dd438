package io.spillway.server.jobs;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.model.OfferingId;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * One try of a job on one offering.
 *
 * @param rung index into the queue's ladder, from 0
 * @param unreachable its cluster is cut off; it runs on
 * @param instances the provider's ids of its nodes
 * @param runSeconds in which all members ran
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
@Schema(description = "One try of a job on one offering")
public record AttemptAnswer(
    String id,
    int number,
    @Schema(
            enumeration = {
              "INTENDED",
              "LAUNCHING",
              "UNKNOWN",
              "STARTING",
              "RUNNING",
              "ENDING",
              "ENDED"
            })
        String state,
    Optional<String> outcome,
    Optional<String> reason,
    String offering,
    String cluster,
    String zone,
    String instanceType,
    String capacityType,
    Optional<String> pool,
    int rung,
    String rungName,
    BigDecimal usdPerGpuHour,
    BigDecimal onDemandUsdPerGpuHour,
    int nodes,
    int gpusPerNode,
    Instant createdAt,
    Optional<Instant> runningSince,
    Optional<Instant> endedAt,
    long runSeconds,
    boolean unreachable,
    List<String> instances,
    Money cost) {

  static AttemptAnswer of(AttemptRow row, Instant now) {
    Attempt attempt = row.attempt();
    Attempt.Placement placement = attempt.placement();
    OfferingId offering = placement.offering();
    return new AttemptAnswer(
        attempt.id().toString(),
        row.number,
        row.state,
        Optional.ofNullable(row.outcome),
        Optional.ofNullable(row.reason),
        offering.text(),
        offering.cluster().value(),
        offering.zone(),
        offering.instanceType(),
        offering.capacityType().text(),
        offering.pool().map(Object::toString),
        placement.rung(),
        placement.rungName(),
        placement.price().dollars(),
        placement.onDemandPrice().dollars(),
        placement.nodes(),
        placement.gpusPerNode(),
        row.createdAt,
        attempt.runningSince(),
        Optional.ofNullable(row.endedAt),
        attempt.ran(now).toSeconds(),
        attempt.unreachable(),
        attempt.instances(),
        Money.of(List.of(attempt), now));
  }
}
