package io.spillway.server.kubernetes;

import io.spillway.policies.compute.ClusterCompute;
import io.spillway.policies.compute.ClusterCompute.NodeGroup;
import io.spillway.policies.compute.ClusterKind;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.Fabric;
import io.spillway.scheduler.model.NodeShape;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.model.QueueName;
import io.spillway.scheduler.policy.ClusterPolicy;
import io.spillway.scheduler.policy.PolicySet;
import io.spillway.scheduler.policy.PoolPolicy;
import io.spillway.server.jobs.JobSpec;
import java.util.List;
import java.util.Optional;

/**
 * All that decides the objects of one attempt.
 *
 * @param node what a node of the offering has, as far as anybody knows
 * @param avoided names of nodes that must not be used; sorted
 * @param earlier what the clusters in which the job ran before say of storage
 */
public record Placement(
    AttemptId attempt,
    JobSpec job,
    OfferingId offering,
    Optional<NodeShape> node,
    Site site,
    List<String> avoided,
    List<ClusterCompute> earlier) {

  public Placement {
    avoided = avoided.stream().sorted().distinct().toList();
    earlier = List.copyOf(earlier);
  }

  /**
   * The cluster.
   *
   * @param pool the offering's, if it is one of a pool
   */
  public record Site(
      ClusterPolicy policy,
      ClusterCompute compute,
      Optional<PoolPolicy> pool,
      ClusterAbility ability) {

    /** Of the offering's cluster, which these policies name. */
    public static Site of(
        PolicySet policies, OfferingId offering, ClusterCompute compute, ClusterAbility ability) {
      return new Site(
          policies.clusters().get(offering.cluster()),
          compute,
          offering.pool().map(pool -> policies.pools().get(pool)),
          ability);
    }
  }

  ClusterKind kind() {
    return site.compute().kind();
  }

  ClusterCompute compute() {
    return site.compute();
  }

  ClusterAbility ability() {
    return site.ability();
  }

  QueueName queue() {
    return job.queue();
  }

  boolean onSpot() {
    return offering.capacityType() == CapacityType.SPOT;
  }

  int nodes() {
    return job.resources().nodes();
  }

  int gpusPerNode() {
    return job.resources().gpusPerNode();
  }

  /** Whether each pod has all GPUs of its node; not known counts as yes. */
  boolean wholeNodes() {
    return node.map(shape -> shape.gpus() <= gpusPerNode()).orElse(true);
  }

  /** The fabric that the policies promise for the offering. */
  Optional<Fabric> fabric() {
    if (offering.pool().isPresent()) {
      return site.pool().flatMap(PoolPolicy::fabric);
    }
    return site.policy().capacity().stream()
        .filter(
            entry ->
                entry.instanceType().equals(offering.instanceType())
                    && entry.capacityTypes().contains(offering.capacityType())
                    && entry.zones().contains(offering.zone()))
        .findFirst()
        .flatMap(ClusterPolicy.Capacity::fabric);
  }

  /** What the policies say of the offering's nodes. */
  Optional<NodeGroup> group() {
    return offering
        .pool()
        .map(pool -> Optional.ofNullable(compute().pools().get(pool)))
        .orElseGet(
            () ->
                compute().capacity().stream()
                    .filter(
                        entry ->
                            entry.instanceType().equals(offering.instanceType())
                                && entry.capacityTypes().contains(offering.capacityType())
                                && entry.zones().contains(offering.zone()))
                    .findFirst());
  }
}
