package io.spillway.capacity.lambda;

import io.spillway.scheduler.model.GpuModel;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lambda's GPU names: the end of an instance type, {@code gpu_8x_h100_sxm5}. Its descriptions
 * ({@code H100 (80 GB SXM5)}) are not in every answer.
 */
final class LambdaGpus {
  static final Map<String, GpuModel> ALIASES = aliases();

  private static final Pattern TYPE = Pattern.compile("gpu_(\\d{1,3})x_([a-z0-9_]{1,40})");

  /** Eight A100 of 40 GB are on a board; fewer are cards. */
  private static final int ON_A_BOARD = 8;

  private LambdaGpus() {}

  /** The model of an instance type; empty for one without GPUs or that nobody knows. */
  static Optional<GpuModel> of(String instanceType) {
    Matcher type = TYPE.matcher(instanceType);
    if (!type.matches()) {
      return Optional.empty();
    }
    boolean board = Integer.parseInt(type.group(1)) == ON_A_BOARD;
    return board && type.group(2).equals("a100")
        ? Optional.of(new GpuModel("nvidia-a100-40gb"))
        : Optional.ofNullable(ALIASES.get(type.group(2)));
  }

  private static Map<String, GpuModel> aliases() {
    Map<String, GpuModel> aliases = new TreeMap<>();
    aliases.put("b200_sxm6", new GpuModel("nvidia-b200-180gb"));
    aliases.put("gh200", new GpuModel("nvidia-gh200-96gb"));
    aliases.put("h100_sxm5", new GpuModel("nvidia-h100-80gb"));
    aliases.put("h100_pcie", new GpuModel("nvidia-h100-80gb-pcie"));
    aliases.put("a100_80gb_sxm4", new GpuModel("nvidia-a100-80gb"));
    aliases.put("a100_sxm4", new GpuModel("nvidia-a100-40gb"));
    aliases.put("a100", new GpuModel("nvidia-a100-40gb-pcie"));
    aliases.put("a10", new GpuModel("nvidia-a10-24gb-pcie"));
    aliases.put("a6000", new GpuModel("nvidia-a6000-48gb-pcie"));
    aliases.put("v100", new GpuModel("nvidia-v100-16gb"));
    aliases.put("v100_n", new GpuModel("nvidia-v100-16gb"));
    return java.util.Collections.unmodifiableMap(aliases);
  }
}
