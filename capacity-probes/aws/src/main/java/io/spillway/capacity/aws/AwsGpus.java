package io.spillway.capacity.aws;

import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.model.NodeShape;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.ec2.model.GpuDeviceInfo;
import software.amazon.awssdk.services.ec2.model.GpuDeviceMemoryInfo;
import software.amazon.awssdk.services.ec2.model.InstanceTypeInfo;

/**
 * EC2's GPU names ({@code gpuInfo.gpus[].name} of DescribeInstanceTypes) as canonical models. One
 * name may stand for several sizes, so the memory decides; a GPU whose memory is not nearly that of
 * the model (a fraction of one, as in g6f) is none of ours.
 */
final class AwsGpus {
  /** EC2 tells MiB of usable memory, the model's name says GB: they differ by up to this share. */
  private static final double MEMORY_TOLERANCE = 0.15;

  private static final double MIB_PER_GB = 1_000_000_000.0 / (1 << 20);
  private static final int MIB_PER_GIB = 1_024;

  private static final Map<String, List<GpuModel>> BY_NAME =
      Map.ofEntries(
          named("V100", "nvidia-v100-16gb", "nvidia-v100-32gb"),
          named("T4", "nvidia-t4-16gb-pcie"),
          named("A10G", "nvidia-a10g-24gb-pcie"),
          named("L4", "nvidia-l4-24gb-pcie"),
          named("L40S", "nvidia-l40s-48gb-pcie"),
          named("A100", "nvidia-a100-40gb", "nvidia-a100-80gb"),
          named("H100", "nvidia-h100-80gb"),
          named("H200", "nvidia-h200-141gb"),
          named("B200", "nvidia-b200-180gb"),
          named("B300", "nvidia-b300-288gb"),
          named("GB200", "nvidia-gb200-186gb"),
          named("GB300", "nvidia-gb300-288gb"));

  /** Names that mean one model only. */
  static final Map<String, GpuModel> ALIASES =
      Map.of(
          "T4", new GpuModel("nvidia-t4-16gb-pcie"),
          "A10G", new GpuModel("nvidia-a10g-24gb-pcie"),
          "L4", new GpuModel("nvidia-l4-24gb-pcie"),
          "L40S", new GpuModel("nvidia-l40s-48gb-pcie"),
          "H100", new GpuModel("nvidia-h100-80gb"),
          "H200", new GpuModel("nvidia-h200-141gb"),
          "B200", new GpuModel("nvidia-b200-180gb"),
          "B300", new GpuModel("nvidia-b300-288gb"),
          "GB200", new GpuModel("nvidia-gb200-186gb"),
          "GB300", new GpuModel("nvidia-gb300-288gb"));

  private AwsGpus() {}

  /** The node of that type; empty for a type without GPUs, or with some that have no model here. */
  static Optional<NodeShape> shape(InstanceTypeInfo type) {
    if (type.gpuInfo() == null || type.gpuInfo().gpus().size() != 1) {
      return Optional.empty();
    }
    GpuDeviceInfo gpu = type.gpuInfo().gpus().getFirst();
    int count = gpu.count() == null ? 0 : gpu.count();
    if (count < 1) {
      return Optional.empty();
    }
    return model(gpu).map(model -> new NodeShape(model, count, cpus(type), memoryGib(type)));
  }

  private static Optional<GpuModel> model(GpuDeviceInfo gpu) {
    List<GpuModel> models = BY_NAME.getOrDefault(String.valueOf(gpu.name()), List.of());
    GpuDeviceMemoryInfo memory = gpu.memoryInfo();
    if (memory == null || memory.sizeInMiB() == null) {
      return models.size() == 1 ? Optional.of(models.getFirst()) : Optional.empty();
    }
    double gb = memory.sizeInMiB() / MIB_PER_GB;
    return models.stream()
        .filter(model -> Math.abs(gb - model.memoryGb()) <= model.memoryGb() * MEMORY_TOLERANCE)
        .findFirst();
  }

  private static int cpus(InstanceTypeInfo type) {
    return type.vCpuInfo() == null || type.vCpuInfo().defaultVCpus() == null
        ? 0
        : Math.max(0, type.vCpuInfo().defaultVCpus());
  }

  private static int memoryGib(InstanceTypeInfo type) {
    return type.memoryInfo() == null || type.memoryInfo().sizeInMiB() == null
        ? 0
        : Math.clamp(type.memoryInfo().sizeInMiB() / MIB_PER_GIB, 0, Integer.MAX_VALUE);
  }

  private static Map.Entry<String, List<GpuModel>> named(String name, String... models) {
    return Map.entry(name, java.util.Arrays.stream(models).map(GpuModel::new).toList());
  }
}
