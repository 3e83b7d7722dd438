package io.spillway.policies.read;

import io.spillway.policies.source.Tree;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.PoolName;
import java.util.List;
import java.util.OptionalInt;

/**
 * One entry of a queue's quota, in GPUs: a share of pools, or a cap on what is bought by use.
 *
 * @param gpu canonical model
 * @param max the cap
 */
public record Quota(
    Tree.Mapping tree,
    String gpu,
    List<PoolName> pools,
    Share share,
    List<CapacityType> capacityTypes,
    OptionalInt max) {

  public Quota {
    pools = List.copyOf(pools);
    capacityTypes = List.copyOf(capacityTypes);
  }

  /**
   * The three figures of a share, in GPUs.
   *
   * @param nominal guaranteed on the pools
   * @param borrowing how far beyond nominal; empty = not at all
   * @param lending how much of nominal others may use; empty = all of it
   */
  public record Share(OptionalInt nominal, OptionalInt borrowing, OptionalInt lending) {}

  /** Whether it is a share of pools rather than a cap. */
  public boolean finite() {
    return !pools.isEmpty();
  }

  /** The most GPUs that one queue may hold under this entry. */
  public long ceiling() {
    return finite()
        ? (long) share.nominal().orElse(0) + share.borrowing().orElse(0)
        : max.orElse(Integer.MAX_VALUE);
  }
}
