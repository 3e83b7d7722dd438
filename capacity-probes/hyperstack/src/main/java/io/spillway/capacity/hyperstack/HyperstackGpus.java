package io.spillway.capacity.hyperstack;

import io.spillway.scheduler.model.GpuModel;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Hyperstack's GPU names, as its flavours and its price book have them; the spot twin of one has
 * {@code -spot} behind it.
 */
final class HyperstackGpus {
  static final Map<String, GpuModel> ALIASES = aliases();

  private static final String SPOT = "-spot";

  private HyperstackGpus() {}

  static boolean isSpot(String gpu) {
    return gpu.toLowerCase(java.util.Locale.ROOT).endsWith(SPOT);
  }

  /** The name without the mark of spot. */
  static String base(String gpu) {
    return isSpot(gpu) ? gpu.substring(0, gpu.length() - SPOT.length()) : gpu;
  }

  static String spot(String base) {
    return base + SPOT;
  }

  static Optional<GpuModel> of(String gpu) {
    return Optional.ofNullable(ALIASES.get(base(gpu)));
  }

  private static Map<String, GpuModel> aliases() {
    Map<String, GpuModel> aliases = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    aliases.put("H200-141G-SXM5", new GpuModel("nvidia-h200-141gb"));
    aliases.put("H100-80G-SXM5", new GpuModel("nvidia-h100-80gb"));
    aliases.put("H100-80G-PCIe", new GpuModel("nvidia-h100-80gb-pcie"));
    aliases.put("H100-80G-PCIe-NVLink", new GpuModel("nvidia-h100-80gb-pcie"));
    aliases.put("A100-80G-SXM4", new GpuModel("nvidia-a100-80gb"));
    aliases.put("A100-80G-PCIe", new GpuModel("nvidia-a100-80gb-pcie"));
    aliases.put("A100-80G-PCIe-NVLink", new GpuModel("nvidia-a100-80gb-pcie"));
    aliases.put("L40", new GpuModel("nvidia-l40-48gb-pcie"));
    aliases.put("RTX-A6000", new GpuModel("nvidia-a6000-48gb-pcie"));
    aliases.put("RTX-PRO6000-SE", new GpuModel("nvidia-rtxpro6000-96gb-pcie"));
    return Collections.unmodifiableMap(aliases);
  }
}
