package io.spillway.scheduler.state;

import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.policy.PoolPolicy;

/**
 * A finite pool as it stands.
 *
 * @param readyNodes reported ready nodes that it is made of
 * @param usedNodes what attempts take up
 */
public record PoolStatus(
    PoolPolicy policy, OfferingId offering, boolean cordoned, int readyNodes, int usedNodes) {}
