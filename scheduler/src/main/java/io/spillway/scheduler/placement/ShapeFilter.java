package io.spillway.scheduler.placement;

import io.spillway.scheduler.model.JobShape;
import io.spillway.scheduler.model.NodeShape;
import io.spillway.scheduler.model.QueueName;
import io.spillway.scheduler.model.Rdma;
import io.spillway.scheduler.plan.RefusalReason;
import io.spillway.scheduler.policy.ClusterPolicy;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;

/**
 * Whether an offering could ever serve a shape of one queue: what only policies, nodes and observed
 * shapes decide. Prices, blocks and room are another filter's.
 */
public final class ShapeFilter {
  private final JobShape shape;
  private final QueueName queue;

  public ShapeFilter(JobShape shape, QueueName queue) {
    this.shape = shape;
    this.queue = queue;
  }

  /** The first reason against it, or empty. */
  public Optional<RefusalReason> verdict(
      Offering offering, Optional<NodeShape> node, ClusterPolicy cluster) {
    return constraints(offering, cluster)
        .or(() -> needs(cluster.access()))
        .or(() -> fabric(offering))
        .or(() -> node.map(it -> size(offering, it)).orElse(Optional.of(RefusalReason.NO_SHAPE)));
  }

  private Optional<RefusalReason> constraints(Offering offering, ClusterPolicy cluster) {
    JobShape.Constraints limits = shape.constraints();
    if (!limits.providers().isEmpty() && !limits.providers().contains(cluster.provider())) {
      return Optional.of(RefusalReason.CONSTRAINT_PROVIDER);
    }
    if (!limits.regions().isEmpty() && !limits.regions().contains(cluster.region())) {
      return Optional.of(RefusalReason.CONSTRAINT_REGION);
    }
    if (!limits.clusters().isEmpty() && !limits.clusters().contains(cluster.name())) {
      return Optional.of(RefusalReason.CONSTRAINT_CLUSTER);
    }
    if (!limits.pools().isEmpty()
        && !offering.id().pool().map(limits.pools()::contains).orElse(false)) {
      return Optional.of(RefusalReason.CONSTRAINT_POOL);
    }
    return Optional.empty();
  }

  private Optional<RefusalReason> needs(ClusterPolicy.Access access) {
    JobShape.Needs needs = shape.needs();
    if (!granted(access.identities(), needs.identity().stream().toList())) {
      return Optional.of(RefusalReason.IDENTITY_NOT_GRANTED);
    }
    if (!granted(access.volumes(), needs.volumes())) {
      return Optional.of(RefusalReason.VOLUME_NOT_GRANTED);
    }
    if (!granted(access.weights(), needs.weights())) {
      return Optional.of(RefusalReason.WEIGHTS_NOT_GRANTED);
    }
    if (!granted(access.secrets(), needs.secrets())) {
      return Optional.of(RefusalReason.SECRET_NOT_GRANTED);
    }
    return Optional.empty();
  }

  private boolean granted(Map<String, SortedSet<QueueName>> grants, java.util.List<String> names) {
    for (String name : names) {
      SortedSet<QueueName> queues = grants.get(name);
      if (queues == null || !queues.contains(queue)) {
        return false;
      }
    }
    return true;
  }

  private Optional<RefusalReason> fabric(Offering offering) {
    boolean missing = shape.rdma() == Rdma.REQUIRED && offering.fabric().isEmpty();
    return missing ? Optional.of(RefusalReason.NO_FABRIC) : Optional.empty();
  }

  /** A node's CPUs or memory that are not known do not refuse it. */
  private Optional<RefusalReason> size(Offering offering, NodeShape node) {
    if (!shape.gpus().contains(node.gpu())) {
      return Optional.of(RefusalReason.GPU_MODEL);
    }
    boolean fewCpus = node.cpus() > 0 && node.cpus() < shape.cpusPerNode();
    boolean lessMemory = node.memoryGiB() > 0 && node.memoryGiB() < shape.memoryGiBPerNode();
    if (node.gpus() < shape.gpusPerNode() || fewCpus || lessMemory) {
      return Optional.of(RefusalReason.NODE_TOO_SMALL);
    }
    int needed = NodeRoom.nodes(node, shape.gpusPerNode(), shape.nodes());
    return needed > offering.spec().maxNodes()
        ? Optional.of(RefusalReason.GANG_TOO_LARGE)
        : Optional.empty();
  }
}
