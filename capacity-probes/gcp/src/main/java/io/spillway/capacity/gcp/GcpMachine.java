package io.spillway.capacity.gcp;

import io.spillway.capacity.http.JsonView;
import io.spillway.scheduler.model.NodeShape;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A machine type with GPUs in a zone.
 *
 * @param accelerator Google's name of the GPU
 */
record GcpMachine(String zone, String type, String accelerator, NodeShape shape) {
  private static final int MIB = 1_024;

  /** Sold only as spot and as flex-start (Compute Engine's page on GPU machine types). */
  private static final Set<String> NOT_ON_DEMAND =
      Set.of("a3-highgpu-1g", "a3-highgpu-2g", "a3-highgpu-4g");

  /** Nothing for a type without GPUs, with GPUs not known here, or on its way out. */
  static Stream<GcpMachine> of(String zone, JsonView row) {
    List<JsonView> accelerators = row.optionalList("accelerators");
    boolean leaving =
        row.optionalObject("deprecated")
            .flatMap(deprecated -> deprecated.optionalText("state"))
            .filter(state -> state.equals("OBSOLETE") || state.equals("DELETED"))
            .isPresent();
    if (accelerators.size() != 1 || leaving) {
      return Stream.empty();
    }
    String accelerator = accelerators.getFirst().text("guestAcceleratorType");
    int gpus = accelerators.getFirst().integer("guestAcceleratorCount");
    String type = row.text("name");
    return gpus < 1
        ? Stream.empty()
        : GcpGpus.model(accelerator).stream()
            .map(
                gpu ->
                    new GcpMachine(
                        zone,
                        type,
                        accelerator,
                        new NodeShape(
                            gpu,
                            gpus,
                            row.optionalInteger("guestCpus").orElse(0),
                            row.optionalInteger("memoryMb").orElse(0) / MIB)));
  }

  String region() {
    return GcpEvents.region(zone);
  }

  boolean onDemand() {
    return !NOT_ON_DEMAND.contains(type);
  }
}
