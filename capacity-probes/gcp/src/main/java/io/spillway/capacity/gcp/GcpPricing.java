package io.spillway.capacity.gcp;

import io.spillway.capacity.gcp.GcpPriceList.Parts;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/**
 * What a machine type costs: the sum of its parts. Of A4 the GPU's line carries the whole machine.
 * A family whose parts are not known here has no price.
 */
final class GcpPricing {
  /**
   * Machine types that begin with {@code prefix} are made of these parts.
   *
   * @param series names of the series in core and memory lines, whichever the list uses; none = the
   *     GPU's line is all
   */
  private record Recipe(String prefix, List<String> series, String gpu) {}

  private static final List<Recipe> RECIPES =
      List.of(
          new Recipe("a2-highgpu-", List.of("a2"), "a100 gpu"),
          new Recipe("a2-megagpu-", List.of("a2"), "a100 gpu"),
          new Recipe("a2-ultragpu-", List.of("a2"), "a100-80gb gpu"),
          new Recipe("a3-highgpu-", List.of("a3"), "h100 gpu"),
          new Recipe("a3-edgegpu-", List.of("a3"), "h100 gpu"),
          new Recipe("a3-megagpu-", List.of("a3plus", "a3mega"), "h100-mega gpu"),
          new Recipe("a3-ultragpu-", List.of("a3ultra"), "h200 gpu"),
          new Recipe("a4-highgpu-", List.of(), "b200 gpu"),
          new Recipe("g2-standard-", List.of("g2"), "l4 gpu"));

  private GcpPricing() {}

  /** USD per node-hour; empty if a part of it is not priced in that region. */
  static Optional<BigDecimal> of(GcpMachine machine, boolean spot, Parts parts) {
    return RECIPES.stream()
        .filter(recipe -> machine.type().startsWith(recipe.prefix()))
        .findFirst()
        .flatMap(recipe -> of(recipe, machine, spot, parts));
  }

  private static Optional<BigDecimal> of(
      Recipe recipe, GcpMachine machine, boolean spot, Parts parts) {
    Optional<BigDecimal> gpus =
        parts
            .of(machine.region(), recipe.gpu(), spot)
            .map(usd -> usd.multiply(BigDecimal.valueOf(machine.shape().gpus())));
    if (recipe.series().isEmpty()) {
      return gpus;
    }
    return recipe.series().stream()
        .flatMap(series -> host(series, machine, spot, parts).stream())
        .findFirst()
        .flatMap(host -> gpus.map(host::add));
  }

  private static Optional<BigDecimal> host(
      String series, GcpMachine machine, boolean spot, Parts parts) {
    Optional<BigDecimal> cores = parts.of(machine.region(), series + " core", spot);
    Optional<BigDecimal> memory = parts.of(machine.region(), series + " ram", spot);
    return cores.flatMap(
        core ->
            memory.map(
                gib ->
                    core.multiply(BigDecimal.valueOf(machine.shape().cpus()))
                        .add(gib.multiply(BigDecimal.valueOf(machine.shape().memoryGiB())))));
  }
}
