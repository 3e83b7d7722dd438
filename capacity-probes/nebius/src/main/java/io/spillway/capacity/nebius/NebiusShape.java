package io.spillway.capacity.nebius;

import io.spillway.capacity.http.MalformedException;
import io.spillway.capacity.nebius.api.capacity.ComputeInstanceDetails;
import io.spillway.capacity.nebius.api.capacity.ComputeInstanceDetails.Preset.Resources;
import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.model.NodeShape;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Nebius's shapes: a platform and a preset of it, here joined by an underscore, {@code
 * gpu-h100-sxm_8gpu-128vcpu-1600gb}. The preset's name tells the shape when its resources are not
 * in the answer.
 */
record NebiusShape(String platform, String preset, NodeShape shape) {
  static final Map<String, GpuModel> PLATFORMS = platforms();

  private static final Pattern PRESET =
      Pattern.compile("(\\d{1,2})gpu-(\\d{1,4})vcpu-(\\d{1,5})gb");
  private static final int MOST_GPUS = 64;

  /** The shape; empty for a platform without GPUs or that nobody knows. */
  static Optional<NebiusShape> of(ComputeInstanceDetails details) {
    GpuModel gpu = PLATFORMS.get(details.getPlatform());
    return gpu == null
        ? Optional.empty()
        : Optional.of(
            new NebiusShape(
                details.getPlatform(), details.getPreset().getName(), shape(gpu, details)));
  }

  private static NodeShape shape(GpuModel gpu, ComputeInstanceDetails details) {
    Resources told = details.getPreset().getResources();
    if (told.getGpuCount() > 0
        && told.getGpuCount() <= MOST_GPUS
        && told.getVcpuCount() >= 0
        && told.getMemoryGibibytes() >= 0) {
      return new NodeShape(gpu, told.getGpuCount(), told.getVcpuCount(), told.getMemoryGibibytes());
    }
    Matcher name = PRESET.matcher(details.getPreset().getName());
    if (!name.matches() || Integer.parseInt(name.group(1)) < 1) {
      throw new MalformedException("a preset of " + details.getPlatform() + " without a shape");
    }
    return new NodeShape(
        gpu,
        Integer.parseInt(name.group(1)),
        Integer.parseInt(name.group(2)),
        Integer.parseInt(name.group(3)));
  }

  String instanceType() {
    return platform + '_' + preset;
  }

  private static Map<String, GpuModel> platforms() {
    Map<String, GpuModel> platforms = new TreeMap<>();
    platforms.put("gpu-h100-sxm", new GpuModel("nvidia-h100-80gb"));
    platforms.put("gpu-h200-sxm", new GpuModel("nvidia-h200-141gb"));
    platforms.put("gpu-b200-sxm", new GpuModel("nvidia-b200-180gb"));
    platforms.put("gpu-b200-sxm-a", new GpuModel("nvidia-b200-180gb"));
    platforms.put("gpu-b300-sxm", new GpuModel("nvidia-b300-288gb"));
    platforms.put("gpu-l40s-a", new GpuModel("nvidia-l40s-48gb-pcie"));
    platforms.put("gpu-l40s-d", new GpuModel("nvidia-l40s-48gb-pcie"));
    return java.util.Collections.unmodifiableMap(platforms);
  }
}
