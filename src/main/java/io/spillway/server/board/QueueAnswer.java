package io.spillway.server.board;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.spillway.scheduler.policy.QueuePolicy;
import io.spillway.scheduler.policy.Rung;
import io.spillway.scheduler.state.QueueStatus;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A queue as it stands. Quota, usage of quota and budget follow with the rules that they belong to.
 *
 * @param inPolicy whether the live policies still have it
 * @param jobs by state; states with no job are missing
 * @param usage GPUs and nodes that its live attempts hold
 * @param oldestWaiting submit time of the oldest job that waits and is in no back-off
 * @param maxPending and the other limits: missing = no limit
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
@Schema(description = "A queue as it stands")
public record QueueAnswer(
    @Schema(examples = "research") String name,
    boolean inPolicy,
    boolean paused,
    Map<String, Integer> jobs,
    Usage usage,
    Optional<Instant> oldestWaiting,
    Optional<String> defaultPriorityClass,
    List<String> allowedPriorityClasses,
    Optional<Integer> maxPending,
    Optional<Integer> maxNodesPerJob,
    Optional<Integer> submitRatePerSecond,
    List<RungAnswer> ladder) {

  /** What live attempts hold. */
  public record Usage(int gpus, int nodes) {}

  /** One rung of its ladder. */
  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  public record RungAnswer(
      String name,
      List<String> capacityTypes,
      List<String> providers,
      List<String> regions,
      List<String> clusters,
      List<String> pools,
      Optional<BigDecimal> maxPricePerGpuHour) {

    static RungAnswer of(Rung rung) {
      return new RungAnswer(
          rung.name(),
          rung.capacityTypes().stream().map(type -> type.text()).toList(),
          rung.providers(),
          rung.regions(),
          rung.clusters().stream().map(Object::toString).toList(),
          rung.pools().stream().map(Object::toString).toList(),
          rung.maxPricePerGpuHour().map(price -> price.dollars()));
    }
  }

  static QueueAnswer of(QueueStatus status, Optional<QueuePolicy> policy, Usage usage) {
    return new QueueAnswer(
        status.name().value(),
        status.known(),
        status.paused(),
        status.jobs(),
        usage,
        status.oldestWaiting(),
        policy.map(QueuePolicy::defaultClass),
        policy.map(QueuePolicy::allowedClasses).orElse(List.of()),
        policy.flatMap(p -> limit(p.limits().maxPending())),
        policy.flatMap(p -> limit(p.limits().maxNodesPerJob())),
        policy.flatMap(p -> limit(p.limits().submitRatePerSecond())),
        policy.map(p -> p.ladder().stream().map(RungAnswer::of).toList()).orElse(List.of()));
  }

  private static Optional<Integer> limit(int value) {
    return value == Integer.MAX_VALUE ? Optional.empty() : Optional.of(value);
  }
}
