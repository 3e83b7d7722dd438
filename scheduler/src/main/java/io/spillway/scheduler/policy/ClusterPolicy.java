package io.spillway.scheduler.policy;

import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.Fabric;
import io.spillway.scheduler.model.QueueName;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;

/**
 * A Kubernetes cluster as the scheduler sees it. What only matters for manifests (tolerations,
 * labels, service accounts…) stays in the document and is read by the translation.
 *
 * @param namespace with {@code {queue}} as a placeholder
 * @param lostAfter silence after which the cluster is lost
 * @param access which queues may use which named identity, volume, weights or secret
 */
public record ClusterPolicy(
    ClusterName name,
    String provider,
    String account,
    String region,
    String namespace,
    Duration lostAfter,
    List<Capacity> capacity,
    Access access) {

  public ClusterPolicy {
    capacity = List.copyOf(capacity);
  }

  /**
   * Nodes that the cluster's own autoscaler can start.
   *
   * @param maxNodes over all zones and capacity types of this entry
   * @param launchDeadline how long a start may take before its outcome counts as unknown
   */
  public record Capacity(
      String instanceType,
      List<CapacityType> capacityTypes,
      List<String> zones,
      int maxNodes,
      Duration launchDeadline,
      Optional<Fabric> fabric) {
    public Capacity {
      capacityTypes = List.copyOf(capacityTypes);
      zones = List.copyOf(zones);
    }
  }

  /** Queues by name of what they may use; a name that is missing may be used by nobody. */
  public record Access(
      Map<String, SortedSet<QueueName>> identities,
      Map<String, SortedSet<QueueName>> volumes,
      Map<String, SortedSet<QueueName>> weights,
      Map<String, SortedSet<QueueName>> secrets) {
    public static final Access NONE = new Access(Map.of(), Map.of(), Map.of(), Map.of());

    public Access {
      identities = Collections.unmodifiableMap(new TreeMap<>(identities));
      volumes = Collections.unmodifiableMap(new TreeMap<>(volumes));
      weights = Collections.unmodifiableMap(new TreeMap<>(weights));
      secrets = Collections.unmodifiableMap(new TreeMap<>(secrets));
    }
  }
}
