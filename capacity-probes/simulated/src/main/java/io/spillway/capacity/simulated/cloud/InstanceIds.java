package io.spillway.capacity.simulated.cloud;

import io.spillway.capacity.simulated.market.Line;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Ids in the form that each provider gives them; not the seed but the process makes them unique.
 */
final class InstanceIds {
  private final RandomGenerator random;

  InstanceIds(RandomGenerator random) {
    this.random = random;
  }

  String next(Line line) {
    return format(line, new UUID(random.nextLong(), random.nextLong()));
  }

  /** An id that is always the same for the same name. */
  static String of(Line line, String name) {
    return format(line, UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)));
  }

  private static String format(Line line, UUID unique) {
    String hex = unique.toString().replace("-", "");
    return switch (line.provider()) {
      case "aws" -> "i-0" + hex.substring(0, 16);
      case "gcp" -> "projects/demo/zones/" + line.zone() + "/instances/gke-" + hex.substring(0, 12);
      case "oci" -> "ocid1.instance.oc1." + line.region() + "." + hex;
      case "nebius" -> "computeinstance-e00" + hex.substring(0, 16);
      case "crusoe" -> unique.toString();
      default -> line.provider() + "-" + hex;
    };
  }
}
