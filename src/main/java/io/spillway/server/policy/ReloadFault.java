package io.spillway.server.policy;

import io.spillway.policies.finding.Finding;
import java.util.List;

/**
 * Why the policies of the directory are not in force.
 *
 * @param message one sentence
 * @param findings what is wrong with the set, if it could be read
 */
public record ReloadFault(String message, List<Finding> findings) {
  public ReloadFault {
    findings = List.copyOf(findings);
  }
}
