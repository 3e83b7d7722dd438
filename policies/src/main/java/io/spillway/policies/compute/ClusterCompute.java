package io.spillway.policies.compute;

import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.PoolName;
import io.spillway.scheduler.model.QueueName;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * One cluster for the translation. Equal documents give equal records, whatever their order.
 *
 * @param scheduling what every pod carries
 * @param allow what pods may be given beyond the ordinary; never by a user's word
 * @param grants what the names of jobs mean here, and for which queues
 * @param sharedMemoryGiB {@code /dev/shm} of a pod whose job says nothing
 * @param capacity labels of the nodes that can be started, in the order of the document
 * @param pools likewise of the pools of this cluster
 */
public record ClusterCompute(
    ClusterName name,
    ClusterKind kind,
    Scheduling scheduling,
    Allow allow,
    Grants grants,
    RdmaSetup rdma,
    HoldSetup hold,
    int sharedMemoryGiB,
    List<NodeGroup> capacity,
    Map<PoolName, NodeGroup> pools) {

  public ClusterCompute {
    capacity = List.copyOf(capacity);
    pools = Collections.unmodifiableMap(new TreeMap<>(pools));
  }

  /** The same with these pools. */
  public ClusterCompute with(Map<PoolName, NodeGroup> ofCluster) {
    return new ClusterCompute(
        name, kind, scheduling, allow, grants, rdma, hold, sharedMemoryGiB, capacity, ofCluster);
  }

  /**
   * Beyond the ordinary.
   *
   * @param hostPaths paths of the host that a pod may mount, each with what lies below it
   * @param driverIdentity whether buckets of jobs without an identity are mounted with the storage
   *     driver's own rights
   */
  public record Allow(
      boolean privileged,
      SortedSet<String> hostPaths,
      boolean hostNetwork,
      boolean driverIdentity) {
    public static final Allow NOTHING = new Allow(false, new TreeSet<>(), false, false);

    public Allow {
      hostPaths = Collections.unmodifiableSortedSet(new TreeSet<>(hostPaths));
    }

    /** Whether that path, or one above it, is named. */
    public boolean hostPath(String path) {
      return hostPaths.stream()
          .anyMatch(
              allowed ->
                  path.equals(allowed)
                      || path.startsWith(allowed.endsWith("/") ? allowed : allowed + '/'));
    }
  }

  /** What names mean, by name. */
  public record Grants(
      Map<String, Identity> identities,
      Map<String, Volume> volumes,
      Map<String, Volume> weights,
      Map<String, SecretRef> secrets,
      Map<String, SecretRef> pullSecrets) {
    public static final Grants NONE = new Grants(Map.of(), Map.of(), Map.of(), Map.of(), Map.of());

    public Grants {
      identities = Collections.unmodifiableMap(new TreeMap<>(identities));
      volumes = Collections.unmodifiableMap(new TreeMap<>(volumes));
      weights = Collections.unmodifiableMap(new TreeMap<>(weights));
      secrets = Collections.unmodifiableMap(new TreeMap<>(secrets));
      pullSecrets = Collections.unmodifiableMap(new TreeMap<>(pullSecrets));
    }
  }

  /**
   * Who a job's pods are.
   *
   * @param create whether the ServiceAccount is made, with its annotations
   * @param workloadIdentity whether the kind's own workload identity is switched on in the pods
   */
  public record Identity(
      String serviceAccount,
      boolean create,
      SortedMap<String, String> annotations,
      boolean workloadIdentity,
      SortedSet<QueueName> queues) {
    public Identity {
      annotations = Collections.unmodifiableSortedMap(new TreeMap<>(annotations));
      queues = Collections.unmodifiableSortedSet(new TreeSet<>(queues));
    }
  }

  /** A Secret of the namespace, by its name; its content never leaves the cluster. */
  public record SecretRef(String name, SortedSet<QueueName> queues) {
    public SecretRef {
      queues = Collections.unmodifiableSortedSet(new TreeSet<>(queues));
    }
  }

  /**
   * Nodes by what their labels are.
   *
   * @param instanceType with {@code capacityTypes} and {@code zones}: which nodes; a pool's has its
   *     own type and zone, and no capacity types
   * @param nodeLabels labels that these nodes have; pods select them
   * @param topologyKey label whose equal values mean one fabric; empty = the kind's own
   */
  public record NodeGroup(
      String instanceType,
      Set<CapacityType> capacityTypes,
      List<String> zones,
      SortedMap<String, String> nodeLabels,
      Optional<String> topologyKey) {
    public NodeGroup {
      capacityTypes = Set.copyOf(capacityTypes);
      zones = List.copyOf(zones);
      nodeLabels = Collections.unmodifiableSortedMap(new TreeMap<>(nodeLabels));
    }
  }

  /**
   * How nodes are kept for an attempt that will start after another one.
   *
   * @param image what the placeholder pods run
   * @param priorityClass lower than the jobs', so that the workload may take their nodes
   * @param provisioningClass of a ProvisioningRequest, which then takes the placeholders' place
   */
  public record HoldSetup(
      String image, Optional<String> priorityClass, Optional<String> provisioningClass) {
    /** Sleeps until it is told to end; https://k8s.io/kubernetes build/pause. */
    public static final String PAUSE = "registry.k8s.io/pause:3.10";

    public static final HoldSetup DEFAULT =
        new HoldSetup(PAUSE, Optional.empty(), Optional.empty());
  }
}
