package io.spillway.policies.lint;

import io.spillway.policies.document.PolicyDocument;
import io.spillway.policies.finding.FindingCode;
import io.spillway.policies.read.DeclaredSet;
import io.spillway.policies.read.Fields;
import io.spillway.policies.read.Report;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Keys that are checked and kept but that the core has no rule for yet. A key leaves this class in
 * the commit that brings its rule.
 */
final class NotYetRule implements Rule {
  private static final Map<String, String> QUEUE = new LinkedHashMap<>();

  static {
    QUEUE.put("cohort", "nothing is lent or borrowed");
    QUEUE.put("weight", "queues share by priority and age");
    QUEUE.put("agingInterval", "jobs keep their class while they wait");
    QUEUE.put("quota", "only a queue's limits and the pools' nodes bound it");
    QUEUE.put("budget", "spending is not limited");
  }

  @Override
  public void check(DeclaredSet set, Report report) {
    set.queues().forEach(queue -> queue(spec(queue.document()), report));
    set.pools()
        .forEach(
            pool ->
                flag(
                    spec(pool.document()),
                    "owners",
                    "whoever comes first in order has the pool",
                    report));
    set.cohorts()
        .forEach(
            cohort ->
                report.about(
                    cohort.document(),
                    FindingCode.NOT_YET,
                    "cohorts are not acted on by this version: nothing is lent or borrowed"));
  }

  private static void queue(Fields spec, Report report) {
    QUEUE.forEach((key, effect) -> flag(spec, key, effect, report));
    if (spec.text("ordering").filter("StrictFIFO"::equals).isPresent()) {
      flag(spec, "ordering", "order is BestEffortFIFO", report);
    }
    Fields placement = spec.fields("placement");
    if (placement.text("idleSunk").filter("UseFirst"::equals).isPresent()) {
      flag(placement, "idleSunk", "rungs are tried in order", report);
    }
    Optional<String> mode = placement.fields("returnToCheaper").text("mode");
    if (mode.filter("Never"::equals).isEmpty()) {
      flag(placement, "returnToCheaper", "a job that moved down stays there", report);
    }
    Fields preemption = spec.fields("preemption");
    boolean off =
        preemption.text("withinQueue", "Never").equals("Never")
            && preemption.text("reclaimWithinCohort", "Never").equals("Never");
    if (!off) {
      flag(spec, "preemption", "nothing is taken from running jobs", report);
    }
  }

  private static void flag(Fields fields, String key, String effect, Report report) {
    if (fields.has(key)) {
      report.atKey(
          fields.own(),
          key,
          FindingCode.NOT_YET,
          "'" + key + "' is not acted on by this version: " + effect);
    }
  }

  private static Fields spec(PolicyDocument document) {
    return Fields.of(document.tree()).fields("spec");
  }
}
