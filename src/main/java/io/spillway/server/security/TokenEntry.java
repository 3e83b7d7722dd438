package io.spillway.server.security;

import io.spillway.scheduler.model.QueueName;
import java.util.SortedSet;

/**
 * A token that is known by its hash.
 *
 * @param sha256 hexadecimal, in lower case
 */
record TokenEntry(String name, String sha256, Role role, SortedSet<QueueName> queues) {

  /** Without the hash: it does not belong into a log. */
  @Override
  public String toString() {
    return name + " (" + role.text() + ")";
  }
}
