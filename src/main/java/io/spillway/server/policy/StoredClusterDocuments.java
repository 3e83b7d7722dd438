package io.spillway.server.policy;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.spillway.policies.Compilation.Compiled;
import io.spillway.policies.Compilation.Rejected;
import io.spillway.policies.PolicyCompiler;
import io.spillway.policies.compute.ClusterCompute;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.policy.PolicySet;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jboss.logging.Logger;

/** Those of the version in force, kept until another is asked for. */
@ApplicationScoped
class StoredClusterDocuments implements ClusterDocuments {
  private static final Logger LOG = Logger.getLogger(StoredClusterDocuments.class);

  private final PolicyVersions versions;
  private volatile Kept kept = new Kept(PolicySet.EMPTY.version(), Map.of());

  private record Kept(String version, Map<ClusterName, ClusterCompute> clusters) {}

  StoredClusterDocuments(PolicyVersions versions) {
    this.versions = versions;
  }

  @Override
  public CompletionStage<Map<ClusterName, ClusterCompute>> of(PolicySet policies) {
    Kept now = kept;
    return now.version().equals(policies.version())
        ? CompletableFuture.completedFuture(now.clusters())
        : load(policies.version()).subscribeAsCompletionStage();
  }

  private Uni<Map<ClusterName, ClusterCompute>> load(String version) {
    return versions
        .find(version)
        .emitOn(Infrastructure.getDefaultWorkerPool())
        .map(
            found -> {
              Map<ClusterName, ClusterCompute> clusters =
                  found.map(StoredClusterDocuments::compiled).orElse(Map.of());
              kept = new Kept(version, clusters);
              return clusters;
            });
  }

  private static Map<ClusterName, ClusterCompute> compiled(StoredPolicies stored) {
    return switch (PolicyCompiler.compile(stored.files())) {
      case Compiled set -> set.compute();
      case Rejected bad -> {
        // It was accepted by a version of the program that asked for less.
        LOG.errorf(
            "no manifests: policy set %s is not accepted by this version: %s",
            stored.version(), bad.findings().getFirst());
        yield Map.of();
      }
    };
  }
}
