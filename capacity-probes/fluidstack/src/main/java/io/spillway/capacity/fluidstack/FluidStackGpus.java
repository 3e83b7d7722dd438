package io.spillway.capacity.fluidstack;

import io.spillway.scheduler.model.GpuModel;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * FluidStack's {@code gpu_type}, and the instance types that are made of it here: the count in
 * front, {@code 8x_H100_SXM5_80GB}, since FluidStack has no name for the pair.
 */
final class FluidStackGpus {
  static final Map<String, GpuModel> ALIASES = aliases();

  private static final Pattern TYPE = Pattern.compile("([1-9]\\d?)x_([A-Za-z0-9_]{1,60})");

  private FluidStackGpus() {}

  static String instanceType(String gpuType, int count) {
    return count + "x_" + gpuType;
  }

  /** An instance type taken apart; empty for one that is not FluidStack's or has an unknown GPU. */
  static Optional<Machine> machine(String instanceType) {
    Matcher parts = TYPE.matcher(instanceType);
    return parts.matches()
        ? Optional.ofNullable(ALIASES.get(parts.group(2)))
            .map(gpu -> new Machine(gpu, Integer.parseInt(parts.group(1))))
        : Optional.empty();
  }

  /** GPUs of a machine. */
  record Machine(GpuModel gpu, int count) {}

  private static Map<String, GpuModel> aliases() {
    Map<String, GpuModel> aliases = new TreeMap<>();
    aliases.put("H200_SXM5_141GB", new GpuModel("nvidia-h200-141gb"));
    aliases.put("H100_SXM5_80GB", new GpuModel("nvidia-h100-80gb"));
    aliases.put("H100_NVLINK_80GB", new GpuModel("nvidia-h100-80gb"));
    aliases.put("H100_PCIE_80GB", new GpuModel("nvidia-h100-80gb-pcie"));
    aliases.put("A100_SXM4_80GB", new GpuModel("nvidia-a100-80gb"));
    aliases.put("A100_NVLINK_80GB", new GpuModel("nvidia-a100-80gb"));
    aliases.put("A100_PCIE_80GB", new GpuModel("nvidia-a100-80gb-pcie"));
    aliases.put("A100_SXM4_40GB", new GpuModel("nvidia-a100-40gb"));
    aliases.put("A100_PCIE_40GB", new GpuModel("nvidia-a100-40gb-pcie"));
    aliases.put("L40S_48GB", new GpuModel("nvidia-l40s-48gb-pcie"));
    aliases.put("L40_48GB", new GpuModel("nvidia-l40-48gb-pcie"));
    aliases.put("A40_48GB", new GpuModel("nvidia-a40-48gb-pcie"));
    aliases.put("RTX_A6000_48GB", new GpuModel("nvidia-a6000-48gb-pcie"));
    aliases.put("RTX_4090_24GB", new GpuModel("nvidia-rtx4090-24gb-pcie"));
    return Collections.unmodifiableMap(aliases);
  }
}
