package io.spillway.capacity.runpod;

import io.spillway.scheduler.model.GpuModel;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * RunPod's GPU ids, and the instance types that are made of them here, since RunPod has no name for
 * count, GPU and cloud together: {@code 8x_H200-SXM_SECURE}, as public catalogues write it.
 */
final class RunPodGpus {
  /** By id, as in {@code gpuTypeId}. */
  static final Map<String, GpuModel> ALIASES = aliases();

  private static final Pattern TYPE = Pattern.compile("([1-9]\\d?)x_([A-Za-z0-9.-]{1,60})_SECURE");

  private RunPodGpus() {}

  /** The name that a GPU has in an instance type: its display name with dashes. */
  static String shortName(String displayName) {
    return displayName.strip().replaceAll("[^A-Za-z0-9.]+", "-");
  }

  static String instanceType(int count, String displayName) {
    return count + "x_" + shortName(displayName) + "_SECURE";
  }

  /** The count of GPUs in an instance type; empty for one that is not RunPod's. */
  static Optional<Integer> count(String instanceType) {
    Matcher parts = TYPE.matcher(instanceType);
    return parts.matches() ? Optional.of(Integer.parseInt(parts.group(1))) : Optional.empty();
  }

  private static Map<String, GpuModel> aliases() {
    Map<String, GpuModel> aliases = new TreeMap<>();
    aliases.put("NVIDIA B300 SXM6 AC", new GpuModel("nvidia-b300-288gb"));
    aliases.put("NVIDIA B200", new GpuModel("nvidia-b200-180gb"));
    aliases.put("NVIDIA H200", new GpuModel("nvidia-h200-141gb"));
    aliases.put("NVIDIA H200 NVL", new GpuModel("nvidia-h200-141gb-nvl"));
    aliases.put("NVIDIA H100 80GB HBM3", new GpuModel("nvidia-h100-80gb"));
    aliases.put("NVIDIA H100 PCIe", new GpuModel("nvidia-h100-80gb-pcie"));
    aliases.put("NVIDIA H100 NVL", new GpuModel("nvidia-h100-94gb-nvl"));
    aliases.put("NVIDIA A100-SXM4-80GB", new GpuModel("nvidia-a100-80gb"));
    aliases.put("NVIDIA A100 80GB PCIe", new GpuModel("nvidia-a100-80gb-pcie"));
    aliases.put("NVIDIA A100-SXM4-40GB", new GpuModel("nvidia-a100-40gb"));
    aliases.put("NVIDIA L40S", new GpuModel("nvidia-l40s-48gb-pcie"));
    aliases.put("NVIDIA L40", new GpuModel("nvidia-l40-48gb-pcie"));
    aliases.put("NVIDIA L4", new GpuModel("nvidia-l4-24gb-pcie"));
    aliases.put("NVIDIA A40", new GpuModel("nvidia-a40-48gb-pcie"));
    aliases.put("NVIDIA A30", new GpuModel("nvidia-a30-24gb-pcie"));
    aliases.put("NVIDIA RTX A6000", new GpuModel("nvidia-a6000-48gb-pcie"));
    aliases.put("NVIDIA RTX 6000 Ada Generation", new GpuModel("nvidia-rtx6000ada-48gb-pcie"));
    aliases.put("NVIDIA GeForce RTX 4090", new GpuModel("nvidia-rtx4090-24gb-pcie"));
    aliases.put("NVIDIA GeForce RTX 5090", new GpuModel("nvidia-rtx5090-32gb-pcie"));
    aliases.put(
        "NVIDIA RTX PRO 6000 Blackwell Server Edition",
        new GpuModel("nvidia-rtxpro6000-96gb-pcie"));
    aliases.put("AMD Instinct MI300X OAM", new GpuModel("amd-mi300x-192gb"));
    return Collections.unmodifiableMap(aliases);
  }
}
