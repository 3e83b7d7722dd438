package io.spillway.scheduler.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A canonical GPU model, {@code vendor-model-memory[-pcie|-nvl]} with SXM unmarked. The list is
 * closed: a provider module maps its own names onto it.
 */
public record GpuModel(String name) implements Comparable<GpuModel> {
  /** Memory in GB by canonical name; source: the vendors' product pages. */
  private static final Map<String, Integer> KNOWN = known();

  /**
   * @throws IllegalArgumentException for a model that is not in the closed list
   */
  public GpuModel {
    if (!KNOWN.containsKey(name)) {
      throw new IllegalArgumentException(
          "unknown GPU model '" + name + "'; nearest: " + String.join(", ", nearest(name)));
    }
  }

  /** The model of that name, or empty when it is not in the closed list. */
  public static Optional<GpuModel> of(String name) {
    return KNOWN.containsKey(name) ? Optional.of(new GpuModel(name)) : Optional.empty();
  }

  /** All models, by name. */
  public static List<GpuModel> all() {
    return KNOWN.keySet().stream().map(GpuModel::new).toList();
  }

  /** The three known names at the smallest edit distance, best first. */
  public static List<String> nearest(String name) {
    List<String> names = new ArrayList<>(KNOWN.keySet());
    names.sort(
        java.util.Comparator.<String>comparingInt(known -> EditDistance.between(known, name))
            .thenComparing(known -> known));
    return List.copyOf(names.subList(0, 3));
  }

  /** Memory of one GPU in GB. */
  public int memoryGb() {
    return KNOWN.get(name);
  }

  /** The mechanical form: {@code sxm}, {@code pcie} or {@code nvl}. */
  public String form() {
    return name.endsWith("-pcie") ? "pcie" : name.endsWith("-nvl") ? "nvl" : "sxm";
  }

  @Override
  public int compareTo(GpuModel other) {
    return name.compareTo(other.name);
  }

  @Override
  public String toString() {
    return name;
  }

  private static Map<String, Integer> known() {
    Map<String, Integer> known = new TreeMap<>();
    known.put("nvidia-v100-16gb", 16);
    known.put("nvidia-v100-32gb", 32);
    known.put("nvidia-t4-16gb-pcie", 16);
    known.put("nvidia-a10-24gb-pcie", 24);
    known.put("nvidia-a10g-24gb-pcie", 24);
    known.put("nvidia-a30-24gb-pcie", 24);
    known.put("nvidia-a40-48gb-pcie", 48);
    known.put("nvidia-a6000-48gb-pcie", 48);
    known.put("nvidia-a100-40gb", 40);
    known.put("nvidia-a100-40gb-pcie", 40);
    known.put("nvidia-a100-80gb", 80);
    known.put("nvidia-a100-80gb-pcie", 80);
    known.put("nvidia-l4-24gb-pcie", 24);
    known.put("nvidia-l40-48gb-pcie", 48);
    known.put("nvidia-l40s-48gb-pcie", 48);
    known.put("nvidia-rtx4090-24gb-pcie", 24);
    known.put("nvidia-rtx5090-32gb-pcie", 32);
    known.put("nvidia-rtx6000ada-48gb-pcie", 48);
    known.put("nvidia-rtxpro6000-96gb-pcie", 96);
    known.put("nvidia-h100-80gb", 80);
    known.put("nvidia-h100-80gb-pcie", 80);
    known.put("nvidia-h100-94gb-nvl", 94);
    known.put("nvidia-gh200-96gb", 96);
    known.put("nvidia-h200-141gb", 141);
    known.put("nvidia-h200-141gb-nvl", 141);
    known.put("nvidia-b200-180gb", 180);
    known.put("nvidia-gb200-186gb", 186);
    known.put("nvidia-b300-288gb", 288);
    known.put("nvidia-gb300-288gb", 288);
    known.put("amd-mi300x-192gb", 192);
    known.put("amd-mi325x-256gb", 256);
    known.put("amd-mi355x-288gb", 288);
    return java.util.Collections.unmodifiableMap(known);
  }
}
