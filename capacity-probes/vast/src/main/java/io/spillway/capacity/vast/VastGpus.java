package io.spillway.capacity.vast;

import io.spillway.scheduler.model.GpuModel;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Vast.ai's {@code gpu_name}, and the instance types that are made of it here: count in front,
 * dashes for spaces, {@code 8x_H100-SXM}, since an offer is a machine and has no type.
 */
final class VastGpus {
  static final Map<String, GpuModel> ALIASES = aliases();

  private static final Pattern TYPE = Pattern.compile("([1-9]\\d?)x_([A-Za-z0-9-]{1,60})");

  /** A100 comes with 40 or 80 GB under one name; the memory of an offer tells. */
  private static final int BETWEEN_40_AND_80_GB_IN_MB = 60_000;

  private static final Map<String, GpuModel> SMALL =
      Map.of(
          "A100 SXM4", new GpuModel("nvidia-a100-40gb"),
          "A100 PCIE", new GpuModel("nvidia-a100-40gb-pcie"));

  private static final String SMALL_MARK = " 40GB";

  private VastGpus() {}

  /**
   * The machine of an offer; empty for an unknown GPU.
   *
   * @param memoryMb of one GPU; 0 if it was not told
   */
  static Optional<Machine> machine(String name, int memoryMb, int count) {
    boolean small =
        SMALL.containsKey(name) && memoryMb > 0 && memoryMb < BETWEEN_40_AND_80_GB_IN_MB;
    GpuModel gpu = small ? SMALL.get(name) : ALIASES.get(name);
    return Optional.ofNullable(gpu).map(model -> new Machine(name, model, count));
  }

  /** An instance type taken apart; empty for one that is not Vast.ai's or has an unknown GPU. */
  static Optional<Machine> machine(String instanceType) {
    Matcher parts = TYPE.matcher(instanceType);
    if (!parts.matches()) {
      return Optional.empty();
    }
    String name = parts.group(2).replace('-', ' ');
    boolean small = name.endsWith(SMALL_MARK);
    String base = small ? name.substring(0, name.length() - SMALL_MARK.length()) : name;
    GpuModel gpu = small ? SMALL.get(base) : ALIASES.get(base);
    return Optional.ofNullable(gpu)
        .map(model -> new Machine(base, model, Integer.parseInt(parts.group(1))));
  }

  /**
   * A machine that is offered.
   *
   * @param name Vast.ai's, of its GPUs
   */
  record Machine(String name, GpuModel gpu, int count) {
    String instanceType() {
      String mark = gpu.equals(SMALL.get(name)) ? SMALL_MARK : "";
      return count + "x_" + (name + mark).replace(' ', '-');
    }
  }

  private static Map<String, GpuModel> aliases() {
    Map<String, GpuModel> aliases = new TreeMap<>();
    aliases.put("B200", new GpuModel("nvidia-b200-180gb"));
    aliases.put("H200", new GpuModel("nvidia-h200-141gb"));
    aliases.put("H200 NVL", new GpuModel("nvidia-h200-141gb-nvl"));
    aliases.put("H100 SXM", new GpuModel("nvidia-h100-80gb"));
    aliases.put("H100 PCIE", new GpuModel("nvidia-h100-80gb-pcie"));
    aliases.put("H100 NVL", new GpuModel("nvidia-h100-94gb-nvl"));
    aliases.put("A100 SXM4", new GpuModel("nvidia-a100-80gb"));
    aliases.put("A100 PCIE", new GpuModel("nvidia-a100-80gb-pcie"));
    aliases.put("L40S", new GpuModel("nvidia-l40s-48gb-pcie"));
    aliases.put("L40", new GpuModel("nvidia-l40-48gb-pcie"));
    aliases.put("L4", new GpuModel("nvidia-l4-24gb-pcie"));
    aliases.put("A40", new GpuModel("nvidia-a40-48gb-pcie"));
    aliases.put("RTX A6000", new GpuModel("nvidia-a6000-48gb-pcie"));
    aliases.put("RTX 6000Ada", new GpuModel("nvidia-rtx6000ada-48gb-pcie"));
    aliases.put("RTX 5090", new GpuModel("nvidia-rtx5090-32gb-pcie"));
    aliases.put("RTX 4090", new GpuModel("nvidia-rtx4090-24gb-pcie"));
    return Collections.unmodifiableMap(aliases);
  }
}
