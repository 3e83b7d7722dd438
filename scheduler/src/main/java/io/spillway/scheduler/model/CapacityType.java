package io.spillway.scheduler.model;

/** How capacity is bought, which decides whether its owner may take it back. */
public enum CapacityType {
  /** Preemptible: cheap, and the provider may take it back. */
  SPOT("spot"),
  /** Paid by use; not taken back, but not always there. */
  ON_DEMAND("on-demand"),
  /** Reserved in advance for a time: there, and usually paid whether used or not. */
  RESERVED("reserved");

  private final String text;

  CapacityType(String text) {
    this.text = text;
  }

  /** The name in YAML, REST and metrics. */
  public String text() {
    return text;
  }

  /**
   * @throws IllegalArgumentException for any other text
   */
  public static CapacityType parse(String text) {
    for (CapacityType type : values()) {
      if (type.text.equals(text)) {
        return type;
      }
    }
    throw new IllegalArgumentException(
        "capacity type is spot, on-demand or reserved, not '" + text + "'");
  }
}
