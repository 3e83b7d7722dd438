package io.spillway.capacity.oci;

import io.spillway.capacity.http.JsonView;
import java.util.List;
import java.util.stream.Stream;

/**
 * A GPU shape as an availability domain lists it.
 *
 * @param cpus virtual: an OCPU of x86 is two
 * @param limits names of the service limits that count it
 */
record OciShape(String name, int gpus, int cpus, int memoryGiB, List<String> limits) {

  /** Nothing for a shape without GPUs. */
  static Stream<OciShape> of(JsonView row) {
    int gpus = row.optionalInteger("gpus").orElse(0);
    if (gpus < 1) {
      return Stream.empty();
    }
    return Stream.of(
        new OciShape(
            row.text("shape"),
            gpus,
            row.optionalDecimal("ocpus").map(ocpus -> 2 * ocpus.intValue()).orElse(0),
            row.optionalDecimal("memoryInGBs").map(gigabytes -> gigabytes.intValue()).orElse(0),
            row.optionalList("quotaNames").stream().map(JsonView::text).toList()));
  }
}
