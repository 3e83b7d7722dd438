package io.spillway.policies.lint;

import io.spillway.policies.read.DeclaredSet;
import io.spillway.policies.read.Report;
import java.util.List;

/** All that can be said about a set as a whole. */
public final class Linter {
  private static final List<Rule> RULES =
      List.of(
          new ReferenceRule(),
          new PriorityRule(),
          new CohortRule(),
          new CapacityRule(),
          new PoolRule(),
          new LadderRule(),
          new SunkRule(),
          new QuotaRule(),
          new PriceRule(),
          new NotYetRule());

  private Linter() {}

  public static void lint(DeclaredSet set, Report report) {
    RULES.forEach(rule -> rule.check(set, report));
  }
}
