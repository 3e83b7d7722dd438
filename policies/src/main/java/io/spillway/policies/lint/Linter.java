package io.spillway.policies.lint;

import io.spillway.policies.finding.FindingCode;
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

  /** A thousand queues with four rungs over five thousand offerings. */
  private static final long MOST_PAIRS = 20_000_000;

  private Linter() {}

  public static void lint(DeclaredSet set, Report report) {
    if (fits(set, report)) {
      RULES.forEach(rule -> rule.check(set, report));
    }
  }

  /** Rules look at every rung against every offering; what would take minutes is refused. */
  private static boolean fits(DeclaredSet set, Report report) {
    long rungs = set.queues().stream().mapToLong(queue -> queue.policy().ladder().size()).sum();
    long offerings =
        set.pools().size()
            + set.clusters().stream()
                .flatMap(cluster -> cluster.policy().capacity().stream())
                .mapToLong(entry -> (long) entry.zones().size() * entry.capacityTypes().size())
                .sum();
    if (rungs * offerings <= MOST_PAIRS) {
      return true;
    }
    report.about(
        set.queues().getFirst().document(),
        FindingCode.TOO_LARGE,
        "%d rungs times %d offerings are more than can be checked (%d)"
            .formatted(rungs, offerings, MOST_PAIRS));
    return false;
  }
}
