package io.spillway.scheduler.placement;

import io.spillway.scheduler.market.Pricing;
import io.spillway.scheduler.model.JobShape;
import io.spillway.scheduler.model.QueueName;
import io.spillway.scheduler.policy.PolicySet;
import io.spillway.scheduler.policy.QueuePolicy;
import java.util.HashMap;
import java.util.Map;

/**
 * What changes seldom: offerings, node shapes, and the prices that policies fix, with the static
 * matches made on them. A new one is made when policies, a census of nodes or an observed shape
 * change.
 */
final class Terrain {
  /** Offerings in kept matches; beyond it they are made anew (4 bytes each, some 16 MB). */
  private static final int MAX_KEPT = 4_000_000;

  private final PolicySet policies;
  private final Offerings offerings;
  private final NodeShapes shapes;
  private final Pricing pricing;
  private final Map<Key, StaticMatch> matches = new HashMap<>();
  private int keptSize;

  private record Key(QueueName queue, JobShape shape) {}

  Terrain(PolicySet policies, Offerings offerings, NodeShapes shapes, Pricing pricing) {
    this.policies = policies;
    this.offerings = offerings;
    this.shapes = shapes;
    this.pricing = pricing;
  }

  StaticMatch match(JobShape shape, QueuePolicy queue) {
    Key key = new Key(queue.name(), shape);
    StaticMatch known = matches.get(key);
    if (known != null) {
      return known;
    }
    StaticMatch made = StaticMatch.of(shape, queue, policies, offerings, shapes::of);
    keptSize += made.size();
    if (keptSize > MAX_KEPT) {
      matches.clear();
      keptSize = made.size();
    }
    matches.put(key, made);
    return made;
  }

  PolicySet policies() {
    return policies;
  }

  Offerings offerings() {
    return offerings;
  }

  NodeShapes shapes() {
    return shapes;
  }

  Pricing pricing() {
    return pricing;
  }
}
