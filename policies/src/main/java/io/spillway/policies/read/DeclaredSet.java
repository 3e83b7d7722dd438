package io.spillway.policies.read;

import io.spillway.policies.compute.ClusterCompute;
import io.spillway.policies.compute.ClusterCompute.NodeGroup;
import io.spillway.policies.document.PolicyDocument;
import io.spillway.scheduler.policy.ClusterPolicy;
import io.spillway.scheduler.policy.PoolPolicy;
import io.spillway.scheduler.policy.PriceOverride;
import io.spillway.scheduler.policy.QueuePolicy;
import java.util.List;
import java.util.Optional;

/**
 * A set as read: records of the core, each with its document and with what only the linter needs.
 */
public record DeclaredSet(
    List<Queue> queues,
    List<Cluster> clusters,
    List<Pool> pools,
    List<Cohort> cohorts,
    List<PriorityClass> priorityClasses,
    List<Price> prices,
    Optional<PolicyDocument> defaults) {

  public DeclaredSet {
    queues = List.copyOf(queues);
    clusters = List.copyOf(clusters);
    pools = List.copyOf(pools);
    cohorts = List.copyOf(cohorts);
    priorityClasses = List.copyOf(priorityClasses);
    prices = List.copyOf(prices);
  }

  /**
   * @param sunkFirst whether {@code idleSunk} is {@code UseFirst}
   */
  public record Queue(
      PolicyDocument document,
      QueuePolicy policy,
      Optional<String> cohort,
      List<Quota> quota,
      boolean sunkFirst) {
    public Queue {
      quota = List.copyOf(quota);
    }
  }

  /** A cluster, without the labels of its pools' nodes. */
  public record Cluster(PolicyDocument document, ClusterPolicy policy, ClusterCompute compute) {}

  /** A pool. */
  public record Pool(PolicyDocument document, PoolPolicy policy, NodeGroup nodeGroup) {}

  /** A cohort. */
  public record Cohort(PolicyDocument document, Optional<String> parent) {}

  /** A priority class. */
  public record PriorityClass(PolicyDocument document, int value) {}

  /** A price. */
  public record Price(PolicyDocument document, PriceOverride policy) {}

  public Optional<Cluster> cluster(PoolPolicy pool) {
    return clusters.stream()
        .filter(cluster -> cluster.policy().name().equals(pool.cluster()))
        .findFirst();
  }
}
