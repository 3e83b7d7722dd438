package io.spillway.agent.world;

import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.Map;

/** Pods of gangs, as the Job controller and a kubelet would leave them. */
public final class Members {
  private Members() {}

  /** A member of that rank that runs. */
  public static PodBuilder running(
      String name, String namespace, String attempt, int rank, String node) {
    return new PodBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace(namespace)
        .withLabels(
            Map.of(
                "spillway.io/attempt",
                attempt,
                "spillway.io/cluster",
                "eks-ohio",
                "spillway.io/part",
                "member",
                "batch.kubernetes.io/job-completion-index",
                Integer.toString(rank)))
        .endMetadata()
        .withNewSpec()
        .withNodeName(node)
        .endSpec()
        .withNewStatus()
        .withPhase("Running")
        .addNewContainerStatus()
        .withName("main")
        .withNewState()
        .withNewRunning("2026-12-01T00:00:00Z")
        .endState()
        .endContainerStatus()
        .endStatus();
  }
}
