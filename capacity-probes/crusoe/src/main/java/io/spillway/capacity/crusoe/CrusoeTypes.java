package io.spillway.capacity.crusoe;

import io.spillway.capacity.http.JsonView;
import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.model.NodeShape;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Crusoe's instance types: a slice of GPUs and their number, {@code h100-80gb-sxm-ib.8x}. */
final class CrusoeTypes {
  static final Map<String, GpuModel> ALIASES = aliases();

  private CrusoeTypes() {}

  /** The slice, which quotas are counted by. */
  static String slice(String type) {
    int dot = type.indexOf('.');
    return dot < 0 ? type : type.substring(0, dot);
  }

  /** The shape by the provider's own list; empty for a type without GPUs or that nobody knows. */
  static Optional<NodeShape> shape(String type, JsonView row) {
    return Optional.ofNullable(ALIASES.get(slice(type)))
        .map(
            gpu ->
                new NodeShape(
                    gpu,
                    row.integer("num_gpu", 1, 64),
                    row.integer("cpu_cores", 0, 10_000),
                    row.integer("memory_gb", 0, 1_000_000)));
  }

  private static Map<String, GpuModel> aliases() {
    Map<String, GpuModel> aliases = new TreeMap<>();
    aliases.put("b200-180gb-sxm-ib", new GpuModel("nvidia-b200-180gb"));
    aliases.put("h200-141gb-sxm-ib", new GpuModel("nvidia-h200-141gb"));
    aliases.put("h100-80gb-sxm-ib", new GpuModel("nvidia-h100-80gb"));
    aliases.put("a100-80gb-sxm-ib", new GpuModel("nvidia-a100-80gb"));
    aliases.put("a100-80gb", new GpuModel("nvidia-a100-80gb-pcie"));
    aliases.put("a100", new GpuModel("nvidia-a100-40gb-pcie"));
    aliases.put("l40s-48gb", new GpuModel("nvidia-l40s-48gb-pcie"));
    aliases.put("mi300x-192gb-ib", new GpuModel("amd-mi300x-192gb"));
    return java.util.Collections.unmodifiableMap(aliases);
  }
}
