package io.spillway.capacity.oci;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import java.util.Map;

/**
 * Names of places. A domain is called {@code AbCd:EU-FRANKFURT-1-AD-1}, with a prefix that differs
 * from tenancy to tenancy; nodes carry the rest as their zone.
 */
final class OciPlaces {
  /** Regions older than the naming by number: their domains and OCIDs use airports and cities. */
  private static final Map<String, String> OLD =
      Map.of(
          "iad", "us-ashburn-1",
          "phx", "us-phoenix-1",
          "us-ashburn", "us-ashburn-1",
          "us-phoenix", "us-phoenix-1");

  private static final int REGION_OF_OCID = 3;

  private OciPlaces() {}

  /** The domain without the tenancy's prefix, as nodes carry it in their zone label. */
  static String zone(String domain) {
    return domain.substring(domain.indexOf(':') + 1);
  }

  /** The region of an event's {@code data}, by its domain or else its resource; may be empty. */
  static String region(JsonNode data) {
    String zone = zone(data.path("availabilityDomain").asText()).toLowerCase(Locale.ROOT);
    int ad = zone.indexOf("-ad-");
    if (ad > 0) {
      return known(zone.substring(0, ad));
    }
    // ocid1.instance.oc1.<region>.<unique>
    String[] ocid = data.path("resourceId").asText().split("\\.", -1);
    return ocid.length > REGION_OF_OCID + 1 ? known(ocid[REGION_OF_OCID]) : "";
  }

  private static String known(String name) {
    return OLD.getOrDefault(name, name);
  }
}
