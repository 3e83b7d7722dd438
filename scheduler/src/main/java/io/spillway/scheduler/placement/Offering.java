package io.spillway.scheduler.placement;

import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.Fabric;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.policy.PoolPolicy;
import io.spillway.scheduler.state.OfferingSpec;
import java.util.Optional;

/**
 * An offering with what its cluster's nodes say of it; price, block and room change too often to
 * stand here.
 *
 * @param index its place in {@link Offerings}, which is in the order of ids
 * @param present nodes its group can have now: fewer than the policy's number while a pool's nodes
 *     are not ready
 * @param standing whether these nodes stand there by the agent's word, so that a launch needs none
 *     to be started
 */
public record Offering(int index, OfferingSpec spec, int present, boolean standing) {

  public OfferingId id() {
    return spec.id();
  }

  public MarketKey market() {
    return spec.key();
  }

  public Optional<PoolPolicy> pool() {
    return spec.pool();
  }

  public Optional<Fabric> fabric() {
    return spec.fabric();
  }

  /** What its nodes are counted against: offerings of one group share them. */
  public String group() {
    return spec.group();
  }

  public boolean isSpot() {
    return spec.id().capacityType() == CapacityType.SPOT;
  }

  /** Whether it is paid for whether used or not. */
  public boolean isSunk() {
    return spec.pool().map(it -> it.accounting() == PoolPolicy.Accounting.SUNK).orElse(false);
  }
}
