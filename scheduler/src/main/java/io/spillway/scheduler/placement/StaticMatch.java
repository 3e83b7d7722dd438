package io.spillway.scheduler.placement;

import io.spillway.scheduler.model.JobShape;
import io.spillway.scheduler.model.NodeShape;
import io.spillway.scheduler.plan.RefusalReason;
import io.spillway.scheduler.policy.ClusterPolicy;
import io.spillway.scheduler.policy.PolicySet;
import io.spillway.scheduler.policy.QueuePolicy;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Which offerings could ever serve a shape under a queue's ladder, rung by rung. Kept per (shape,
 * queue policy) until the offerings or a node shape changes, so that a cycle looks at these only.
 */
public final class StaticMatch {
  private final List<List<Offering>> byRung;
  private final BitSet matched;
  private final Map<RefusalReason, Integer> refused;
  private final int size;

  private StaticMatch(
      List<List<Offering>> byRung, BitSet matched, Map<RefusalReason, Integer> refused) {
    this.byRung = byRung.stream().map(List::copyOf).toList();
    this.matched = matched;
    this.refused = Collections.unmodifiableMap(refused);
    this.size = this.byRung.stream().mapToInt(List::size).sum();
  }

  /** Matches all offerings; {@code shapes} gives a node's shape as far as it is known. */
  public static StaticMatch of(
      JobShape shape,
      QueuePolicy queue,
      PolicySet policies,
      Offerings offerings,
      Function<Offering, Optional<NodeShape>> shapes) {
    ShapeFilter filter = new ShapeFilter(shape, queue.name());
    List<List<Offering>> byRung = new ArrayList<>();
    queue.ladder().forEach(rung -> byRung.add(new ArrayList<>()));
    BitSet matched = new BitSet(offerings.size());
    Map<RefusalReason, Integer> refused = new EnumMap<>(RefusalReason.class);
    for (Offering offering : offerings.all()) {
      ClusterPolicy cluster = policies.clusters().get(offering.id().cluster());
      Optional<RefusalReason> reason = onLadder(offering, cluster, queue);
      if (reason.isEmpty()) {
        reason = filter.verdict(offering, shapes.apply(offering), cluster);
      }
      if (reason.isPresent()) {
        refused.merge(reason.get(), 1, Integer::sum);
        continue;
      }
      matched.set(offering.index());
      for (int rung = 0; rung < byRung.size(); rung++) {
        if (RungFilter.verdict(offering, cluster, queue.ladder().get(rung)).isEmpty()) {
          byRung.get(rung).add(offering);
        }
      }
    }
    return new StaticMatch(byRung, matched, refused);
  }

  /**
   * Why no rung names the offering: the reason of the rung that came nearest to it, empty if one
   * does. The reasons' order is the order of the checks.
   */
  public static Optional<RefusalReason> onLadder(
      Offering offering, ClusterPolicy cluster, QueuePolicy queue) {
    Optional<RefusalReason> nearest = Optional.empty();
    for (var rung : queue.ladder()) {
      Optional<RefusalReason> reason = RungFilter.verdict(offering, cluster, rung);
      if (reason.isEmpty()) {
        return reason;
      }
      if (nearest.isEmpty() || reason.get().compareTo(nearest.get()) > 0) {
        nearest = reason;
      }
    }
    return nearest;
  }

  /** Offerings that the rung names and the shape fits, in the order of ids. */
  public List<Offering> on(int rung) {
    return byRung.get(rung);
  }

  public int rungs() {
    return byRung.size();
  }

  /** Whether some rung names the offering and the shape fits. */
  public boolean has(Offering offering) {
    return matched.get(offering.index());
  }

  /** No offering could ever serve the shape as things stand. */
  public boolean isEmpty() {
    return size == 0;
  }

  /** Entries over all rungs, for the size of a cache. */
  public int size() {
    return size;
  }

  /** The offerings refused here, counted by reason. */
  public Map<RefusalReason, Integer> refused() {
    return refused;
  }
}
