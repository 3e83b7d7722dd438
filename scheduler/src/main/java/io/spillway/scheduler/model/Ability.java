package io.spillway.scheduler.model;

/**
 * What clusters have or lack beside nodes, and what decides whether a job can be put into a
 * cluster's words. What is there of each kind is known here by a fingerprint alone.
 */
public enum Ability {
  /** Served API versions: whether operators such as MPI's are there. */
  API_VERSIONS("API versions"),
  CSI_DRIVERS("CSI drivers"),
  PRIORITY_CLASSES("priority classes"),
  /** Extended resources of nodes that are there now; they come and go as pools scale. */
  RESOURCES("extended resources"),
  RUNTIME_CLASSES("runtime classes");

  private final String words;

  Ability(String words) {
    this.words = words;
  }

  /** For people, in the plural. */
  public String words() {
    return words;
  }
}
