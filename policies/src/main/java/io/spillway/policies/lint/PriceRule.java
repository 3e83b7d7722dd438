package io.spillway.policies.lint;

import io.spillway.policies.finding.FindingCode;
import io.spillway.policies.read.DeclaredSet;
import io.spillway.policies.read.Report;
import io.spillway.scheduler.policy.PriceOverride;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One price for one thing. */
final class PriceRule implements Rule {

  @Override
  public void check(DeclaredSet set, Report report) {
    Map<List<Object>, String> seen = new HashMap<>();
    for (DeclaredSet.Price price : set.prices()) {
      PriceOverride policy = price.policy();
      String first =
          seen.putIfAbsent(
              List.of(
                  policy.provider(), policy.region(), policy.instanceType(), policy.capacityType()),
              price.document().title());
      if (first != null) {
        report.about(
            price.document(), FindingCode.DUPLICATE_PRICE, first + " prices the same thing");
      }
    }
  }
}
