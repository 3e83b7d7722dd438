package io.spillway.policies.lint;

import io.spillway.policies.finding.FindingCode;
import io.spillway.policies.read.DeclaredSet;
import io.spillway.policies.read.Quota;
import io.spillway.policies.read.Report;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.NodeShape;
import io.spillway.scheduler.model.PoolName;
import io.spillway.scheduler.policy.PoolPolicy;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Quota against pools, against the largest job, and against itself. */
final class QuotaRule implements Rule {

  @Override
  public void check(DeclaredSet set, Report report) {
    Map<PoolName, PoolPolicy> pools =
        set.pools().stream()
            .map(DeclaredSet.Pool::policy)
            .collect(Collectors.toMap(PoolPolicy::name, Function.identity()));
    for (DeclaredSet.Queue queue : set.queues()) {
      overlaps(queue, report);
      largestJob(queue, report);
      queue.quota().forEach(entry -> entry(queue, entry, pools, report));
    }
    sums(set, pools, report);
  }

  private static void overlaps(DeclaredSet.Queue queue, Report report) {
    Set<List<String>> seen = new HashSet<>();
    for (Quota entry : queue.quota()) {
      List<String> parts =
          entry.finite()
              ? entry.pools().stream().map(PoolName::value).toList()
              : entry.capacityTypes().stream().map(CapacityType::text).toList();
      for (String part : parts) {
        if (!seen.add(List.of(entry.gpu(), part))) {
          report.at(
              entry.tree(),
              FindingCode.QUOTA_OVERLAP,
              "another entry of this queue counts " + entry.gpu() + " on " + part + " already");
        }
      }
    }
  }

  /** A gang lies in one cluster and is charged to one entry, so the largest ceiling bounds it. */
  private static void largestJob(DeclaredSet.Queue queue, Report report) {
    int nodes = queue.policy().limits().maxNodesPerJob();
    long most = queue.quota().stream().mapToLong(Quota::ceiling).max().orElse(Long.MAX_VALUE);
    if (nodes < Integer.MAX_VALUE && most < nodes) {
      report.at(
          queue.document().tree().nearest("spec", "limits", "maxNodesPerJob"),
          FindingCode.QUOTA_BELOW_LARGEST_JOB,
          "a job of %d nodes needs at least %d GPUs; the largest entry of quota allows %d"
              .formatted(nodes, nodes, most));
    }
  }

  private static void entry(
      DeclaredSet.Queue queue, Quota entry, Map<PoolName, PoolPolicy> pools, Report report) {
    int nominal = entry.share().nominal().orElse(0);
    if (entry.share().lending().orElse(0) > nominal) {
      report.at(
          entry.tree().nearest("lendingLimit"),
          FindingCode.LENDING_EXCEEDS_NOMINAL,
          "no more than nominalQuota (" + nominal + ") can be lent");
    }
    if (entry.share().borrowing().orElse(0) > 0 && queue.cohort().isEmpty()) {
      report.at(
          entry.tree().nearest("borrowingLimit"),
          FindingCode.BORROWING_WITHOUT_COHORT,
          "the queue is in no cohort, so there is nobody to borrow from");
    }
    for (int i = 0; i < entry.pools().size(); i++) {
      Optional<NodeShape> shape =
          Optional.ofNullable(pools.get(entry.pools().get(i)))
              .flatMap(pool -> KnownShapes.of(pool.instanceType()));
      if (shape.isPresent() && !shape.get().gpu().name().equals(entry.gpu())) {
        report.at(
            entry.tree().nearest("pools", i),
            FindingCode.QUOTA_OTHER_MODEL,
            "this pool has %s, not %s".formatted(shape.get().gpu(), entry.gpu()));
      }
    }
  }

  /**
   * For every set of pools that some entry names, what is promised inside it must be there. Pools
   * whose node size is not known bound nothing.
   */
  private static void sums(DeclaredSet set, Map<PoolName, PoolPolicy> pools, Report report) {
    List<Quota> finite =
        set.queues().stream()
            .flatMap(queue -> queue.quota().stream())
            .filter(Quota::finite)
            .toList();
    Set<Set<PoolName>> groups =
        finite.stream().map(entry -> Set.copyOf(entry.pools())).collect(Collectors.toSet());
    groups.add(
        finite.stream().flatMap(entry -> entry.pools().stream()).collect(Collectors.toSet()));
    for (Set<PoolName> group : groups) {
      List<Quota> inside =
          finite.stream().filter(entry -> group.containsAll(entry.pools())).toList();
      Optional<Long> there = gpus(group, pools);
      long promised = inside.stream().mapToLong(entry -> entry.share().nominal().orElse(0)).sum();
      if (there.isPresent() && promised > there.get() && !inside.isEmpty()) {
        report.at(
            inside.getLast().tree().nearest("nominalQuota"),
            FindingCode.NOMINAL_EXCEEDS_POOL,
            "nominal quotas on %s sum up to %d GPUs; there are %d"
                .formatted(
                    group.stream().sorted().map(PoolName::value).collect(Collectors.joining(" + ")),
                    promised,
                    there.get()));
      }
    }
  }

  private static Optional<Long> gpus(Set<PoolName> group, Map<PoolName, PoolPolicy> pools) {
    long sum = 0;
    for (PoolName name : group) {
      Optional<PoolPolicy> pool = Optional.ofNullable(pools.get(name));
      Optional<NodeShape> shape = pool.flatMap(one -> KnownShapes.of(one.instanceType()));
      if (shape.isEmpty()) {
        return Optional.empty();
      }
      sum += (long) pool.get().nodes() * shape.get().gpus();
    }
    return Optional.of(sum);
  }
}
