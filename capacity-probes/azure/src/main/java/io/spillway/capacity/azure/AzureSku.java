package io.spillway.capacity.azure;

import io.spillway.capacity.http.JsonView;
import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.model.NodeShape;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A GPU size in a region, as the list of resource SKUs tells it to this subscription.
 *
 * @param family the quota that counts its vCPUs, in lower case
 * @param zones of the region in which it is sold; empty = without zones
 * @param closed zones in which this subscription may not have it
 * @param closedHere whether it may not have it in the whole region
 * @param spot whether it is sold as spot
 */
record AzureSku(
    String size,
    NodeShape shape,
    String family,
    Set<String> zones,
    Set<String> closed,
    boolean closedHere,
    boolean spot) {

  /** Nothing for a resource that is no machine with whole GPUs of a known model. */
  static Stream<AzureSku> of(JsonView row, String region) {
    if (!row.optionalText("resourceType").orElse("").equals("virtualMachines")) {
      return Stream.empty();
    }
    String size = row.text("name");
    Optional<GpuModel> gpu = AzureSizes.gpu(size);
    Map<String, String> can = capabilities(row);
    int gpus = whole(can.get("GPUs"));
    if (gpu.isEmpty() || gpus < 1) {
      return Stream.empty();
    }
    return Stream.of(
        new AzureSku(
            size,
            new NodeShape(gpu.get(), gpus, whole(can.get("vCPUs")), whole(can.get("MemoryGB"))),
            row.optionalText("family").orElse("").toLowerCase(Locale.ROOT),
            zones(row, region),
            closedZones(row),
            restricted(row, "Location").findAny().isPresent(),
            Boolean.parseBoolean(can.getOrDefault("LowPriorityCapable", "false"))));
  }

  private static Map<String, String> capabilities(JsonView row) {
    Map<String, String> can = new HashMap<>();
    for (JsonView capability : row.optionalList("capabilities")) {
      can.put(capability.text("name"), capability.optionalText("value").orElse(""));
    }
    return can;
  }

  /** Whole numbers are sometimes written with a fraction; machines that share a GPU have none. */
  private static int whole(String value) {
    try {
      return value == null ? 0 : (int) Double.parseDouble(value);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private static Set<String> zones(JsonView row, String region) {
    Set<String> zones = new TreeSet<>();
    for (JsonView info : row.optionalList("locationInfo")) {
      if (info.optionalText("location").orElse("").equalsIgnoreCase(region)) {
        info.optionalList("zones").forEach(zone -> zones.add(zone.text()));
      }
    }
    return zones;
  }

  private static Set<String> closedZones(JsonView row) {
    Set<String> closed = new HashSet<>();
    restricted(row, "Zone")
        .flatMap(restriction -> restriction.optionalObject("restrictionInfo").stream())
        .map(info -> info.optionalList("zones"))
        .flatMap(List::stream)
        .forEach(zone -> closed.add(zone.text()));
    return closed;
  }

  private static Stream<JsonView> restricted(JsonView row, String type) {
    return row.optionalList("restrictions").stream()
        .filter(restriction -> restriction.optionalText("type").orElse("").equals(type));
  }
}
