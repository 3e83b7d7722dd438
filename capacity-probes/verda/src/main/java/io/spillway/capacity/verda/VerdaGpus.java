package io.spillway.capacity.verda;

import io.spillway.scheduler.model.GpuModel;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Verda's {@code model} with the memory of one GPU where a model comes with several: {@code H100},
 * {@code A100 40GB}. The descriptions ({@code 8x H100 SXM5 80GB}) are prose.
 */
final class VerdaGpus {
  static final Map<String, GpuModel> ALIASES = aliases();

  private VerdaGpus() {}

  /**
   * @param memoryGb of one GPU; 0 if it was not told
   */
  static Optional<GpuModel> of(String model, int memoryGb) {
    String name = model.strip().toUpperCase(Locale.ROOT).replaceFirst("^(NVIDIA|TESLA) ", "");
    return switch (name) {
      case "A100" -> sized(name, memoryGb, 80, 40);
      case "V100" -> sized(name, memoryGb, 16, 32);
      default -> Optional.ofNullable(ALIASES.get(name));
    };
  }

  /** The size that is nearest; the usual one when none was told. */
  private static Optional<GpuModel> sized(String name, int memoryGb, int usual, int other) {
    boolean rare = memoryGb > 0 && Math.abs(memoryGb - other) < Math.abs(memoryGb - usual);
    return Optional.ofNullable(ALIASES.get(name + ' ' + (rare ? other : usual) + "GB"));
  }

  private static Map<String, GpuModel> aliases() {
    Map<String, GpuModel> aliases = new TreeMap<>();
    aliases.put("GB300", new GpuModel("nvidia-gb300-288gb"));
    aliases.put("B300", new GpuModel("nvidia-b300-288gb"));
    aliases.put("B200", new GpuModel("nvidia-b200-180gb"));
    aliases.put("H200", new GpuModel("nvidia-h200-141gb"));
    aliases.put("H100", new GpuModel("nvidia-h100-80gb"));
    aliases.put("A100 80GB", new GpuModel("nvidia-a100-80gb"));
    aliases.put("A100 40GB", new GpuModel("nvidia-a100-40gb"));
    aliases.put("L40S", new GpuModel("nvidia-l40s-48gb-pcie"));
    aliases.put("RTX PRO 6000", new GpuModel("nvidia-rtxpro6000-96gb-pcie"));
    aliases.put("RTX 6000 ADA", new GpuModel("nvidia-rtx6000ada-48gb-pcie"));
    aliases.put("RTX A6000", new GpuModel("nvidia-a6000-48gb-pcie"));
    aliases.put("A6000", new GpuModel("nvidia-a6000-48gb-pcie"));
    aliases.put("V100 16GB", new GpuModel("nvidia-v100-16gb"));
    aliases.put("V100 32GB", new GpuModel("nvidia-v100-32gb"));
    return Collections.unmodifiableMap(aliases);
  }
}
