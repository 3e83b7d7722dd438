package io.spillway.scheduler.queue;

import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.BlockScope;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.model.PoolName;

/** The part of the world that an event changed, as far as waiting jobs care. */
public sealed interface Touch {

  /** An attempt ended or is about to: nodes may be free, and its launch is no longer in flight. */
  record Freed(AttemptId attempt) implements Touch {}

  /** A launch there came to run: the budget grew. */
  record Launched(OfferingId offering) implements Touch {}

  /** Nodes there were taken: a fallback may no longer be admissible. */
  record Used(OfferingId offering) implements Touch {}

  /** Something else is known of the market key, perhaps a node shape. */
  record Observed(MarketKey key) implements Touch {}

  /** A block began or ended. */
  record Blocked(BlockScope scope) implements Touch {}

  /** The cluster's flags, nodes or abilities changed. */
  record InCluster(ClusterName cluster) implements Touch {}

  /** The pool's flag changed. */
  record InPool(PoolName pool) implements Touch {}

  /** A pause began or ended; an empty queue is all of them. */
  record Paused(String queue) implements Touch {}

  /** Everything may be different. */
  record Policies() implements Touch {}
}
