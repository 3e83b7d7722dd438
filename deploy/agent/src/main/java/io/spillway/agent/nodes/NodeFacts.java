package io.spillway.agent.nodes;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Taint;
import io.spillway.agent.kube.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * One node, trimmed.
 *
 * @param message as the control plane hears it; empty for a node without a GPU of a known model
 * @param resources its extended resources
 * @param alive its kubelet answers
 */
public record NodeFacts(
    String name,
    String instance,
    Optional<io.spillway.protocol.v1.Node> message,
    Set<String> resources,
    boolean alive) {
  private static final String GPU = "nvidia.com/gpu";
  private static final String AMD = "amd.com/gpu";

  /** Taints of a node that takes no new work, whatever is tolerated. */
  private static final Set<String> LEAVING =
      Set.of(
          "karpenter.sh/disrupted",
          "node.kubernetes.io/unreachable",
          "node.kubernetes.io/not-ready",
          "ToBeDeletedByClusterAutoscaler",
          "node.coreweave.cloud/evict",
          "cloud.google.com/impending-node-termination",
          "ignore-taint.cluster-autoscaler.kubernetes.io/oke-impending-node-termination",
          "node.kubernetes.io/out-of-service");

  /**
   * Labels that say where a node is and what it hangs on; the rest of them is nobody's business.
   */
  private static final Set<String> TOLD =
      Set.of(
          "node.kubernetes.io/instance-type",
          "topology.kubernetes.io/region",
          "topology.kubernetes.io/zone",
          "topology.k8s.aws/zone-id",
          "kubernetes.azure.com/agentpool",
          "cloud.google.com/gke-nodepool",
          "cloud.google.com/gce-topology-block",
          "compute.coreweave.com/node-pool",
          "nvidia.com/gpu.clique",
          Labels.POOL);

  public static NodeFacts of(Node node) {
    Map<String, String> labels =
        Optional.ofNullable(node.getMetadata().getLabels()).orElse(Map.of());
    Map<String, Quantity> has =
        node.getStatus() == null || node.getStatus().getAllocatable() == null
            ? Map.of()
            : node.getStatus().getAllocatable();
    List<NodeCondition> conditions =
        node.getStatus() == null || node.getStatus().getConditions() == null
            ? List.of()
            : node.getStatus().getConditions();
    String instance = instance(node);
    boolean alive =
        conditions.stream()
            .anyMatch(c -> c.getType().equals("Ready") && "True".equals(c.getStatus()));
    Set<String> resources = new TreeSet<>();
    has.keySet().stream().filter(NodeFacts::extended).map(String::intern).forEach(resources::add);
    Map<String, Quantity> built =
        node.getStatus() == null || node.getStatus().getCapacity() == null
            ? Map.of()
            : node.getStatus().getCapacity();
    // A device plugin that restarts leaves none to be allocated for a moment.
    Map<String, Quantity> counted = gpus(has) > 0 ? has : built;
    Optional<io.spillway.protocol.v1.Node> message =
        model(labels, counted)
            .filter(model -> gpus(counted) > 0)
            .map(
                model ->
                    message(node, labels, has, conditions, model, instance, alive && gpus(has) > 0)
                        .setGpus((int) gpus(counted))
                        .build());
    return new NodeFacts(
        node.getMetadata().getName(), instance, message, Set.copyOf(resources), alive);
  }

  /**
   * The same node, after what was known of it. While its device plugin or kubelet restarts, or its
   * labels are written anew, nobody says what its GPUs are; its pods run on. It is told as it was,
   * and takes nothing new: a node that is told to be gone takes its gangs with it.
   */
  NodeFacts after(NodeFacts before) {
    boolean outOfSight =
        message.isEmpty() && before.message().isPresent() && instance.equals(before.instance());
    return outOfSight
        ? new NodeFacts(
            name,
            instance,
            before.message().map(told -> told.toBuilder().setReady(false).build()),
            resources,
            alive)
        : this;
  }

  private static boolean extended(String resource) {
    return resource.contains("/") && !resource.startsWith("kubernetes.io/");
  }

  private static io.spillway.protocol.v1.Node.Builder message(
      Node node,
      Map<String, String> labels,
      Map<String, Quantity> has,
      List<NodeCondition> conditions,
      String model,
      String instance,
      boolean serves) {
    List<Taint> taints =
        node.getSpec() == null || node.getSpec().getTaints() == null
            ? List.of()
            : node.getSpec().getTaints();
    boolean cordoned =
        node.getSpec() != null && Boolean.TRUE.equals(node.getSpec().getUnschedulable());
    boolean leaving =
        node.getMetadata().getDeletionTimestamp() != null
            || taints.stream().anyMatch(t -> LEAVING.contains(t.getKey()));
    Fabrics.Fabric fabric = Fabrics.of(labels, has.keySet());
    var built =
        io.spillway.protocol.v1.Node.newBuilder()
            .setName(node.getMetadata().getName())
            .setProviderId(instance)
            .setZone(zone(labels))
            .setInstanceType(instanceType(labels))
            .setCapacityType(CapacityTypes.of(labels, taints))
            .setGpu(model)
            .setCpus((int) amount(has.get("cpu")))
            .setMemoryGib((int) (amount(has.get("memory")) >> 30))
            .setFabricType(fabric.type())
            .setFabricName(fabric.name())
            .setReady(serves && !cordoned && !leaving)
            .addAllHealthSigns(HealthSigns.of(labels, conditions));
    labels.forEach(
        (key, value) -> {
          if (TOLD.contains(key)) {
            built.putLabels(key, value);
          }
        });
    taints.stream().limit(16).map(NodeFacts::text).forEach(built::addTaints);
    return built;
  }

  private static String text(Taint taint) {
    String value =
        taint.getValue() == null || taint.getValue().isEmpty() ? "" : "=" + taint.getValue();
    return taint.getKey() + value + ":" + taint.getEffect();
  }

  /**
   * As the provider's events name the instance: EC2's by the bare id, OCI's by the OCID, those of
   * others as the node's {@code providerID} does.
   */
  private static String instance(Node node) {
    String id = node.getSpec() == null ? null : node.getSpec().getProviderID();
    if (id == null || id.isEmpty()) {
      return "";
    }
    if (id.startsWith("aws://")) {
      return id.substring(id.lastIndexOf('/') + 1);
    }
    return id.startsWith("oci://") ? id.substring("oci://".length()) : id;
  }

  /** EC2 names its zones differently in each account; the id is the same in all. */
  private static String zone(Map<String, String> labels) {
    return first(
            labels,
            "topology.k8s.aws/zone-id",
            "topology.kubernetes.io/zone",
            "failure-domain.beta.kubernetes.io/zone")
        .orElse("");
  }

  private static String instanceType(Map<String, String> labels) {
    return first(
            labels,
            "spillway.io/instance-type",
            "node.kubernetes.io/instance-type",
            "node.coreweave.cloud/type",
            "beta.kubernetes.io/instance-type")
        .orElse("");
  }

  private static Optional<String> model(Map<String, String> labels, Map<String, Quantity> has) {
    if (!has.containsKey(GPU) && !has.containsKey(AMD)) {
      return Optional.empty();
    }
    OptionalLong memory =
        first(labels, "nvidia.com/gpu.memory", "karpenter.k8s.aws/instance-gpu-memory")
            .filter(text -> text.matches("\\d{1,9}"))
            .map(text -> OptionalLong.of(Long.parseLong(text)))
            .orElse(OptionalLong.empty());
    return first(labels, "spillway.io/gpu")
        .or(() -> GpuNames.ofInstanceType(instanceType(labels)))
        .or(
            () ->
                Stream.of(
                        "nvidia.com/gpu.product",
                        "amd.com/gpu.product-name",
                        "cloud.google.com/gke-accelerator",
                        "karpenter.k8s.aws/instance-gpu-name",
                        "eks.amazonaws.com/instance-gpu-name",
                        "karpenter.azure.com/sku-gpu-name",
                        "gpu.nvidia.com/model",
                        "k8s.amazonaws.com/accelerator")
                    .map(labels::get)
                    .filter(value -> value != null && !value.isEmpty())
                    .flatMap(value -> GpuNames.of(value, memory).stream())
                    .findFirst());
  }

  private static long gpus(Map<String, Quantity> has) {
    return Math.max(amount(has.get(GPU)), amount(has.get(AMD)));
  }

  private static long amount(Quantity quantity) {
    return quantity == null ? 0 : Quantity.getAmountInBytes(quantity).longValue();
  }

  static Optional<String> first(Map<String, String> labels, String... keys) {
    List<String> found = new ArrayList<>();
    for (String key : keys) {
      String value = labels.get(key);
      if (value != null && !value.isEmpty()) {
        found.add(value);
      }
    }
    return found.stream().findFirst();
  }
}
