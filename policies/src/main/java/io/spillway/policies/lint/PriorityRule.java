package io.spillway.policies.lint;

import io.spillway.policies.finding.FindingCode;
import io.spillway.policies.read.DeclaredSet;
import io.spillway.policies.read.Report;
import io.spillway.policies.source.Tree;
import io.spillway.scheduler.policy.PolicySet;
import java.util.Map;
import java.util.TreeMap;

/** Priority classes, and who expects too much of them. */
final class PriorityRule implements Rule {
  static final Map<String, Integer> BUILT_IN = PolicySet.EMPTY.priorityClasses();

  @Override
  public void check(DeclaredSet set, Report report) {
    Map<Integer, String> byValue = new TreeMap<>();
    BUILT_IN.forEach((name, value) -> byValue.put(value, name));
    set.priorityClasses().forEach(one -> declared(one, byValue, report));
    set.queues().forEach(queue -> queue(queue, report));
  }

  private static void declared(
      DeclaredSet.PriorityClass one, Map<Integer, String> byValue, Report report) {
    String name = one.document().name();
    Tree value = one.document().tree().nearest("value");
    Integer builtIn = BUILT_IN.get(name);
    if (builtIn != null) {
      if (builtIn != one.value()) {
        report.at(
            value,
            FindingCode.BUILT_IN_CLASS,
            "'" + name + "' is built in with the value " + builtIn + "; choose another name");
      }
      return;
    }
    String other = byValue.putIfAbsent(one.value(), name);
    if (other != null) {
      report.at(
          value,
          FindingCode.SAME_PRIORITY,
          "'" + name + "' has the value of '" + other + "': neither goes before the other");
    }
  }

  private static void queue(DeclaredSet.Queue queue, Report report) {
    Tree spec = queue.document().tree().nearest("spec");
    String defaultClass = queue.policy().defaultClass();
    if (!queue.policy().allowedClasses().contains(defaultClass)) {
      report.at(
          spec.nearest("priorityClasses", "allowed"),
          FindingCode.DEFAULT_CLASS_NOT_ALLOWED,
          "the default class '" + defaultClass + "' is not among the allowed");
    }
    boolean saysNothing =
        !(spec.nearest("preemption") instanceof Tree.Mapping preemption
            && preemption != spec
            && preemption.get("withinQueue").isPresent());
    if (saysNothing && queue.policy().allowedClasses().size() > 1 && namesClasses(spec)) {
      report.at(
          spec.nearest("priorityClasses"),
          FindingCode.PRIORITY_WITHOUT_PREEMPTION,
          "a higher class goes first but takes nothing from running jobs: say so with"
              + " 'preemption: {withinQueue: Never}', or allow it with LowerPriority");
    }
  }

  private static boolean namesClasses(Tree spec) {
    return spec.nearest("priorityClasses") != spec;
  }
}
