package io.spillway.scheduler.placement;

import io.spillway.scheduler.model.BlockScope;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.policy.PolicySet;
import io.spillway.scheduler.state.Catalogue;
import io.spillway.scheduler.state.OfferingSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Every offering there is (semantics §1), in the order of their ids: capacity entries × zones ×
 * capacity types, pools, and reported nodes of neither. Built anew only when policies or a census
 * of nodes change.
 */
public final class Offerings {
  private final List<Offering> all;
  private final Map<OfferingId, Offering> byId = new HashMap<>();
  private final Map<MarketKey, List<Offering>> byMarket = new HashMap<>();
  private final Map<ClusterName, List<Offering>> byCluster = new HashMap<>();
  private final Map<String, List<Offering>> byGroup = new HashMap<>();

  private Offerings(List<Offering> all) {
    this.all = List.copyOf(all);
    for (Offering offering : all) {
      byId.put(offering.id(), offering);
      byMarket.computeIfAbsent(offering.market(), key -> new ArrayList<>(1)).add(offering);
      byCluster.computeIfAbsent(offering.id().cluster(), key -> new ArrayList<>()).add(offering);
      byGroup.computeIfAbsent(offering.group(), key -> new ArrayList<>()).add(offering);
    }
  }

  /** The offerings of a policy set's catalogue and of the nodes that agents reported. */
  public static Offerings of(
      PolicySet policies, Catalogue catalogue, Map<ClusterName, NodeCensus> nodes) {
    Map<String, Found> found = new TreeMap<>();
    PoolNodes pools = new PoolNodes(policies, nodes);
    for (OfferingSpec spec : catalogue.specs().values()) {
      Optional<Integer> ready = spec.pool().flatMap(pools::ready);
      found.put(
          spec.id().text(), new Found(spec, ready.orElse(spec.maxNodes()), ready.isPresent()));
    }
    for (OfferingSpec spec : new ReportedOfferings(policies, catalogue, nodes).specs()) {
      NodeCensus.Count count = pools.count(spec.id()).orElseThrow();
      found.putIfAbsent(spec.id().text(), new Found(spec, count.ready(), true));
    }
    List<Offering> all = new ArrayList<>(found.size());
    for (Found it : found.values()) {
      all.add(new Offering(all.size(), it.spec(), it.present(), it.standing()));
    }
    return new Offerings(all);
  }

  /** All of them; an offering's index is its place here. */
  public List<Offering> all() {
    return all;
  }

  public int size() {
    return all.size();
  }

  public Optional<Offering> find(OfferingId id) {
    return Optional.ofNullable(byId.get(id));
  }

  /** Offerings that an observation of that key speaks of; none makes it not launchable. */
  public List<Offering> sold(MarketKey key) {
    return Collections.unmodifiableList(byMarket.getOrDefault(key, List.of()));
  }

  /** Offerings of one cluster. */
  public List<Offering> in(ClusterName cluster) {
    return Collections.unmodifiableList(byCluster.getOrDefault(cluster, List.of()));
  }

  /** Offerings whose nodes are counted together. */
  public List<Offering> sharing(String group) {
    return Collections.unmodifiableList(byGroup.getOrDefault(group, List.of()));
  }

  /** Offerings in a block's scope, by index. */
  public List<Offering> covered(BlockScope scope) {
    List<Offering> covered = new ArrayList<>();
    byMarket.forEach(
        (key, offerings) -> {
          if (scope.covers(key)) {
            covered.addAll(offerings);
          }
        });
    covered.sort(Comparator.comparingInt(Offering::index));
    return covered;
  }

  private record Found(OfferingSpec spec, int present, boolean standing) {}
}
