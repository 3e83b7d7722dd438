package io.spillway.policies.lint;

import io.spillway.policies.finding.FindingCode;
import io.spillway.policies.read.DeclaredSet;
import io.spillway.policies.read.Report;
import io.spillway.policies.source.Tree;
import io.spillway.scheduler.policy.PoolPolicy;
import io.spillway.scheduler.policy.Rung;
import java.util.List;
import java.util.Optional;

/** Money spent while something already paid for stands idle. */
final class SunkRule implements Rule {

  @Override
  public void check(DeclaredSet set, Report report) {
    List<Startable> startables = Startable.of(set);
    for (DeclaredSet.Queue queue : set.queues()) {
      if (!queue.sunkFirst()) {
        check(queue, startables, report);
      }
    }
  }

  private static void check(DeclaredSet.Queue queue, List<Startable> startables, Report report) {
    List<Rung> rungs = queue.policy().ladder();
    Optional<String> paid = Optional.empty();
    for (int i = 0; i < rungs.size(); i++) {
      Rung rung = rungs.get(i);
      List<Startable> serves = startables.stream().filter(one -> one.allowedBy(rung)).toList();
      Optional<String> sunk =
          serves.stream()
              .filter(one -> !one.paid())
              .flatMap(one -> one.pool().stream())
              .map(PoolPolicy::name)
              .map(Object::toString)
              .findFirst();
      if (sunk.isPresent()) {
        String pool = sunk.get();
        Tree node = queue.document().tree().nearest("spec", "placement", "ladder", i);
        paid.ifPresent(
            name ->
                report.at(
                    node,
                    FindingCode.SUNK_BELOW_PAID,
                    "pool '"
                        + pool
                        + "' is paid for anyway, but rung '"
                        + name
                        + "' spends money before it is tried; 'idleSunk: UseFirst' is the way to"
                        + " use it while idle"));
        return;
      }
      if (paid.isEmpty() && serves.stream().anyMatch(Startable::paid)) {
        paid = Optional.of(rung.name());
      }
    }
  }
}
