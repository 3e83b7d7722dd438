package io.spillway.verify.kube;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A machine that is not there.
 *
 * @param labels as its cloud and its GPU's operator would set them
 * @param resources beside CPU, memory and pods: {@code nvidia.com/gpu} and the like
 * @param taints by key; value and effect as {@code value:Effect}
 */
public record TestNode(
    String name,
    String providerId,
    Map<String, String> labels,
    Map<String, String> resources,
    Map<String, String> taints) {
  private static final ObjectMapper JSON = new ObjectMapper();

  public TestNode {
    labels = Map.copyOf(labels);
    resources = Map.copyOf(resources);
    taints = Map.copyOf(taints);
  }

  /** Eight H100 and what the discovery of such a node's features says. */
  public static TestNode h100(
      String name, String providerId, String region, String zone, String instanceType) {
    Map<String, String> labels = new LinkedHashMap<>();
    labels.put("topology.kubernetes.io/region", region);
    labels.put("topology.kubernetes.io/zone", zone);
    labels.put("node.kubernetes.io/instance-type", instanceType);
    labels.put("kubernetes.io/arch", "amd64");
    labels.put("kubernetes.io/os", "linux");
    labels.put("kubernetes.io/hostname", name);
    labels.put("nvidia.com/gpu.product", "NVIDIA-H100-80GB-HBM3");
    labels.put("nvidia.com/gpu.count", "8");
    labels.put("nvidia.com/gpu.memory", "81559");
    return new TestNode(name, providerId, labels, Map.of("nvidia.com/gpu", "8"), Map.of());
  }

  /** The same with one more label. */
  public TestNode with(String label, String value) {
    Map<String, String> more = new LinkedHashMap<>(labels);
    more.put(label, value);
    return new TestNode(name, providerId, more, resources, taints);
  }

  /** The same with one more resource. */
  public TestNode offering(String resource, String amount) {
    Map<String, String> more = new LinkedHashMap<>(resources);
    more.put(resource, amount);
    return new TestNode(name, providerId, labels, more, taints);
  }

  /** The same with a taint. */
  public TestNode tainted(String key, String value, String effect) {
    Map<String, String> more = new LinkedHashMap<>(taints);
    more.put(key, value + ':' + effect);
    return new TestNode(name, providerId, labels, resources, more);
  }

  ObjectNode object() {
    ObjectNode node = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "Node");
    ObjectNode metadata = node.putObject("metadata").put("name", name);
    labels.forEach(metadata.putObject("labels")::put);
    ObjectNode spec = node.putObject("spec").put("providerID", providerId);
    taints.forEach(
        (key, value) ->
            spec.withArray("taints")
                .addObject()
                .put("key", key)
                .put("value", value.substring(0, value.indexOf(':')))
                .put("effect", value.substring(value.indexOf(':') + 1)));
    return node;
  }

  ObjectNode status() {
    ObjectNode patch = JSON.createObjectNode();
    ObjectNode status = patch.putObject("status");
    for (String kind : new String[] {"capacity", "allocatable"}) {
      ObjectNode amounts = status.putObject(kind);
      amounts.put("cpu", "192").put("memory", "2000Gi").put("pods", "250");
      amounts.put("ephemeral-storage", "10000Gi").put("hugepages-2Mi", "50Gi");
      resources.forEach(amounts::put);
    }
    status
        .putArray("conditions")
        .add(condition("Ready", "True", "KubeletReady", "kubelet is posting ready status"));
    return patch;
  }

  static ObjectNode condition(String type, String status, String reason, String message) {
    String now = Instant.now().toString();
    return JSON.createObjectNode()
        .put("type", type)
        .put("status", status)
        .put("reason", reason)
        .put("message", message)
        .put("lastHeartbeatTime", now)
        .put("lastTransitionTime", now);
  }
}
