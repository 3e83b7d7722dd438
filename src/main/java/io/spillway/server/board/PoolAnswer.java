package io.spillway.server.board;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.spillway.scheduler.policy.PoolPolicy;
import io.spillway.scheduler.state.PoolStatus;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A finite pool as it stands.
 *
 * @param owners nodes by queue
 * @param usdPerNodeHour what an hour of a node costs, paid or not
 * @param accounting {@code Sunk}: a job there costs nothing more
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
@Schema(description = "A finite pool as it stands")
public record PoolAnswer(
    String name,
    String offering,
    String cluster,
    String instanceType,
    String zone,
    String capacityType,
    Optional<String> reservationId,
    int nodes,
    int readyNodes,
    int usedNodes,
    boolean cordoned,
    Map<String, Integer> owners,
    Optional<Instant> from,
    Optional<Instant> until,
    BigDecimal usdPerNodeHour,
    String accounting) {

  static PoolAnswer of(PoolStatus status) {
    PoolPolicy policy = status.policy();
    Map<String, Integer> owners = new TreeMap<>();
    policy.owners().forEach((queue, nodes) -> owners.put(queue.value(), nodes));
    return new PoolAnswer(
        policy.name().value(),
        status.offering().text(),
        policy.cluster().value(),
        policy.instanceType(),
        policy.zone(),
        policy.capacityType().text(),
        policy.reservationId(),
        policy.nodes(),
        status.readyNodes(),
        status.usedNodes(),
        status.cordoned(),
        owners,
        policy.from(),
        policy.until(),
        policy.pricePerNodeHour().dollars(),
        policy.accounting() == PoolPolicy.Accounting.SUNK ? "Sunk" : "Metered");
  }
}
