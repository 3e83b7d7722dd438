package io.spillway.scheduler.model;

import java.util.Optional;

/**
 * What observations and capacity events are joined by: where and how capacity is sold, before any
 * cluster that could use it.
 *
 * @param account the name of a provider account in the configuration
 * @param zone the provider's zone id; equal to the region where a provider has no zones
 * @param reservation the provider's reservation id, for reserved capacity
 */
public record MarketKey(
    String provider,
    String account,
    String region,
    String zone,
    String instanceType,
    CapacityType capacityType,
    Optional<String> reservation)
    implements Comparable<MarketKey> {

  /** The canonical text, its parts separated by {@code /}. */
  public String text() {
    return provider
        + '/'
        + account
        + '/'
        + region
        + '/'
        + zone
        + '/'
        + instanceType
        + '/'
        + capacityType.text()
        + reservation.map(id -> "/" + id).orElse("");
  }

  @Override
  public int compareTo(MarketKey other) {
    return text().compareTo(other.text());
  }

  @Override
  public String toString() {
    return text();
  }
}
