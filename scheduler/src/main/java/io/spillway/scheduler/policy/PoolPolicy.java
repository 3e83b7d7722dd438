package io.spillway.scheduler.policy;

import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.Fabric;
import io.spillway.scheduler.model.PoolName;
import io.spillway.scheduler.model.QueueName;
import io.spillway.scheduler.model.Usd;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A named finite set of nodes in one cluster.
 *
 * @param owners nodes by queue
 * @param from first instant at which the pool exists; empty = always did
 * @param until first instant at which it no longer does
 * @param pricePerNodeHour what an hour of a node costs, paid or not
 * @param launchDeadline how long a start may take before its outcome counts as unknown
 */
public record PoolPolicy(
    PoolName name,
    ClusterName cluster,
    String instanceType,
    String zone,
    CapacityType capacityType,
    Optional<String> reservationId,
    int nodes,
    Map<QueueName, Integer> owners,
    Optional<Instant> from,
    Optional<Instant> until,
    Usd pricePerNodeHour,
    Accounting accounting,
    Duration launchDeadline,
    Optional<Fabric> fabric) {

  public PoolPolicy {
    owners = Collections.unmodifiableMap(new TreeMap<>(owners));
  }

  /** Whether running a job on the pool costs extra money. */
  public enum Accounting {
    /** Paid anyway: a job there costs nothing more. */
    SUNK,
    /** Paid by use. */
    METERED
  }
}
