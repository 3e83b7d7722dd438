package io.spillway.scheduler.model;

/** The name of a finite set of nodes, a DNS label. */
public record PoolName(String value) implements Comparable<PoolName> {

  /**
   * @throws IllegalArgumentException if the name is not a DNS label (1 to 63 of {@code a-z0-9-}, no
   *     dash at either end)
   */
  public PoolName {
    DnsLabel.require("pool", value);
  }

  @Override
  public int compareTo(PoolName other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
