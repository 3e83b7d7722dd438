package io.spillway.agent.nodes;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * From the names that clusters give their GPUs to canonical models, {@code
 * vendor-model-memory[-pcie|-nvl]}. A name that fits none stays unknown: a guess would place jobs
 * on the wrong machines.
 */
final class GpuNames {
  /** Models that come in one form only, by the word in a name; and their canonical rest. */
  private static final Map<String, String> SINGLE =
      Map.ofEntries(
          Map.entry("t4", "nvidia-t4-16gb-pcie"),
          Map.entry("a10", "nvidia-a10-24gb-pcie"),
          Map.entry("a10g", "nvidia-a10g-24gb-pcie"),
          Map.entry("a30", "nvidia-a30-24gb-pcie"),
          Map.entry("a40", "nvidia-a40-48gb-pcie"),
          Map.entry("a6000", "nvidia-a6000-48gb-pcie"),
          Map.entry("l4", "nvidia-l4-24gb-pcie"),
          Map.entry("l40", "nvidia-l40-48gb-pcie"),
          Map.entry("l40s", "nvidia-l40s-48gb-pcie"),
          Map.entry("4090", "nvidia-rtx4090-24gb-pcie"),
          Map.entry("5090", "nvidia-rtx5090-32gb-pcie"),
          Map.entry("gh200", "nvidia-gh200-96gb"),
          Map.entry("b200", "nvidia-b200-180gb"),
          Map.entry("gb200", "nvidia-gb200-186gb"),
          Map.entry("b300", "nvidia-b300-288gb"),
          Map.entry("gb300", "nvidia-gb300-288gb"),
          Map.entry("mi300x", "amd-mi300x-192gb"),
          Map.entry("mi325x", "amd-mi325x-256gb"),
          Map.entry("mi355x", "amd-mi355x-288gb"));

  /** Longer words first, so that "l40s" is no "l40". */
  private static final Pattern WORD =
      Pattern.compile(
          "(?<![a-z0-9])(gb300|gb200|gh200|mi355x|mi325x|mi300x|b300|b200|h200|h100|a100|a10g|a6000"
              + "|l40s|l40|a10|a30|a40|4090|5090|v100s?|t4|l4)(?![a-z0-9])");

  /** Instance types whose name says the model: the clouds' own pages. First match counts. */
  private static final List<Map.Entry<Pattern, String>> TYPES =
      List.of(
          type("p6-b300\\..*", "nvidia-b300-288gb"),
          type("p6e?-gb200.*", "nvidia-gb200-186gb"),
          type("p6-b200\\..*", "nvidia-b200-180gb"),
          type("p5en?\\..*", "nvidia-h200-141gb"),
          type("p5\\..*", "nvidia-h100-80gb"),
          type("p4de\\..*", "nvidia-a100-80gb"),
          type("p4d\\..*", "nvidia-a100-40gb"),
          type("p3dn\\..*", "nvidia-v100-32gb"),
          type("p3\\..*", "nvidia-v100-16gb"),
          type("g6e\\..*", "nvidia-l40s-48gb-pcie"),
          type("(g6|gr6)\\..*", "nvidia-l4-24gb-pcie"),
          type("g5\\..*", "nvidia-a10g-24gb-pcie"),
          type("g4dn\\..*", "nvidia-t4-16gb-pcie"),
          type("bm\\.gpu4\\.8", "nvidia-a100-40gb"),
          type("bm\\.gpu\\.(a100-v2|b4)\\.8", "nvidia-a100-80gb"),
          type("bm\\.gpu\\.rtxpro\\..*", "nvidia-rtxpro6000-96gb-pcie"),
          type("(bm|vm)\\.gpu\\.a10\\..*", "nvidia-a10-24gb-pcie"),
          type("bm\\.gpu\\.l40s\\..*", "nvidia-l40s-48gb-pcie"),
          type("bm\\.gpu3\\.8|vm\\.gpu3\\..*", "nvidia-v100-16gb"),
          type("bm\\.gpu\\.h100\\.8", "nvidia-h100-80gb"),
          type("bm\\.gpu\\.h200\\.8", "nvidia-h200-141gb"),
          type("standard_nd\\w*_h100_v5", "nvidia-h100-80gb"),
          type("standard_nd\\w*_h200_v5", "nvidia-h200-141gb"),
          type("standard_nc\\w*_h100_v5", "nvidia-h100-94gb-nvl"),
          type("standard_nd\\w*amsr_a100_v4", "nvidia-a100-80gb"),
          type("standard_nd\\w*asr_v4|standard_nd\\w*asr_a100_v4", "nvidia-a100-40gb"),
          type("standard_nc\\w*_a100_v4", "nvidia-a100-80gb-pcie"),
          type("standard_nc\\w*_t4_v3", "nvidia-t4-16gb-pcie"),
          type("a3-(highgpu|megagpu|edgegpu).*", "nvidia-h100-80gb"),
          type("a3-ultragpu.*", "nvidia-h200-141gb"),
          type("a4-highgpu.*", "nvidia-b200-180gb"),
          type("a4x-.*", "nvidia-gb200-186gb"),
          type("a2-ultragpu.*", "nvidia-a100-80gb"),
          type("a2-(highgpu|megagpu).*", "nvidia-a100-40gb"),
          type("g2-standard.*", "nvidia-l4-24gb-pcie"),
          type("gd-8xh100.*", "nvidia-h100-80gb"),
          type("gd-8xh200.*", "nvidia-h200-141gb"),
          type("gd-8xa100.*", "nvidia-a100-80gb"));

  private GpuNames() {}

  private static Map.Entry<Pattern, String> type(String regex, String model) {
    return Map.entry(Pattern.compile(regex), model);
  }

  /** The model that an instance type has, if its name alone decides that. */
  static Optional<String> ofInstanceType(String instanceType) {
    String type = instanceType.toLowerCase(Locale.ROOT);
    return TYPES.stream()
        .filter(entry -> entry.getKey().matcher(type).matches())
        .map(Map.Entry::getValue)
        .findFirst()
        .or(
            () ->
                type.startsWith("bm.gpu.") || type.startsWith("gd-")
                    ? of(type, OptionalLong.empty())
                    : Optional.empty());
  }

  /**
   * The model of a product or model name.
   *
   * @param memoryMib of one GPU, if another label says it
   */
  static Optional<String> of(String product, OptionalLong memoryMib) {
    String name = product.toLowerCase(Locale.ROOT).replace('_', '-').replace(' ', '-');
    if (name.contains("rtx-pro-6000") || name.contains("rtxpro6000")) {
      return Optional.of("nvidia-rtxpro6000-96gb-pcie");
    }
    if (name.contains("6000-ada")) {
      return Optional.of("nvidia-rtx6000ada-48gb-pcie");
    }
    Matcher word = WORD.matcher(spaced(name));
    if (!word.find()) {
      return Optional.empty();
    }
    String model = word.group(1);
    String one = SINGLE.get(model);
    return one == null ? several(model, name, memoryMib) : Optional.of(one);
  }

  /** "8xh100ib" holds the word as "h100". */
  private static String spaced(String name) {
    return name.replaceAll("(\\d)x(?=[a-z])", "$1x-")
        .replaceAll("(h100|h200|a100|b200|gb300)ib", "$1-ib");
  }

  private static Optional<String> several(String model, String name, OptionalLong memoryMib) {
    boolean pcie = name.contains("pcie");
    boolean nvl = name.contains("nvl");
    return switch (model) {
      case "h100" ->
          Optional.of(
              nvl || near(memoryMib, 94)
                  ? "nvidia-h100-94gb-nvl"
                  : pcie ? "nvidia-h100-80gb-pcie" : "nvidia-h100-80gb");
      case "h200" -> Optional.of(nvl ? "nvidia-h200-141gb-nvl" : "nvidia-h200-141gb");
      case "a100" ->
          size(name, memoryMib, 40, 80)
              .map(size -> "nvidia-a100-" + size + "gb" + (pcie ? "-pcie" : ""));
      case "v100", "v100s" ->
          size(name, memoryMib, 16, 32).map(size -> "nvidia-v100-" + size + "gb");
      default -> Optional.empty();
    };
  }

  private static Optional<Integer> size(String name, OptionalLong memoryMib, int small, int large) {
    if (name.contains(large + "gb")) {
      return Optional.of(large);
    }
    if (name.contains(small + "gb")) {
      return Optional.of(small);
    }
    if (near(memoryMib, large)) {
      return Optional.of(large);
    }
    // GKE's name for the 40 GB model says no size; the larger one is "nvidia-a100-80gb".
    return near(memoryMib, small) || name.startsWith("nvidia-tesla-")
        ? Optional.of(small)
        : Optional.empty();
  }

  /** Drivers report some per cent less, or more, than the name says. */
  private static boolean near(OptionalLong memoryMib, int gigabytes) {
    return memoryMib.isPresent() && Math.abs(memoryMib.getAsLong() - gigabytes * 1024L) < 4096;
  }
}
