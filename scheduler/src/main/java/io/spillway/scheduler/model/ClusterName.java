package io.spillway.scheduler.model;

/** The name of a Kubernetes cluster that an agent serves, a DNS label. */
public record ClusterName(String value) implements Comparable<ClusterName> {

  /**
   * @throws IllegalArgumentException if the name is not a DNS label (1 to 63 of {@code a-z0-9-}, no
   *     dash at either end)
   */
  public ClusterName {
    DnsLabel.require("cluster", value);
  }

  @Override
  public int compareTo(ClusterName other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
