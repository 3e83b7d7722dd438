package io.spillway.capacity.azure;

import io.spillway.scheduler.model.GpuModel;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the name of a VM size says. Azure's lists count a size's GPUs, but only its name tells which
 * they are: {@code Standard_ND96isr_H100_v5} is series ND, 96 vCPUs, features {@code isr}, GPU
 * H100, version 5. Source: Azure's naming conventions and series pages.
 */
final class AzureSizes {
  private static final Pattern NAMED_GPU =
      Pattern.compile("(Standard_[A-Z]+)\\d+.*?(_[A-Z]+\\d+[A-Z]*_v\\d+)");
  private static final Pattern PLAIN = Pattern.compile("(Standard_[A-Z]+)\\d+([a-z]*_v\\d+)");

  private static final List<Sort> SORTS =
      List.of(
          sort("Standard_ND\\d+\\w*_H100_v5", "nvidia-h100-80gb"),
          sort("Standard_ND\\d+\\w*_H200_v5", "nvidia-h200-141gb"),
          sort("Standard_ND\\d+\\w*_GB200_v6", "nvidia-gb200-186gb"),
          sort("Standard_ND\\d+\\w*_GB300_v6", "nvidia-gb300-288gb"),
          sort("Standard_ND\\d+\\w*_MI300X_v5", "amd-mi300x-192gb"),
          sort("Standard_ND\\d+\\w*_A100_v4", "nvidia-a100-80gb"),
          sort("Standard_ND\\d+asr_v4", "nvidia-a100-40gb"),
          sort("Standard_ND\\d+rs_v2", "nvidia-v100-32gb"),
          sort("Standard_NCC?\\d+\\w*_H100_v5", "nvidia-h100-94gb-nvl"),
          sort("Standard_NC\\d+\\w*_A100_v4", "nvidia-a100-80gb-pcie"),
          sort("Standard_NC\\d+\\w*_T4_v3", "nvidia-t4-16gb-pcie"),
          sort("Standard_NC\\d+r?s_v3", "nvidia-v100-16gb"));

  private AzureSizes() {}

  /** The GPU of that size; empty for one that is not known, or shares a GPU between machines. */
  static Optional<GpuModel> gpu(String size) {
    return SORTS.stream()
        .filter(sort -> sort.sizes().matcher(size).matches())
        .map(Sort::gpu)
        .findFirst();
  }

  /**
   * The sizes that one quota counts: {@code Standard_ND*_H100_v5}. Sizes without a GPU in their
   * name keep their features, which then tell one family from the next.
   */
  static String family(String size) {
    for (Pattern form : List.of(NAMED_GPU, PLAIN)) {
      Matcher name = form.matcher(size);
      if (name.matches()) {
        return name.group(1) + '*' + name.group(2);
      }
    }
    return size;
  }

  private static Sort sort(String sizes, String gpu) {
    return new Sort(Pattern.compile(sizes), new GpuModel(gpu));
  }

  /** Sizes with the same GPU. */
  private record Sort(Pattern sizes, GpuModel gpu) {}
}
