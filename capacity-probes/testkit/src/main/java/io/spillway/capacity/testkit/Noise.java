package io.spillway.capacity.testkit;

import java.util.List;
import java.util.Random;

/** Hostile text from a seed: fragments that mean something, in orders that do not. */
final class Noise {
  private static final List<String> FRAGMENTS =
      List.of(
          "InsufficientInstanceCapacity",
          "Out of host capacity.",
          "limit of 0",
          "'",
          "\"",
          "`",
          "((((",
          "message\": \"",
          "\\\"",
          "$1\\",
          "name=",
          "value (",
          "occurred (",
          "a-b_c.d/e:f@g",
          "\u0000",
          "\uD800",
          "\u202E",
          "💥",
          "İ",
          " ",
          "\n",
          ":",
          ",",
          "9999999999999999999999");

  /** Refusals in the words of all providers, so that each classifier meets its own and others'. */
  private static final List<String> PHRASES =
      List.of(
          "InsufficientInstanceCapacity",
          "UnfulfillableCapacity",
          "VcpuLimitExceeded",
          "MaxSpotInstanceCountExceeded",
          "SpotMaxPriceTooLow",
          "Unsupported",
          "Out of host capacity.",
          "LimitExceeded",
          "QuotaExceeded",
          "HARDWARE_NOT_SUPPORTED",
          "AllocationFailed",
          "ZonalAllocationFailed",
          "OverconstrainedAllocationRequest",
          "SkuNotAvailable",
          "OperationNotAllowed",
          "exceeding approved standardNDSH100v5Family Cores quota",
          "exceeding approved Total Regional Cores quota",
          "ZONE_RESOURCE_POOL_EXHAUSTED",
          "REGION_RESOURCE_POOL_EXHAUSTED",
          "GPU_STOCKOUT",
          "QUOTA_EXCEEDED",
          "RESOURCE_EXHAUSTED",
          "Not enough resources",
          "Quota limit exceeded",
          "out of stock",
          "no capacity",
          "insufficient funds",
          "There are no longer any instances available",
          "Insufficient resources available for flavor",
          "instance-operations/launch/insufficient-capacity",
          "CWInsufficientCapacity",
          "CWOverQuota",
          "no_such_ask",
          "out_of_stock",
          "InsufficientFreeAddressesInSubnet",
          "a machine of a kind that nobody knows");

  private Noise() {}

  static String phrase(Random random) {
    return PHRASES.get(random.nextInt(PHRASES.size()));
  }

  static String text(Random random, int length) {
    StringBuilder text = new StringBuilder();
    while (text.length() < length && random.nextInt(40) != 0) {
      if (random.nextInt(3) == 0) {
        text.append((char) random.nextInt(0x10000));
      } else {
        text.append(FRAGMENTS.get(random.nextInt(FRAGMENTS.size())));
      }
    }
    return text.toString();
  }
}
