package io.spillway.capacity.gcp;

import io.spillway.scheduler.model.GpuModel;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * GPUs by Google's name of the accelerator, with the name of the regional quota that counts them.
 * Source: Compute Engine's pages on GPU machine types and quotas; of families newer than those the
 * quota is counted elsewhere and says nothing here.
 */
final class GcpGpus {
  private static final Map<String, Kind> KINDS =
      Map.ofEntries(
          kind("nvidia-l4", "nvidia-l4-24gb-pcie", "NVIDIA_L4_GPUS"),
          kind("nvidia-tesla-a100", "nvidia-a100-40gb", "NVIDIA_A100_GPUS"),
          kind("nvidia-a100-80gb", "nvidia-a100-80gb", "NVIDIA_A100_80GB_GPUS"),
          kind("nvidia-h100-80gb", "nvidia-h100-80gb", "NVIDIA_H100_GPUS"),
          kind("nvidia-h100-mega-80gb", "nvidia-h100-80gb", "NVIDIA_H100_MEGA_GPUS"),
          kind("nvidia-h200-141gb", "nvidia-h200-141gb", "NVIDIA_H200_GPUS"),
          kind("nvidia-b200", "nvidia-b200-180gb", "NVIDIA_B200_GPUS"),
          kind("nvidia-gb200", "nvidia-gb200-186gb", "NVIDIA_GB200_GPUS"),
          kind("nvidia-gb300", "nvidia-gb300-288gb", "NVIDIA_GB300_GPUS"),
          kind("nvidia-rtx-pro-6000", "nvidia-rtxpro6000-96gb-pcie", "NVIDIA_RTX_PRO_6000_GPUS"));

  private GcpGpus() {}

  /** The model of that accelerator. */
  static Optional<GpuModel> model(String accelerator) {
    return Optional.ofNullable(KINDS.get(accelerator)).map(Kind::model);
  }

  /** The metric that counts it on demand; spot has the same with {@code PREEMPTIBLE_} before it. */
  static String quota(String accelerator) {
    return Optional.ofNullable(KINDS.get(accelerator)).map(Kind::quota).orElse("");
  }

  static Map<String, GpuModel> aliases() {
    return KINDS.entrySet().stream()
        .collect(
            Collectors.toUnmodifiableMap(Map.Entry::getKey, entry -> entry.getValue().model()));
  }

  private static Map.Entry<String, Kind> kind(String accelerator, String model, String quota) {
    return Map.entry(accelerator, new Kind(new GpuModel(model), quota));
  }

  private record Kind(GpuModel model, String quota) {}
}
