package io.spillway.agent.world;

/** Manifests as the control plane makes them, small. */
public final class Manifests {
  private Manifests() {}

  public static String labels(String attempt, String role) {
    return """
    {"spillway.io/attempt": "%s", "spillway.io/cluster": "eks-ohio", "spillway.io/role": "%s",
     "spillway.io/job-id": "%s", "spillway.io/job-name": "train", "spillway.io/queue": "research"}
    """
        .formatted(attempt, role, attempt.substring(0, 26));
  }

  public static String podLabels(String attempt, String part) {
    return """
    {"spillway.io/attempt": "%s", "spillway.io/cluster": "eks-ohio", "spillway.io/part": "%s",
     "spillway.io/job-id": "%s", "spillway.io/job-name": "train", "spillway.io/queue": "research"}
    """
        .formatted(attempt, part, attempt.substring(0, 26));
  }

  public static String name(String attempt) {
    return "s-" + attempt.toLowerCase(java.util.Locale.ROOT);
  }

  public static String service(String attempt) {
    return """
    {"apiVersion": "v1", "kind": "Service",
     "metadata": {"name": "%s", "namespace": "spillway-research", "labels": %s},
     "spec": {"clusterIP": "None", "publishNotReadyAddresses": true,
              "selector": {"spillway.io/attempt": "%s"}, "ports": [{"name": "rdzv", "port": 29500}]}}
    """
        .formatted(name(attempt), labels(attempt, "support"), attempt);
  }

  /** A gang of that many nodes. */
  public static String job(String attempt, int nodes) {
    return job(
        attempt,
        nodes,
        "{\"name\": \"main\", \"image\": \"registry.example/train:1\","
            + " \"command\": [\"torchrun\"], \"resources\": {\"limits\": {\"nvidia.com/gpu\": 8}}}");
  }

  public static String job(String attempt, int nodes, String container) {
    return """
    {"apiVersion": "batch/v1", "kind": "Job",
     "metadata": {"name": "%s", "namespace": "spillway-research", "labels": %s,
                  "annotations": {"spillway.io/pods": "%d"}},
     "spec": {"completionMode": "Indexed", "completions": %d, "parallelism": %d, "backoffLimit": 0,
              "ttlSecondsAfterFinished": 86400,
              "template": {"metadata": {"labels": %s},
                           "spec": {"restartPolicy": "Never", "automountServiceAccountToken": false,
                                    "containers": [%s]}}}}
    """
        .formatted(
            name(attempt),
            labels(attempt, "workload"),
            nodes,
            nodes,
            nodes,
            podLabels(attempt, "member"),
            container);
  }

  /** A bare placeholder. */
  public static String placeholder(String attempt, int index) {
    return """
    {"apiVersion": "v1", "kind": "Pod",
     "metadata": {"name": "%s-hold-%d", "namespace": "spillway-research",
                  "labels": {"spillway.io/attempt": "%s", "spillway.io/cluster": "eks-ohio",
                             "spillway.io/role": "hold", "spillway.io/part": "placeholder"}},
     "spec": {"automountServiceAccountToken": false, "terminationGracePeriodSeconds": 0,
              "priorityClassName": "spillway-placeholder",
              "containers": [{"name": "main", "image": "registry.k8s.io/pause:3.10",
                              "resources": {"limits": {"nvidia.com/gpu": 8}}}]}}
    """
        .formatted(name(attempt), index, attempt);
  }
}
