package io.spillway.policies;

import io.spillway.policies.compute.ClusterCompute;
import io.spillway.policies.document.PolicyDocument;
import io.spillway.policies.finding.Finding;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.policy.PolicySet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What became of a set: all of it or nothing. */
public sealed interface Compilation {

  /** Errors first, then warnings, each by place. */
  List<Finding> findings();

  /**
   * The set can be loaded; what was found are warnings.
   *
   * @param compute what of each cluster only the translation to Kubernetes needs
   */
  record Compiled(
      PolicySet policies,
      Map<ClusterName, ClusterCompute> compute,
      List<Finding> warnings,
      List<PolicyDocument> documents)
      implements Compilation {
    public Compiled {
      compute = Collections.unmodifiableMap(new TreeMap<>(compute));
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
