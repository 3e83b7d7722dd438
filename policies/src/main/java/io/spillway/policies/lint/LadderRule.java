package io.spillway.policies.lint;

import io.spillway.policies.finding.FindingCode;
import io.spillway.policies.read.DeclaredSet;
import io.spillway.policies.read.Report;
import io.spillway.policies.schema.DidYouMean;
import io.spillway.policies.source.Tree;
import io.spillway.scheduler.model.UsdPerGpuHour;
import io.spillway.scheduler.policy.Rung;
import io.spillway.scheduler.policy.Rung.Until;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Rungs that serve nothing, open nothing, or are never reached. */
final class LadderRule implements Rule {

  @Override
  public void check(DeclaredSet set, Report report) {
    List<Startable> startables = Startable.of(set);
    for (DeclaredSet.Queue queue : set.queues()) {
      Tree ladder = queue.document().tree().nearest("spec", "placement", "ladder");
      List<Rung> rungs = queue.policy().ladder();
      names(rungs, ladder, report);
      unreachable(rungs, ladder, report);
      for (int i = 0; i < rungs.size(); i++) {
        served(rungs, i, startables, ladder.nearest(i), report);
      }
      if (rungs.getLast().until().isPresent()) {
        report.at(
            ladder.nearest(rungs.size() - 1, "until"),
            FindingCode.UNTIL_ON_LAST_RUNG,
            "'until' opens the next rung, and this is the last");
      }
    }
  }

  private static void names(List<Rung> rungs, Tree ladder, Report report) {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < rungs.size(); i++) {
      if (!seen.add(rungs.get(i).name())) {
        report.at(
            ladder.nearest(i, "name"),
            FindingCode.DUPLICATE_RUNG,
            "a second rung '" + rungs.get(i).name() + "': reports could not tell them apart");
      }
    }
  }

  private static void unreachable(List<Rung> rungs, Tree ladder, Report report) {
    for (int i = 0; i + 1 < rungs.size(); i++) {
      if (rungs.get(i).until().filter(LadderRule::never).isPresent()) {
        report.at(
            ladder.nearest(i + 1),
            FindingCode.RUNG_UNREACHABLE,
            "'"
                + rungs.get(i).name()
                + "' before it has an 'until' that names nothing, so nothing opens this rung; leave"
                + " 'until' out to open it as soon as the one before yields nothing");
        return;
      }
    }
  }

  private static boolean never(Until until) {
    return until.waited().isEmpty()
        && until.interruptions().isEmpty()
        && until.refusals().isEmpty()
        && until.exhausted().isEmpty();
  }

  private static void served(
      List<Rung> rungs, int index, List<Startable> startables, Tree node, Report report) {
    Rung rung = rungs.get(index);
    Set<Startable> serves = serves(rung, startables);
    if (serves.isEmpty()) {
      report.at(
          node,
          FindingCode.RUNG_NEVER_SERVED,
          "rung '" + rung.name() + "' matches no capacity entry and no pool of the set");
      return;
    }
    selectors(rung.providers(), "providers", node, startables, one -> one.at().provider(), report);
    selectors(rung.regions(), "regions", node, startables, one -> one.at().region(), report);
    if (rung.maxPricePerGpuHour().filter(UsdPerGpuHour.ZERO::equals).isPresent()
        && serves.stream().allMatch(Startable::paid)) {
      report.at(
          node.nearest("maxPricePerGpuHour"),
          FindingCode.RUNG_NEVER_SERVED,
          "nothing that rung '" + rung.name() + "' allows is free");
    }
    for (int before = 0; before < index; before++) {
      if (addsNothing(rungs.get(before), rung, serves)) {
        report.at(
            node,
            FindingCode.RUNG_ADDS_NOTHING,
            "all that it allows is allowed by '" + rungs.get(before).name() + "' before it");
        return;
      }
    }
  }

  /**
   * A rung that jobs leave for good (interruptions, refusals) is skipped afterwards, so a later one
   * may well repeat it.
   */
  private static boolean addsNothing(Rung before, Rung rung, Set<Startable> serves) {
    boolean leftForGood =
        before
            .until()
            .filter(until -> until.interruptions().isPresent() || until.refusals().isPresent())
            .isPresent();
    boolean asDear =
        before.maxPricePerGpuHour().isEmpty()
            || rung.maxPricePerGpuHour()
                .filter(price -> price.compareTo(before.maxPricePerGpuHour().get()) <= 0)
                .isPresent();
    return !leftForGood
        && asDear
        && !serves.isEmpty()
        && serves.stream().allMatch(one -> one.allowedBy(before));
  }

  private static void selectors(
      List<String> named,
      String key,
      Tree rung,
      List<Startable> startables,
      Function<Startable, String> of,
      Report report) {
    Set<String> known = startables.stream().map(of).collect(Collectors.toCollection(TreeSet::new));
    for (int i = 0; i < named.size() && !known.isEmpty(); i++) {
      if (!known.contains(named.get(i))) {
        report.at(
            rung.nearest(key, i),
            FindingCode.SELECTOR_MATCHES_NOTHING,
            "no cluster of the set with capacity has '"
                + named.get(i)
                + "'"
                + DidYouMean.among(known, named.get(i)));
      }
    }
  }

  private static Set<Startable> serves(Rung rung, List<Startable> startables) {
    return startables.stream().filter(one -> one.allowedBy(rung)).collect(Collectors.toSet());
  }
}
