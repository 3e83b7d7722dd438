package io.spillway.policies.lint;

import io.spillway.policies.finding.FindingCode;
import io.spillway.policies.read.DeclaredSet;
import io.spillway.policies.read.Report;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** Cohorts are trees. */
final class CohortRule implements Rule {

  @Override
  public void check(DeclaredSet set, Report report) {
    Map<String, String> parents = new HashMap<>();
    set.cohorts()
        .forEach(
            cohort ->
                cohort.parent().ifPresent(name -> parents.put(cohort.document().name(), name)));
    for (DeclaredSet.Cohort cohort : set.cohorts()) {
      Set<String> path = new LinkedHashSet<>();
      String at = cohort.document().name();
      while (at != null && path.add(at)) {
        at = parents.get(at);
      }
      if (cohort.document().name().equals(at)) {
        report.at(
            cohort.document().tree().nearest("spec", "parent"),
            FindingCode.COHORT_CYCLE,
            "a cohort above itself: " + String.join(" → ", path) + " → " + at);
      }
    }
  }
}
