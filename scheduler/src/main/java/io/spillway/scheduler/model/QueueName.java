package io.spillway.scheduler.model;

/** The name of a queue, a DNS label. */
public record QueueName(String value) implements Comparable<QueueName> {

  /**
   * @throws IllegalArgumentException if the name is not a DNS label (1 to 63 of {@code a-z0-9-}, no
   *     dash at either end)
   */
  public QueueName {
    DnsLabel.require("queue", value);
  }

  @Override
  public int compareTo(QueueName other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
