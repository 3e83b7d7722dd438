package io.spillway.agent.gate;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.spillway.agent.world.Manifests;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/** One honest manifest of each kind, rich in fields, for {@link #ATTEMPT}. */
final class Honest {
  static final String ATTEMPT = "01JD0000000000000000000001-1";
  static final String CLUSTER = "eks-ohio";
  private static final ObjectMapper JSON = new ObjectMapper();

  /** What lets all of them in, and no more. */
  static final GateRules RULES =
      new GateRules(
          java.util.Set.of(
              "Job",
              "JobSet",
              "MPIJob",
              "Service",
              "ConfigMap",
              "PersistentVolumeClaim",
              "PersistentVolume",
              "ServiceAccount",
              "Pod",
              "PodTemplate",
              "ProvisioningRequest"),
          List.of("spillway-*"),
          List.of("trainer"),
          List.of("registry.example/team"),
          false,
          List.of("/dev/infiniband"),
          false,
          64,
          List.of("spillway-*"),
          List.of("nvidia"));

  private Honest() {}

  private static final String POD_SPEC =
      """
      {"restartPolicy": "Never", "terminationGracePeriodSeconds": 110, "subdomain": "sw-1",
       "serviceAccountName": "trainer", "automountServiceAccountToken": true,
       "enableServiceLinks": false, "priorityClassName": "spillway-normal",
       "runtimeClassName": "nvidia", "imagePullSecrets": [{"name": "regcred"}],
       "nodeSelector": {"node.kubernetes.io/instance-type": "p5.48xlarge"},
       "tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}],
       "securityContext": {"seccompProfile": {"type": "RuntimeDefault"}, "runAsUser": 1000},
       "affinity": {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [
          {"topologyKey": "topology.kubernetes.io/zone",
           "labelSelector": {"matchLabels": {"spillway.io/attempt": "%1$s"}}}]}},
       "containers": [{"name": "main", "image": "registry.example/team/train:1",
          "command": ["torchrun"], "args": ["train.py"],
          "env": [{"name": "A", "value": "b"},
                  {"name": "HF_TOKEN", "valueFrom": {"secretKeyRef": {"name": "hf", "key": "token"}}},
                  {"name": "IP", "valueFrom": {"fieldRef": {"fieldPath": "status.podIP"}}}],
          "resources": {"limits": {"nvidia.com/gpu": 8, "memory": "100Gi"},
                        "requests": {"cpu": "90", "memory": "100Gi"}},
          "securityContext": {"allowPrivilegeEscalation": false, "capabilities": {"add": ["IPC_LOCK"]}},
          "terminationMessagePolicy": "FallbackToLogsOnError",
          "volumeMounts": [{"name": "shm", "mountPath": "/dev/shm"}]}],
       "volumes": [{"name": "shm", "emptyDir": {"medium": "Memory", "sizeLimit": "32Gi"}},
                   {"name": "ib", "hostPath": {"path": "/dev/infiniband", "type": "Directory"}},
                   {"name": "data", "persistentVolumeClaim": {"claimName": "data", "readOnly": true}}]}
      """
          .formatted(ATTEMPT);

  private static final String TEMPLATE =
      "{\"metadata\": {\"labels\": "
          + Manifests.podLabels(ATTEMPT, "member")
          + ", \"annotations\": {\"karpenter.sh/do-not-disrupt\": \"true\"}}, \"spec\": "
          + POD_SPEC
          + "}";

  private static final String JOB_SPEC =
      """
      {"completionMode": "Indexed", "completions": 2, "parallelism": 2, "backoffLimit": 0,
       "podReplacementPolicy": "Failed", "ttlSecondsAfterFinished": 86400,
       "podFailurePolicy": {"rules": [{"action": "FailJob",
          "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]}]},
       "template": %s}
      """
          .formatted(TEMPLATE);

  static final Map<String, String> ALL =
      Map.ofEntries(
          Map.entry("Job", object("batch/v1", "Job", "workload", "\"spec\": " + JOB_SPEC)),
          Map.entry(
              "JobSet",
              object(
                  "jobset.x-k8s.io/v1alpha2",
                  "JobSet",
                  "workload",
                  """
                  "spec": {"failurePolicy": {"maxRestarts": 0}, "network": {"enableDNSHostnames": true},
                    "replicatedJobs": [{"name": "node", "replicas": 1, "template": {"spec": %s}}]}
                  """
                      .formatted(JOB_SPEC))),
          Map.entry(
              "MPIJob",
              object(
                  "kubeflow.org/v2beta1",
                  "MPIJob",
                  "workload",
                  """
                  "spec": {"slotsPerWorker": 8, "launcherCreationPolicy": "WaitForWorkersReady",
                    "runPolicy": {"cleanPodPolicy": "Running", "backoffLimit": 0},
                    "mpiReplicaSpecs": {"Launcher": {"replicas": 1, "template": %1$s},
                                        "Worker": {"replicas": 2, "template": %1$s}}}
                  """
                      .formatted(TEMPLATE))),
          Map.entry(
              "Service",
              object(
                  "v1",
                  "Service",
                  "support",
                  "\"spec\": {\"clusterIP\": \"None\", \"publishNotReadyAddresses\": true,"
                      + " \"selector\": {\"spillway.io/attempt\": \"x\"},"
                      + " \"ports\": [{\"name\": \"rdzv\", \"port\": 29500}]}")),
          Map.entry("ConfigMap", object("v1", "ConfigMap", "support", "\"data\": {\"a\": \"b\"}")),
          Map.entry(
              "PersistentVolumeClaim",
              object(
                  "v1",
                  "PersistentVolumeClaim",
                  "support",
                  "\"spec\": {\"accessModes\": [\"ReadOnlyMany\"], \"storageClassName\": \"\","
                      + " \"volumeName\": \"v\", \"resources\": {\"requests\": {\"storage\": \"1Ti\"}}}")),
          Map.entry(
              "PersistentVolume",
              object(
                      "v1",
                      "PersistentVolume",
                      "support",
                      """
                      "spec": {"accessModes": ["ReadOnlyMany"], "capacity": {"storage": "1Ti"},
                        "persistentVolumeReclaimPolicy": "Retain", "storageClassName": "",
                        "claimRef": {"name": "v", "namespace": "spillway-research"},
                        "mountOptions": ["read-only", "prefix v2/"],
                        "csi": {"driver": "s3.csi.aws.com", "volumeHandle": "s3-1",
                                "volumeAttributes": {"bucketName": "datasets"}}}
                      """)
                  .replace("\"namespace\": \"spillway-research\", \"labels\"", "\"labels\"")),
          Map.entry(
              "ServiceAccount",
              """
              {"apiVersion": "v1", "kind": "ServiceAccount",
               "metadata": {"name": "trainer", "namespace": "spillway-research",
                 "annotations": {"eks.amazonaws.com/role-arn": "arn:aws:iam::1:role/trainer"},
                 "labels": {"spillway.io/cluster": "eks-ohio", "spillway.io/role": "shared"}}}
              """),
          Map.entry("Pod", object("v1", "Pod", "hold", "\"spec\": " + POD_SPEC)),
          Map.entry(
              "PodTemplate", object("v1", "PodTemplate", "hold", "\"template\": " + TEMPLATE)),
          Map.entry(
              "ProvisioningRequest",
              object(
                  "autoscaling.x-k8s.io/v1",
                  "ProvisioningRequest",
                  "hold",
                  "\"spec\": {\"provisioningClassName\": \"check-capacity.autoscaling.x-k8s.io\","
                      + " \"podSets\": [{\"count\": 2, \"podTemplateRef\": {\"name\": \"t\"}}]}")));

  private static String object(String apiVersion, String kind, String role, String body) {
    return """
    {"apiVersion": "%s", "kind": "%s",
     "metadata": {"name": "sw-1", "namespace": "spillway-research", "labels": %s,
                  "annotations": {"spillway.io/pods": "2"}},
     %s}
    """
        .formatted(apiVersion, kind, Manifests.labels(ATTEMPT, role), body);
  }

  static ObjectNode of(String kind) {
    try {
      return (ObjectNode) JSON.readTree(ALL.get(kind));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Gate.Command command(ObjectNode object) {
    String role = object.path("metadata").path("labels").path("spillway.io/role").asText();
    return role.equals("hold") ? Gate.Command.HOLD : Gate.Command.START;
  }
}
