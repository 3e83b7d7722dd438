package io.spillway.scheduler.policy;

import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.PoolName;
import io.spillway.scheduler.model.QueueName;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Everything in force at one time.
 *
 * @param version hash of the whole set, hexadecimal
 * @param priorityClasses value by name, the built-in ones included; a higher value goes first
 */
public record PolicySet(
    String version,
    Map<QueueName, QueuePolicy> queues,
    Map<String, Integer> priorityClasses,
    Map<ClusterName, ClusterPolicy> clusters,
    Map<PoolName, PoolPolicy> pools,
    List<PriceOverride> priceOverrides) {

  /** The set before any policy was loaded: no queue, the built-in priority classes. */
  public static final PolicySet EMPTY =
      new PolicySet(
          "none",
          Map.of(),
          Map.of("low", 0, "normal", 100, "urgent", 1000),
          Map.of(),
          Map.of(),
          List.of());

  public PolicySet {
    queues = Collections.unmodifiableMap(new TreeMap<>(queues));
    priorityClasses = Collections.unmodifiableMap(new TreeMap<>(priorityClasses));
    clusters = Collections.unmodifiableMap(new TreeMap<>(clusters));
    pools = Collections.unmodifiableMap(new TreeMap<>(pools));
    priceOverrides = List.copyOf(priceOverrides);
  }
}
