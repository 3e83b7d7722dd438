package io.spillway.scheduler.state;

import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.NodeShape;
import io.spillway.scheduler.model.OfferingId;
import java.time.Instant;
import java.util.Optional;

/**
 * One line of the market board.
 *
 * @param named whether a capacity entry or a pool names it; otherwise only an agent's nodes do
 * @param shape empty while no observation or node tells it
 * @param observation what a probe saw last of its market key
 * @param oddPrice why the observed price is not used, if it is not
 * @param block the widest block in force
 * @param launchLimit launches that may be in flight; {@code inFlight} are
 * @param maxNodes nodes of its group (capacity entry or pool); 0 if unnamed
 * @param readyNodes reported ready nodes that it is made of
 * @param usedNodes what attempts take up there
 */
public record OfferingStatus(
    OfferingId id,
    Optional<MarketKey> key,
    boolean named,
    Optional<NodeShape> shape,
    Optional<Observation> observation,
    Optional<String> oddPrice,
    Optional<Block> block,
    int launchLimit,
    int inFlight,
    int maxNodes,
    int readyNodes,
    int usedNodes,
    Instant asOf) {}
