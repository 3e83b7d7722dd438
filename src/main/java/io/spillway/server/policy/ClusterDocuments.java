package io.spillway.server.policy;

import io.spillway.policies.compute.ClusterCompute;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.policy.PolicySet;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * What Cluster documents say beside the scheduler's part. The state holds only what decisions need;
 * the documents lie in the store, by version, and are read and compiled once.
 */
public interface ClusterDocuments {

  /**
   * Fails if the store does not answer. Never blocks; completes on any thread.
   *
   * @param policies what is in force
   * @return the clusters of that set; empty for a set that this version of the program cannot read
   */
  CompletionStage<Map<ClusterName, ClusterCompute>> of(PolicySet policies);
}
