package io.spillway.policies;

import io.spillway.policies.document.PolicyDocument;
import io.spillway.policies.finding.Finding;
import io.spillway.scheduler.policy.PolicySet;
import java.util.List;

/** What became of a set: all of it or nothing. */
public sealed interface Compilation {

  /** Errors first, then warnings, each by place. */
  List<Finding> findings();

  /** The set can be loaded; what was found are warnings. */
  record Compiled(PolicySet policies, List<Finding> warnings, List<PolicyDocument> documents)
      implements Compilation {
    public Compiled {
      warnings = List.copyOf(warnings);
      documents = List.copyOf(documents);
    }

    @Override
    public List<Finding> findings() {
      return warnings;
    }
  }

  /** The set has errors and changes nothing. */
  record Rejected(List<Finding> findings) implements Compilation {
    public Rejected {
      findings = List.copyOf(findings);
    }
  }
}
