package io.spillway.agent.gate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Makes honest manifests hostile, each by at least one change that no cluster's rules here allow.
 */
final class Hostility {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Fields of a pod's specification that reach beyond it. */
  private static final List<String> POD =
      List.of(
          "{\"hostPID\": true}",
          "{\"hostIPC\": true}",
          "{\"hostNetwork\": true}",
          "{\"hostNetwork\": \"true\"}",
          "{\"hostUsers\": true}",
          "{\"shareProcessNamespace\": true}",
          "{\"nodeName\": \"control-plane-1\"}",
          "{\"serviceAccountName\": \"cluster-admin\"}",
          "{\"serviceAccount\": \"cluster-admin\"}",
          "{\"serviceAccountName\": null}",
          "{\"serviceAccountName\": \"default\", \"automountServiceAccountToken\": true}",
          "{\"priorityClassName\": \"system-node-critical\"}",
          "{\"priority\": 2000001000}",
          "{\"runtimeClassName\": \"kata-host\"}",
          "{\"schedulerName\": \"evil\"}",
          "{\"schedulingGates\": [{\"name\": \"x\"}]}",
          "{\"dnsPolicy\": \"None\", \"dnsConfig\": {\"nameservers\": [\"6.6.6.6\"]}}",
          "{\"hostAliases\": [{\"ip\": \"6.6.6.6\", \"hostnames\": [\"kubernetes.default\"]}]}",
          "{\"initContainers\": [{\"name\": \"i\", \"image\": \"registry.example/team/i:1\"}]}",
          "{\"ephemeralContainers\": [{\"name\": \"e\", \"image\": \"registry.example/team/e:1\"}]}",
          "{\"readinessGates\": [{\"conditionType\": \"x\"}]}",
          "{\"resourceClaims\": [{\"name\": \"c\", \"resourceClaimName\": \"c\"}]}",
          "{\"overhead\": {\"cpu\": \"1\"}}",
          "{\"preemptionPolicy\": \"PreemptLowerPriority\"}",
          "{\"os\": {\"name\": \"windows\"}}",
          "{\"setHostnameAsFQDN\": true}",
          "{\"hostPid\": true}",
          "{\"restartPolicy\": \"Always\"}",
          "{\"tolerations\": [{\"operator\": \"Exists\"}]}",
          "{\"tolerations\": [{\"key\": \"\", \"operator\": \"Exists\"}]}",
          "{\"tolerations\": [{\"key\": \"node-role.kubernetes.io/control-plane\", \"operator\": \"Exists\"}]}",
          "{\"tolerations\": [{\"key\": \"karpenter.sh/unregistered\", \"operator\": \"Exists\"}]}",
          "{\"securityContext\": {\"sysctls\": [{\"name\": \"kernel.msgmax\", \"value\": \"1\"}]}}",
          "{\"securityContext\": {\"seccompProfile\": {\"type\": \"Unconfined\"}}}",
          "{\"securityContext\": {\"seLinuxOptions\": {\"type\": \"spc_t\"}}}",
          "{\"securityContext\": {\"windowsOptions\": {\"hostProcess\": true}}}",
          "{\"securityContext\": {\"appArmorProfile\": {\"type\": \"Unconfined\"}}}",
          "{\"affinity\": {\"podAffinity\": {\"requiredDuringSchedulingIgnoredDuringExecution\": [{\"topologyKey\": \"a\", \"labelSelector\": {}, \"namespaces\": [\"kube-system\"]}]}}}",
          "{\"containers\": []}",
          "{\"containers\": {\"name\": \"main\"}}",
          "{\"volumes\": [{\"name\": \"v\", \"hostPath\": {\"path\": \"/\"}}]}",
          "{\"volumes\": [{\"name\": \"v\", \"hostPath\": {\"path\": \"/var/run/docker.sock\"}}]}",
          "{\"volumes\": [{\"name\": \"v\", \"hostPath\": {\"path\": \"/dev/infiniband/../mem\"}}]}",
          "{\"volumes\": [{\"name\": \"v\", \"hostPath\": {\"path\": \"/dev/infinibandit\"}}]}",
          "{\"volumes\": [{\"name\": \"v\", \"hostPath\": {\"path\": \"/dev/infiniband/\"}}]}",
          "{\"volumes\": [{\"name\": \"v\", \"hostPath\": {\"path\": \"/dev//infiniband\"}}]}",
          "{\"volumes\": [{\"name\": \"v\", \"hostPath\": {\"path\": \"/dev/infiniband\", \"type\": \"Socket\"}}]}",
          "{\"volumes\": [{\"name\": \"v\", \"secret\": {\"secretName\": \"kubeconfig\"}}]}",
          "{\"volumes\": [{\"name\": \"v\", \"projected\": {\"sources\": [{\"serviceAccountToken\": {\"path\": \"t\", \"audience\": \"vault\"}}]}}]}",
          "{\"volumes\": [{\"name\": \"v\", \"downwardAPI\": {\"items\": []}}]}",
          "{\"volumes\": [{\"name\": \"v\", \"nfs\": {\"server\": \"10.0.0.1\", \"path\": \"/\"}}]}",
          "{\"volumes\": [{\"name\": \"v\", \"iscsi\": {\"targetPortal\": \"10.0.0.1\", \"iqn\": \"i\", \"lun\": 0}}]}",
          "{\"volumes\": [{\"name\": \"v\", \"csi\": {\"driver\": \"secrets-store.csi.k8s.io\"}}]}",
          "{\"volumes\": [{\"name\": \"v\", \"csi\": {\"driver\": \"blob.csi.azure.com\", \"nodePublishSecretRef\": {\"name\": \"s\"}}}]}",
          "{\"volumes\": [{\"name\": \"v\", \"ephemeral\": {\"volumeClaimTemplate\": {}}}]}",
          "{\"volumes\": [{\"name\": \"v\", \"gitRepo\": {\"repository\": \"-u\"}}]}",
          "{\"volumes\": [{\"name\": \"v\", \"image\": {\"reference\": \"evil\"}}]}",
          "{\"volumes\": [{\"name\": \"v\", \"emptyDir\": {}, \"hostPath\": {\"path\": \"/\"}}]}",
          "{\"volumes\": [{\"name\": \"v\"}]}");

  private static final List<String> CONTAINER =
      List.of(
          "{\"securityContext\": {\"privileged\": true}}",
          "{\"securityContext\": {\"privileged\": \"true\"}}",
          "{\"securityContext\": {\"capabilities\": {\"add\": [\"SYS_ADMIN\"]}}}",
          "{\"securityContext\": {\"capabilities\": {\"add\": [\"ALL\"]}}}",
          "{\"securityContext\": {\"capabilities\": {\"add\": [\"IPC_LOCK\", \"NET_RAW\"]}}}",
          "{\"securityContext\": {\"procMount\": \"Unmasked\"}}",
          "{\"securityContext\": {\"seccompProfile\": {\"type\": \"Localhost\", \"localhostProfile\": \"x\"}}}",
          "{\"securityContext\": {\"appArmorProfile\": {\"type\": \"Unconfined\"}}}",
          "{\"image\": \"evil.example/miner:1\"}",
          "{\"image\": \"registry.example/other/train:1\"}",
          "{\"image\": \"registry.example/teammate/train:1\"}",
          "{\"image\": \"registry.example.evil.io/team/train:1\"}",
          "{\"image\": \"registry.example@evil.io/team/train:1\"}",
          "{\"image\": \"registry.k8s.io/kubectl:1\"}",
          "{\"image\": \"registry.example/team/../../evil/x:1\"}",
          "{\"image\": \"ubuntu\"}",
          "{\"image\": \"\"}",
          "{\"envFrom\": [{\"secretRef\": {\"name\": \"all\"}}]}",
          "{\"env\": [{\"name\": \"X\", \"valueFrom\": {\"configMapKeyRef\": {\"name\": \"c\", \"key\": \"k\"}}}]}",
          "{\"env\": [{\"name\": \"X\", \"valueFrom\": {\"resourceFieldRef\": {\"resource\": \"limits.cpu\"}}}]}",
          "{\"env\": [{\"name\": \"X\", \"valueFrom\": {\"fieldRef\": {\"fieldPath\": \"spec.serviceAccountName\"}}}]}",
          "{\"volumeMounts\": [{\"name\": \"shm\", \"mountPath\": \"/x\", \"mountPropagation\": \"Bidirectional\"}]}",
          "{\"volumeMounts\": [{\"name\": \"shm\", \"mountPath\": \"/x\", \"subPath\": \"../..\"}]}",
          "{\"lifecycle\": {\"preStop\": {\"exec\": {\"command\": [\"x\"]}}}}",
          "{\"livenessProbe\": {\"httpGet\": {\"host\": \"169.254.169.254\", \"port\": 80}}}",
          "{\"ports\": [{\"containerPort\": 80, \"hostPort\": 80}]}",
          "{\"stdin\": true}",
          "{\"tty\": true}",
          "{\"restartPolicy\": \"Always\"}",
          "{\"resources\": {\"limits\": {\"nvidia.com/gpu\": 9999}}}",
          "{\"resources\": {\"limits\": {\"nvidia.com/gpu\": 100000000000}}}",
          "{\"resources\": {\"limits\": {\"nvidia.com/gpu\": \"1e9\"}}}",
          "{\"resources\": {\"limits\": {\"smarter-devices/fuse\": 1}}}",
          "{\"resources\": {\"claims\": [{\"name\": \"c\"}]}}",
          "{\"terminationMessagePath\": \"/dev/infiniband\"}");

  private static final List<String> META =
      List.of(
          "{\"ownerReferences\": [{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"name\": \"n\", \"uid\": \"u\"}]}",
          "{\"finalizers\": [\"evil/never\"]}",
          "{\"namespace\": \"kube-system\"}",
          "{\"namespace\": \"spillway\"}",
          "{\"namespace\": \"\"}",
          "{\"namespace\": \"../kube-system\"}",
          "{\"name\": \"../../nodes\"}",
          "{\"name\": \"a/status\"}",
          "{\"name\": \"\"}",
          "{\"generateName\": \"x\"}",
          "{\"resourceVersion\": \"1\"}",
          "{\"uid\": \"1\"}",
          "{\"managedFields\": []}",
          "{\"labels\": {}}",
          "{\"labels\": null}",
          "{\"labels\": [\"x\"]}",
          "{\"annotations\": {\"kubectl.kubernetes.io/last-applied-configuration\": \"x\"}}",
          "{\"annotations\": {\"iam.amazonaws.com/role\": \"admin\"}}",
          "{\"annotations\": {\"container.apparmor.security.beta.kubernetes.io/main\": \"unconfined\"}}");

  private static final List<String> LABELS =
      List.of(
          "{\"spillway.io/attempt\": \"01JD0000000000000000000009-1\"}",
          "{\"spillway.io/cluster\": \"other\"}",
          "{\"spillway.io/role\": \"root\"}",
          "{\"sidecar.istio.io/inject\": \"true\"}",
          "{\"node-role.kubernetes.io/control-plane\": \"\"}",
          "{\"a b\": \"x\"}",
          "{\"spillway.io/queue\": \"two\\nlines\"}");

  private static final List<String> TOP =
      List.of(
          "{\"apiVersion\": \"rbac.authorization.k8s.io/v1\", \"kind\": \"ClusterRoleBinding\"}",
          "{\"apiVersion\": \"v1\", \"kind\": \"Secret\"}",
          "{\"apiVersion\": \"v1\", \"kind\": \"Namespace\"}",
          "{\"apiVersion\": \"v1\", \"kind\": \"Node\"}",
          "{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": []}",
          "{\"apiVersion\": \"v1\", \"kind\": \"Eviction\"}",
          "{\"apiVersion\": \"v1\", \"kind\": \"Binding\"}",
          "{\"apiVersion\": \"apps/v1\", \"kind\": \"DaemonSet\"}",
          "{\"apiVersion\": \"apps/v1\", \"kind\": \"Deployment\"}",
          "{\"apiVersion\": \"batch/v1\", \"kind\": \"CronJob\"}",
          "{\"apiVersion\": \"admissionregistration.k8s.io/v1\", \"kind\": \"MutatingWebhookConfiguration\"}",
          "{\"apiVersion\": \"apiextensions.k8s.io/v1\", \"kind\": \"CustomResourceDefinition\"}",
          "{\"apiVersion\": \"batch/v2\"}",
          "{\"kind\": \"\"}",
          "{\"kind\": 7}",
          "{\"metadata\": null}",
          "{\"status\": {\"phase\": \"Succeeded\"}}",
          "{\"stringData\": {\"a\": \"b\"}}",
          "{\"Spec\": {\"hostPID\": true}}");

  private Hostility() {}

  /** The bytes of one hostile manifest. */
  static byte[] manifest(Random random) {
    List<String> kinds = Honest.ALL.keySet().stream().sorted().toList();
    ObjectNode object = Honest.of(kinds.get(random.nextInt(kinds.size())));
    if (random.nextInt(8) == 0) {
      return bytes(random, object.toString());
    }
    int changes = 1 + random.nextInt(3);
    for (int i = 0; i < changes; i++) {
      change(random, object);
    }
    return object.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void change(Random random, ObjectNode object) {
    List<ObjectNode> pods = new ArrayList<>();
    find(object, "containers", pods);
    List<ObjectNode> containers = new ArrayList<>();
    find(object, "image", containers);
    int kind = random.nextInt(pods.isEmpty() ? 3 : 8);
    switch (kind) {
      case 0 -> merge(object, pick(random, TOP));
      case 1 -> meta(random, object);
      case 2 -> merge(labels(random, object), pick(random, LABELS));
      case 3, 4, 5 -> merge(pods.get(random.nextInt(pods.size())), pick(random, POD));
      default ->
          merge(
              containers.isEmpty() ? object : containers.get(random.nextInt(containers.size())),
              pick(random, CONTAINER));
    }
  }

  private static void meta(Random random, ObjectNode object) {
    if (object.path("metadata") instanceof ObjectNode metadata) {
      merge(metadata, pick(random, META));
    } else {
      merge(object, "{\"metadata\": null}");
    }
  }

  private static ObjectNode labels(Random random, ObjectNode object) {
    List<ObjectNode> all = new ArrayList<>();
    find(object, "spillway.io/cluster", all);
    return all.isEmpty() ? object : all.get(random.nextInt(all.size()));
  }

  private static void find(JsonNode node, String key, List<ObjectNode> found) {
    if (node instanceof ObjectNode object && object.has(key)) {
      found.add(object);
    }
    node.forEach(child -> find(child, key, found));
  }

  private static String pick(Random random, List<String> of) {
    return of.get(random.nextInt(of.size()));
  }

  private static void merge(ObjectNode into, String fields) {
    try {
      into.setAll((ObjectNode) JSON.readTree(fields));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What one reader takes for this, and another for that. */
  private static byte[] bytes(Random random, String honest) {
    String text =
        switch (random.nextInt(10)) {
          case 0 -> honest.replaceFirst("\"kind\":", "\"kind\":\"Secret\",\"kind\":");
          case 1 -> honest.replaceFirst("\"metadata\":", "\"metadata\":{},\"metadata\":");
          case 2 -> honest.replaceFirst("\"labels\":", "\"labels\":{},\"labels\":");
          case 3 -> honest + honest;
          case 4 -> honest + " # and more";
          case 5 -> honest.substring(0, random.nextInt(honest.length() - 1));
          case 6 -> "[" + honest + "]";
          case 7 -> "/* a comment */" + honest;
          case 8 -> "[".repeat(5000);
          default ->
              honest.replaceFirst(
                  "\\{", "{\"x\":" + "{\"a\":".repeat(200) + "1" + "}".repeat(200) + ",");
        };
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (random.nextInt(20) == 0) {
      byte[] noise = new byte[1 + random.nextInt(200)];
      random.nextBytes(noise);
      return noise;
    }
    return bytes;
  }
}
