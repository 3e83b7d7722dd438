package io.spillway.scheduler.market;

import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.NodeShape;
import io.spillway.scheduler.model.Trust;
import io.spillway.scheduler.model.UsdPerGpuHour;
import java.time.Instant;
import java.util.Optional;

/**
 * What a probe saw of one market key.
 *
 * @param price empty when the provider told none: no price is not a price of zero
 * @param onDemandPrice list price of the same machine on demand, for savings; empty if unknown
 * @param availability what was said of capacity; absence of a word is {@link Availability#UNKNOWN}
 * @param priceAt when the price was true by the provider's word
 * @param observedAt when the probe asked
 * @param source a short name of the call, for people
 */
public record Observation(
    MarketKey key,
    NodeShape shape,
    Optional<UsdPerGpuHour> price,
    Optional<UsdPerGpuHour> onDemandPrice,
    Availability availability,
    Trust trust,
    Instant priceAt,
    Instant observedAt,
    String source) {

  /** The provider's word on capacity. */
  public enum Availability {
    AVAILABLE,
    UNAVAILABLE,
    UNKNOWN
  }
}
