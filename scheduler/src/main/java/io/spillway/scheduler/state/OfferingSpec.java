package io.spillway.scheduler.state;

import io.spillway.scheduler.model.Fabric;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.policy.PoolPolicy;
import java.time.Duration;
import java.util.Optional;

/**
 * What the policies say of an offering.
 *
 * @param group offerings of one group share {@code maxNodes}: a capacity entry over its zones and
 *     types, or one pool
 * @param maxNodes nodes of the whole group
 * @param launchDeadline how long a start may take
 */
public record OfferingSpec(
    OfferingId id,
    MarketKey key,
    String group,
    int maxNodes,
    Duration launchDeadline,
    Optional<Fabric> fabric,
    Optional<PoolPolicy> pool) {}
