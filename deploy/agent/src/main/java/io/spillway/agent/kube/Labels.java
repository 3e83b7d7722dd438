package io.spillway.agent.kube;

/** Names that control plane and agent agreed upon (README of the protocol, "Manifests"). */
public final class Labels {
  /** The attempt's id; on every object and pod of it. */
  public static final String ATTEMPT = "spillway.io/attempt";

  public static final String CLUSTER = "spillway.io/cluster";
  public static final String ROLE = "spillway.io/role";
  public static final String PART = "spillway.io/part";

  /** Epoch of the command that made the object; written by the agent. */
  public static final String EPOCH = "spillway.io/epoch";

  /** Annotation of the workload: how many pods it has. */
  public static final String PODS = "spillway.io/pods";

  /** Written on nodes by whoever runs the cluster, where the provider's labels do not say it. */
  public static final String POOL = "spillway.io/pool";

  public static final String JOB_INDEX = "batch.kubernetes.io/job-completion-index";
  public static final String REPLICA_INDEX = "training.kubeflow.org/replica-index";

  private Labels() {}

  /** Selects what belongs to attempts of this cluster. */
  public static String ofAttempts(String cluster) {
    return ATTEMPT + "," + CLUSTER + "=" + cluster;
  }
}
