package io.spillway.agent.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeFactsTest {
  private static io.spillway.protocol.v1.Node told(String... labels) {
    return NodeFacts.of(node(labels).build()).message().orElseThrow();
  }

  private static NodeBuilder node(String... labels) {
    Map<String, String> map = new HashMap<>();
    for (int i = 0; i < labels.length; i += 2) {
      map.put(labels[i], labels[i + 1]);
    }
    return new NodeBuilder()
        .withNewMetadata()
        .withName("n")
        .withLabels(map)
        .endMetadata()
        .withNewSpec()
        .endSpec()
        .withNewStatus()
        .addToAllocatable("nvidia.com/gpu", new Quantity("8"))
        .addNewCondition()
        .withType("Ready")
        .withStatus("True")
        .endCondition()
        .endStatus();
  }

  @ParameterizedTest
  @CsvSource({
    "node.kubernetes.io/instance-type, p5.48xlarge, nvidia-h100-80gb",
    "node.kubernetes.io/instance-type, p5.4xlarge, nvidia-h100-80gb",
    "node.kubernetes.io/instance-type, p5en.48xlarge, nvidia-h200-141gb",
    "node.kubernetes.io/instance-type, p4de.24xlarge, nvidia-a100-80gb",
    "node.kubernetes.io/instance-type, BM.GPU.H100.8, nvidia-h100-80gb",
    "node.kubernetes.io/instance-type, BM.GPU4.8, nvidia-a100-40gb",
    "node.kubernetes.io/instance-type, BM.GPU.B4.8, nvidia-a100-80gb",
    "node.kubernetes.io/instance-type, BM.GPU.MI300X.8, amd-mi300x-192gb",
    "node.kubernetes.io/instance-type, Standard_ND96isr_H100_v5, nvidia-h100-80gb",
    "node.kubernetes.io/instance-type, Standard_ND96amsr_A100_v4, nvidia-a100-80gb",
    "node.kubernetes.io/instance-type, Standard_NC40ads_H100_v5, nvidia-h100-94gb-nvl",
    "node.kubernetes.io/instance-type, gd-8xh100ib-i128, nvidia-h100-80gb",
    "cloud.google.com/gke-accelerator, nvidia-h100-mega-80gb, nvidia-h100-80gb",
    "cloud.google.com/gke-accelerator, nvidia-tesla-a100, nvidia-a100-40gb",
    "cloud.google.com/gke-accelerator, nvidia-a100-80gb, nvidia-a100-80gb",
    "cloud.google.com/gke-accelerator, nvidia-l4, nvidia-l4-24gb-pcie",
    "cloud.google.com/gke-accelerator, nvidia-h200-141gb, nvidia-h200-141gb",
    "cloud.google.com/gke-accelerator, nvidia-b200, nvidia-b200-180gb",
    "nvidia.com/gpu.product, NVIDIA-H100-80GB-HBM3, nvidia-h100-80gb",
    "nvidia.com/gpu.product, NVIDIA-H100-PCIe, nvidia-h100-80gb-pcie",
    "nvidia.com/gpu.product, NVIDIA-H100-NVL, nvidia-h100-94gb-nvl",
    "nvidia.com/gpu.product, A100-SXM4-40GB, nvidia-a100-40gb",
    "nvidia.com/gpu.product, NVIDIA-A100-80GB-PCIe, nvidia-a100-80gb-pcie",
    "nvidia.com/gpu.product, Tesla-V100-SXM2-16GB, nvidia-v100-16gb",
    "nvidia.com/gpu.product, NVIDIA-L40S, nvidia-l40s-48gb-pcie",
    "nvidia.com/gpu.product, NVIDIA-A10G-SHARED, nvidia-a10g-24gb-pcie",
    "nvidia.com/gpu.product, NVIDIA-GeForce-RTX-4090, nvidia-rtx4090-24gb-pcie",
    "nvidia.com/gpu.product, NVIDIA-RTX-6000-Ada-Generation, nvidia-rtx6000ada-48gb-pcie",
    "gpu.nvidia.com/model, GH200_480GB, nvidia-gh200-96gb",
    "karpenter.k8s.aws/instance-gpu-name, l40s, nvidia-l40s-48gb-pcie",
    "spillway.io/gpu, nvidia-h100-80gb, nvidia-h100-80gb"
  })
  void labels_of_every_cluster_kind_name_the_model(String label, String value, String model) {
    assertThat(told(label, value).getGpu()).isEqualTo(model);
  }

  @Test
  void a_name_that_leaves_the_size_open_needs_the_memory_label() {
    assertThat(NodeFacts.of(node("karpenter.k8s.aws/instance-gpu-name", "a100").build()).message())
        .isEmpty();
    assertThat(
            told(
                    "karpenter.k8s.aws/instance-gpu-name",
                    "a100",
                    "karpenter.k8s.aws/instance-gpu-memory",
                    "81920")
                .getGpu())
        .isEqualTo("nvidia-a100-80gb");
  }

  @ParameterizedTest
  @CsvSource({
    "karpenter.sh/capacity-type, spot, spot",
    "karpenter.sh/capacity-type, reserved, reserved",
    "eks.amazonaws.com/capacityType, SPOT, spot",
    "eks.amazonaws.com/capacityType, CAPACITY_BLOCK, reserved",
    "cloud.google.com/gke-spot, true, spot",
    "kubernetes.azure.com/scalesetpriority, spot, spot",
    "oci.oraclecloud.com/oke-is-preemptible, true, spot",
    "oci.oraclecloud.com/host.capacity_reservation_id, abc, reserved",
    "oci.oraclecloud.com/host.capacity_reservation_id, no-imds-data, on-demand",
    "spillway.io/capacity-type, reserved, reserved",
    "some.other/label, x, on-demand"
  })
  void labels_of_every_cluster_kind_name_the_capacity_type(
      String label, String value, String type) {
    assertThat(
            told("nvidia.com/gpu.product", "NVIDIA-H100-80GB-HBM3", label, value).getCapacityType())
        .isEqualTo(type);
  }

  @Test
  void health_signs_are_named_by_their_conditions() {
    Node node =
        node("nvidia.com/gpu.product", "NVIDIA-H100-80GB-HBM3")
            .editStatus()
            .addNewCondition()
            .withType("GpuXid")
            .withStatus("True")
            .endCondition()
            .addNewCondition()
            .withType("RdmaLink")
            .withStatus("False")
            .endCondition()
            .addNewCondition()
            .withType("oci.oraclecloud.com/MaintenanceFault")
            .withStatus("True")
            .endCondition()
            .addNewCondition()
            .withType("AcceleratedHardwareReady")
            .withStatus("False")
            .endCondition()
            .endStatus()
            .build();
    assertThat(NodeFacts.of(node).message().orElseThrow().getHealthSignsList())
        .containsExactly("GpuXid", "MaintenanceFault", "NotAcceleratedHardwareReady");
  }

  @Test
  void a_cordoned_or_leaving_node_takes_no_work() {
    NodeBuilder node = node("nvidia.com/gpu.product", "NVIDIA-H100-80GB-HBM3");
    assertThat(
            NodeFacts.of(node.editSpec().withUnschedulable(true).endSpec().build())
                .message()
                .orElseThrow()
                .getReady())
        .isFalse();
    assertThat(
            NodeFacts.of(
                    node.editSpec()
                        .withUnschedulable(false)
                        .addNewTaint("NoSchedule", "karpenter.sh/disrupted", null, "")
                        .endSpec()
                        .build())
                .message()
                .orElseThrow()
                .getReady())
        .isFalse();
  }
}
