package io.spillway.scheduler.model;

import java.util.Optional;

/**
 * Capacity that can be started in one cluster: zone, instance type and capacity type there, and the
 * pool if it is a finite one. Provider, account and region follow from the cluster.
 */
public record OfferingId(
    ClusterName cluster,
    String zone,
    String instanceType,
    CapacityType capacityType,
    Optional<PoolName> pool)
    implements Comparable<OfferingId> {
  private static final char SEPARATOR = '~';

  /** The canonical text, fit for a URL path: {@code cluster~zone~type~capacityType[~pool]}. */
  public String text() {
    String text =
        cluster.value()
            + SEPARATOR
            + zone
            + SEPARATOR
            + instanceType
            + SEPARATOR
            + capacityType.text();
    return pool.map(name -> text + SEPARATOR + name).orElse(text);
  }

  /**
   * Reads the canonical text.
   *
   * @throws IllegalArgumentException if it has another form
   */
  public static OfferingId parse(String text) {
    String[] parts = text.split(String.valueOf(SEPARATOR), -1);
    if (parts.length < 4 || parts.length > 5) {
      throw new IllegalArgumentException(
          "an offering is cluster~zone~type~capacityType[~pool], not '" + text + "'");
    }
    return new OfferingId(
        new ClusterName(parts[0]),
        parts[1],
        parts[2],
        CapacityType.parse(parts[3]),
        parts.length == 5 ? Optional.of(new PoolName(parts[4])) : Optional.empty());
  }

  @Override
  public int compareTo(OfferingId other) {
    return text().compareTo(other.text());
  }

  @Override
  public String toString() {
    return text();
  }
}
