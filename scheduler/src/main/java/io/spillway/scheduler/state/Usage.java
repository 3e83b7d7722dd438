package io.spillway.scheduler.state;

import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.AttemptState;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.OfferingId;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Index of what attempts use: gang members by GPUs per node on each offering, launches in flight,
 * attempts by cluster and by instance. Derived; never part of the digest.
 */
public final class Usage implements Table.Listener<AttemptId, Attempt> {
  private final Map<OfferingId, NavigableMap<Integer, Integer>> members = new HashMap<>();
  private final Map<OfferingId, Integer> inFlight = new HashMap<>();
  private final Map<ClusterName, NavigableSet<AttemptId>> byCluster = new TreeMap<>();
  private final Map<String, NavigableSet<AttemptId>> byInstance = new HashMap<>();

  Usage() {}

  /**
   * Whether the attempt takes up nodes: from its intent until nothing of it can run any more. A
   * fenced one still does until its stop is confirmed.
   */
  public static boolean occupies(Attempt attempt) {
    return !(attempt.state() instanceof AttemptState.Ended ended && ended.settled());
  }

  /** Whether it is intended or started and has not shown yet that there is capacity for it. */
  public static boolean isInFlight(Attempt attempt) {
    return switch (attempt.state()) {
      case AttemptState.Intended i -> true;
      case AttemptState.Launching l -> true;
      case AttemptState.Unknown u -> true;
      case AttemptState.Starting s -> true;
      case AttemptState.Running r -> false;
      case AttemptState.Ending e -> false;
      case AttemptState.Ended e -> false;
    };
  }

  /** Gang members on the offering by their GPUs per node. */
  public NavigableMap<Integer, Integer> members(OfferingId offering) {
    return Collections.unmodifiableNavigableMap(members.getOrDefault(offering, new TreeMap<>()));
  }

  /**
   * Nodes that the members on the offering need at most: members with g of G GPUs share a node by
   * floor(G/g); members of different g are never counted on one node. Conservative, and always
   * feasible.
   *
   * @param gpusOfNode G, at least 1
   */
  public int nodes(OfferingId offering, int gpusOfNode) {
    int nodes = 0;
    for (Map.Entry<Integer, Integer> entry : members(offering).entrySet()) {
      int perNode = Math.max(1, gpusOfNode / entry.getKey());
      nodes += Math.ceilDiv(entry.getValue(), perNode);
    }
    return nodes;
  }

  /** Attempts that are intended or started there and do not run yet; held ones count. */
  public int inFlight(OfferingId offering) {
    return inFlight.getOrDefault(offering, 0);
  }

  /** Offerings that anything is on. */
  public Collection<OfferingId> offerings() {
    return Collections.unmodifiableCollection(members.keySet());
  }

  /** Attempts of the cluster that occupy nodes, by id. A live read-only view. */
  public NavigableSet<AttemptId> on(ClusterName cluster) {
    return Collections.unmodifiableNavigableSet(byCluster.getOrDefault(cluster, new TreeSet<>()));
  }

  /** Attempts of which a member runs, or ran last, on the instance and that occupy nodes. */
  public NavigableSet<AttemptId> onInstance(String providerId) {
    return Collections.unmodifiableNavigableSet(
        byInstance.getOrDefault(providerId, new TreeSet<>()));
  }

  @Override
  public void changed(AttemptId id, Attempt before, Attempt after) {
    if (before != null) {
      add(before, -1);
    }
    if (after != null) {
      add(after, 1);
    }
  }

  boolean sameAs(Usage other) {
    return members.equals(other.members)
        && inFlight.equals(other.inFlight)
        && byCluster.equals(other.byCluster)
        && byInstance.equals(other.byInstance);
  }

  private void add(Attempt attempt, int sign) {
    OfferingId offering = attempt.placement().offering();
    if (isInFlight(attempt)) {
      inFlight.compute(offering, (o, n) -> nonZero(Optional.ofNullable(n).orElse(0) + sign));
    }
    if (!occupies(attempt)) {
      return;
    }
    NavigableMap<Integer, Integer> there = members.computeIfAbsent(offering, o -> new TreeMap<>());
    int nodes = sign * attempt.placement().nodes();
    there.compute(
        attempt.placement().gpusPerNode(),
        (g, n) -> nonZero(Optional.ofNullable(n).orElse(0) + nodes));
    if (there.isEmpty()) {
      members.remove(offering);
    }
    file(byCluster, offering.cluster(), attempt.id(), sign);
    attempt.instances().forEach(instance -> file(byInstance, instance, attempt.id(), sign));
  }

  /** Null, which removes the entry, for zero. */
  private static Integer nonZero(int count) {
    return count == 0 ? null : count;
  }

  private static <K> void file(
      Map<K, NavigableSet<AttemptId>> index, K key, AttemptId id, int sign) {
    NavigableSet<AttemptId> ids = index.computeIfAbsent(key, k -> new TreeSet<>());
    if (sign > 0) {
      ids.add(id);
    } else {
      ids.remove(id);
    }
    if (ids.isEmpty()) {
      index.remove(key);
    }
  }
}
