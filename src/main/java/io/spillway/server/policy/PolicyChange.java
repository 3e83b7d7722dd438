package io.spillway.server.policy;

import io.spillway.policies.finding.Finding;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What became of a wish to change the policies. */
public sealed interface PolicyChange {

  /**
   * Stored and offered to the loop.
   *
   * @param inForce whether the loop adopted it in time; if not it will, and nobody need ask again
   */
  record Accepted(String version, List<Finding> warnings, boolean inForce) implements PolicyChange {
    public Accepted {
      warnings = List.copyOf(warnings);
    }
  }

  /** The set has errors; nothing changed. */
  record Invalid(List<Finding> findings) implements PolicyChange {
    public Invalid {
      findings = List.copyOf(findings);
    }
  }

  /** Somebody else was faster: {@code current} is in force, not what the caller had read. */
  record Conflict(String current) implements PolicyChange {}

  /** Policies are written in the directory, not here. */
  record OwnedByDirectory(Optional<Path> directory) implements PolicyChange {}

  /** There is no such version. */
  record UnknownVersion(String version) implements PolicyChange {}
}
