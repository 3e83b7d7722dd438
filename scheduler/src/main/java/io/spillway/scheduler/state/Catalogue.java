package io.spillway.scheduler.state;

import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.policy.ClusterPolicy;
import io.spillway.scheduler.policy.PolicySet;
import io.spillway.scheduler.policy.PoolPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Two of the three sources of offerings (semantics §1), resolved from one policy set: capacity
 * entries × zones × capacity types, and pools. The third, nodes that agents report, is in the view.
 * Immutable; made once per policy set.
 */
public final class Catalogue {
  /** For offerings that no entry or pool names: nodes that only an agent reports. */
  public static final Duration DEFAULT_LAUNCH_DEADLINE = Duration.ofMinutes(15);

  private final PolicySet policies;
  private final Map<OfferingId, OfferingSpec> specs;
  private final Map<MarketKey, List<OfferingSpec>> byKey = new TreeMap<>();

  private Catalogue(PolicySet policies, Map<OfferingId, OfferingSpec> specs) {
    this.policies = policies;
    this.specs = Collections.unmodifiableMap(specs);
    specs
        .values()
        .forEach(spec -> byKey.computeIfAbsent(spec.key(), k -> new ArrayList<>(1)).add(spec));
  }

  static Catalogue of(PolicySet policies) {
    Map<OfferingId, OfferingSpec> specs = new TreeMap<>();
    policies.clusters().values().forEach(cluster -> addEntries(specs, cluster));
    policies
        .pools()
        .values()
        .forEach(
            pool ->
                Optional.ofNullable(policies.clusters().get(pool.cluster()))
                    .ifPresent(cluster -> addPool(specs, cluster, pool)));
    return new Catalogue(policies, specs);
  }

  /** All offerings that the policies name, by id. */
  public Map<OfferingId, OfferingSpec> specs() {
    return specs;
  }

  public Optional<OfferingSpec> spec(OfferingId id) {
    return Optional.ofNullable(specs.get(id));
  }

  /** The offerings that capacity of that key can be started as; usually one. */
  public List<OfferingSpec> startableFrom(MarketKey key) {
    return Collections.unmodifiableList(byKey.getOrDefault(key, List.of()));
  }

  /**
   * The offerings that a notice means by that key. Whoever names a reservation means all of it,
   * whatever zone and type came with the name: its provider's warnings have none.
   */
  public List<OfferingSpec> meantBy(MarketKey key) {
    if (key.reservation().isEmpty()) {
      return startableFrom(key);
    }
    return specs.values().stream().filter(spec -> isOfReservation(spec.key(), key)).toList();
  }

  private static boolean isOfReservation(MarketKey one, MarketKey other) {
    return one.reservation().equals(other.reservation())
        && one.provider().equals(other.provider())
        && one.account().equals(other.account())
        && one.region().equals(other.region());
  }

  /** Where the market sells what the offering is made of; empty if its cluster is in no policy. */
  public Optional<MarketKey> key(OfferingId id) {
    OfferingSpec spec = specs.get(id);
    if (spec != null) {
      return Optional.of(spec.key());
    }
    return Optional.ofNullable(policies.clusters().get(id.cluster()))
        .map(cluster -> key(cluster, id, reservation(id)));
  }

  /** How long a start on it may take before its outcome is unknown. */
  public Duration launchDeadline(OfferingId id) {
    return spec(id).map(OfferingSpec::launchDeadline).orElse(DEFAULT_LAUNCH_DEADLINE);
  }

  private Optional<String> reservation(OfferingId id) {
    return id.pool()
        .flatMap(name -> Optional.ofNullable(policies.pools().get(name)))
        .flatMap(PoolPolicy::reservationId);
  }

  private static void addEntries(Map<OfferingId, OfferingSpec> specs, ClusterPolicy cluster) {
    for (int i = 0; i < cluster.capacity().size(); i++) {
      ClusterPolicy.Capacity entry = cluster.capacity().get(i);
      String group = cluster.name() + "#" + i;
      for (String zone : entry.zones()) {
        for (CapacityType type : entry.capacityTypes()) {
          OfferingId id =
              new OfferingId(cluster.name(), zone, entry.instanceType(), type, Optional.empty());
          MarketKey key = key(cluster, id, Optional.empty());
          specs.putIfAbsent(
              id,
              new OfferingSpec(
                  id,
                  key,
                  group,
                  entry.maxNodes(),
                  entry.launchDeadline(),
                  entry.fabric(),
                  Optional.empty()));
        }
      }
    }
  }

  private static void addPool(
      Map<OfferingId, OfferingSpec> specs, ClusterPolicy cluster, PoolPolicy pool) {
    OfferingId id =
        new OfferingId(
            cluster.name(),
            pool.zone(),
            pool.instanceType(),
            pool.capacityType(),
            Optional.of(pool.name()));
    specs.put(
        id,
        new OfferingSpec(
            id,
            key(cluster, id, pool.reservationId()),
            "pool " + pool.name(),
            pool.nodes(),
            pool.launchDeadline(),
            pool.fabric(),
            Optional.of(pool)));
  }

  private static MarketKey key(ClusterPolicy cluster, OfferingId id, Optional<String> reservation) {
    return new MarketKey(
        cluster.provider(),
        cluster.account(),
        cluster.region(),
        id.zone(),
        id.instanceType(),
        id.capacityType(),
        reservation);
  }
}
