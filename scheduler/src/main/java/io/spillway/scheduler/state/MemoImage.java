package io.spillway.scheduler.state;

import io.spillway.scheduler.market.Observation;
import java.util.Comparator;
import java.util.List;

/** Turns the memo's tables into plain records and back. */
final class MemoImage {
  private final Tables tables;

  MemoImage(Tables tables) {
    this.tables = tables;
  }

  Memo save() {
    return new Memo(
        tables.system.get(Tables.ONLY).orElse(Memo.SystemFlags.FRESH),
        sorted(tables.clusters, Comparator.comparing(Memo.ClusterFlags::name)),
        sorted(
            tables.nodes,
            Comparator.comparing(Memo.Node::cluster).thenComparing(node -> node.node().name())),
        tables.pausedQueues.keys().stream().sorted().toList(),
        tables.cordonedPools.keys().stream().sorted().toList(),
        market(),
        sorted(tables.reports, Comparator.comparing(Memo.Reports::job)),
        sorted(
            tables.strays,
            Comparator.comparing(Memo.Stray::cluster).thenComparing(Memo.Stray::attempt)),
        sorted(tables.parked, Comparator.comparing(ParkedClass::shapeClass)),
        sorted(
            tables.exhausted,
            Comparator.comparing(Memo.ExhaustedRung::shapeClass)
                .thenComparingInt(Memo.ExhaustedRung::rung)),
        tables.abilities.keys().stream()
            .sorted()
            .map(name -> new Memo.AbleCluster(name, tables.abilities.get(name).orElseThrow()))
            .toList());
  }

  private Memo.Market market() {
    return new Memo.Market(
        sorted(tables.observations, Comparator.comparing(Observation::key)),
        sorted(tables.oddPrices, Comparator.comparing(Memo.OddPrice::key)),
        sorted(tables.blocks, Comparator.comparing(Block::scope)),
        sorted(tables.budgets, Comparator.comparing(Memo.LaunchBudget::offering)),
        sorted(tables.notices, Comparator.comparing(notice -> notice.notice().noticeId())));
  }

  void load(Memo memo) {
    if (!memo.system().equals(Memo.SystemFlags.FRESH)) {
      tables.system.put(Tables.ONLY, memo.system());
    }
    memo.clusters().forEach(c -> tables.clusters.put(c.name(), c));
    memo.able().forEach(c -> tables.abilities.put(c.cluster(), c.abilities()));
    memo.nodes()
        .forEach(n -> tables.nodes.put(new Inventory.NodeKey(n.cluster(), n.node().name()), n));
    memo.pausedQueues().forEach(queue -> tables.pausedQueues.put(queue, true));
    memo.cordonedPools().forEach(pool -> tables.cordonedPools.put(pool, true));
    Memo.Market market = memo.market();
    market.observations().forEach(o -> tables.observations.put(o.key(), o));
    market.oddPrices().forEach(p -> tables.oddPrices.put(p.key(), p));
    market.blocks().forEach(b -> tables.blocks.put(b.scope(), b));
    market.budgets().forEach(b -> tables.budgets.put(b.offering(), b));
    market.notices().forEach(n -> tables.notices.put(n.notice().noticeId(), n));
    memo.reports().forEach(r -> tables.reports.put(r.job(), r));
    memo.strays().forEach(s -> tables.strays.put(new Tables.StrayKey(s.cluster(), s.attempt()), s));
    memo.parked().forEach(p -> tables.parked.put(p.shapeClass(), p));
    memo.exhausted()
        .forEach(e -> tables.exhausted.put(new Tables.RungKey(e.shapeClass(), e.rung()), e));
  }

  private static <V> List<V> sorted(Table<?, V> table, Comparator<V> order) {
    return table.values().stream().sorted(order).toList();
  }
}
