package io.spillway.policies.lint;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether a zone can lie in a region, by how each provider builds its names. Observations are
 * joined by zone id, so a zone of another region would never get a price.
 */
final class Zones {
  /** {@code us-east-2}, {@code us-gov-west-1}, {@code ap-northeast-3}. */
  private static final Pattern AWS_REGION =
      Pattern.compile("([a-z]+(?:-gov|-iso[a-z]?)?)-([a-z]+)-([0-9]+)");

  private static final Pattern AWS_ZONE_NAME = Pattern.compile(".*-[0-9]+[a-z]");

  /** AWS shortens a region to its zone ids' prefix: us-east-2 → use2, ap-southeast-1 → apse1. */
  private static final Map<String, String> AWS_DIRECTIONS =
      Map.of(
          "east", "e",
          "west", "w",
          "north", "n",
          "south", "s",
          "central", "c",
          "northeast", "ne",
          "northwest", "nw",
          "southeast", "se",
          "southwest", "sw");

  private Zones() {}

  /** Why the zone does not look like one of the region; empty when it does or nobody can tell. */
  static Optional<String> doubt(String provider, String region, String zone) {
    return switch (provider) {
      case "aws" -> aws(region, zone);
      case "gcp", "coreweave" -> prefixed(region, zone);
      case "oci" -> contains(region, zone);
      case "nebius", "crusoe" -> equal(region, zone);
      default -> Optional.empty();
    };
  }

  private static Optional<String> aws(String region, String zone) {
    if (AWS_ZONE_NAME.matcher(zone).matches() && !zone.contains("-az")) {
      return Optional.of(
          "'"
              + zone
              + "' is a zone name, which differs from account to account; use the zone id, for"
              + " example use2-az1");
    }
    Matcher matcher = AWS_REGION.matcher(region);
    if (!matcher.matches() || !AWS_DIRECTIONS.containsKey(matcher.group(2))) {
      return Optional.empty();
    }
    String prefix =
        matcher.group(1).replace("-gov", "g").replace("-iso", "iso")
            + AWS_DIRECTIONS.get(matcher.group(2))
            + matcher.group(3)
            + '-';
    return zone.startsWith(prefix)
        ? Optional.empty()
        : Optional.of("'" + zone + "' is no zone id of " + region + ": these start with " + prefix);
  }

  private static Optional<String> prefixed(String region, String zone) {
    return zone.startsWith(region) ? Optional.empty() : Optional.of(elsewhere(region, zone));
  }

  private static Optional<String> contains(String region, String zone) {
    return zone.toLowerCase(Locale.ROOT).contains(region.toLowerCase(Locale.ROOT))
        ? Optional.empty()
        : Optional.of(elsewhere(region, zone));
  }

  private static Optional<String> equal(String region, String zone) {
    return zone.equals(region)
        ? Optional.empty()
        : Optional.of("this provider has no zones: write the region, " + region);
  }

  private static String elsewhere(String region, String zone) {
    return "'" + zone + "' is no zone of " + region;
  }
}
