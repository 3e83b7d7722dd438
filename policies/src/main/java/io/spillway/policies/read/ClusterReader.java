package io.spillway.policies.read;

import io.spillway.policies.document.PolicyDocument;
import io.spillway.policies.source.Tree;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.QueueName;
import io.spillway.scheduler.policy.ClusterPolicy;
import io.spillway.scheduler.policy.ClusterPolicy.Access;
import io.spillway.scheduler.policy.ClusterPolicy.Capacity;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;

/** Reads a Cluster document. */
final class ClusterReader {
  /** The default of semantics: thirty minutes of silence. */
  private static final Duration LOST_AFTER = Duration.ofMinutes(30);

  /** Long enough for a bare-metal GPU node to come up and join. */
  private final Optional<Tree.Mapping> defaults;

  private final ComputeReader compute;

  ClusterReader(Optional<Tree.Mapping> defaults, Report report) {
    this.defaults = defaults;
    this.compute = new ComputeReader(report);
  }

  DeclaredSet.Cluster read(PolicyDocument document) {
    Fields spec = Fields.of(document.tree()).fields("spec").over(defaults);
    String region = spec.required("region");
    String provider = spec.required("provider");
    ClusterPolicy policy =
        new ClusterPolicy(
            new ClusterName(document.name()),
            provider,
            spec.text("account", "default"),
            region,
            spec.text("namespace", "spillway-{queue}"),
            spec.duration("lostAfter", LOST_AFTER),
            spec.list("capacity").stream()
                .map(entry -> capacity(entry, region, launchDeadline(spec, provider, entry)))
                .toList(),
            new Access(
                access(spec, "identities"),
                access(spec, "volumes"),
                access(spec, "weights"),
                access(spec, "secrets")));
    return new DeclaredSet.Cluster(document, policy, compute.read(spec, policy));
  }

  /** The entry's own word, else the cluster's, else what is usual. */
  private static Duration launchDeadline(Fields spec, String provider, Fields entry) {
    Duration usual = LaunchDeadlines.of(provider, entry.required("instanceType"));
    return entry.duration("launchDeadline", spec.duration("launchDeadline", usual));
  }

  private static Capacity capacity(Fields entry, String region, Duration launchDeadline) {
    List<String> zones = entry.texts("zones");
    return new Capacity(
        entry.required("instanceType"),
        entry.texts("capacityTypes").stream().map(CapacityType::parse).toList(),
        zones.isEmpty() ? List.of(region) : zones,
        entry.integer("maxNodes").orElseThrow(),
        launchDeadline,
        SetReader.fabric(entry));
  }

  private static Map<String, SortedSet<QueueName>> access(Fields spec, String key) {
    Map<String, SortedSet<QueueName>> access = new TreeMap<>();
    spec.entries(key).forEach((name, entry) -> access.put(name, ComputeReader.queues(entry)));
    return access;
  }
}
