package io.spillway.scheduler.state;

import io.spillway.scheduler.event.AttemptEvent;
import io.spillway.scheduler.event.ClassEvent;
import io.spillway.scheduler.event.ClusterEvent;
import io.spillway.scheduler.event.ControlEvent;
import io.spillway.scheduler.event.Event;
import io.spillway.scheduler.event.JobEvent;
import io.spillway.scheduler.event.MarketEvent;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.state.Memo.LaunchBudget;

/** Applies events to the memo; reads nothing but the event and the memo. */
final class MemoChanges {
  private final Tables tables;
  private final SystemChanges system;
  private final ClusterChanges clusters;

  MemoChanges(Tables tables) {
    this.tables = tables;
    this.system = new SystemChanges(tables);
    this.clusters = new ClusterChanges(tables);
  }

  void apply(Event event) {
    switch (event) {
      case AttemptEvent e -> learn(e);
      case JobEvent.JobSucceeded e -> tables.reports.remove(e.job());
      case JobEvent.JobCancelled e -> tables.reports.remove(e.job());
      case JobEvent.JobFailed e -> tables.reports.remove(e.job());
      case JobEvent e -> {}
      case MarketEvent e -> apply(e);
      case ClusterEvent e -> clusters.apply(e);
      case ControlEvent e -> system.apply(e);
      case ClassEvent e -> apply(e);
    }
  }

  /** The launch budget doubles once a launch runs. */
  private void learn(AttemptEvent event) {
    if (event instanceof AttemptEvent.AttemptRunning e) {
      int limit = Math.min(LaunchBudget.MAX, budget(e.offering()).limit() * 2);
      tables.budgets.put(e.offering(), new LaunchBudget(e.offering(), limit, e.at()));
    }
  }

  private void humble(OfferingId offering) {
    tables.budgets.put(offering, new LaunchBudget(offering, 1, budget(offering).provenAt()));
  }

  private LaunchBudget budget(OfferingId offering) {
    return tables.budgets.get(offering).orElseGet(() -> LaunchBudget.first(offering));
  }

  private void apply(MarketEvent event) {
    switch (event) {
      case MarketEvent.ObservationAdopted e -> {
        tables.observations.put(e.observation().key(), e.observation());
        tables.oddPrices.remove(e.observation().key());
      }
      case MarketEvent.PriceQuarantined e ->
          tables.oddPrices.put(e.key(), new Memo.OddPrice(e.key(), e.reason()));
      case MarketEvent.BlockPlaced e ->
          tables.blocks.put(
              e.scope(),
              new Block(e.scope(), e.failureClass(), e.reason(), e.at(), e.until(), e.repeats()));
      case MarketEvent.BlockLifted e -> tables.blocks.remove(e.scope());
      case MarketEvent.FailureCounted e -> e.humbled().forEach(this::humble);
      case MarketEvent.NoticeTaken e ->
          tables.notices.put(
              e.notice().noticeId(), new Memo.Notice(e.notice(), e.at(), e.matched(), e.until()));
      case MarketEvent.NoticeExpired e -> tables.notices.remove(e.noticeId());
    }
  }

  private void apply(ClassEvent event) {
    switch (event) {
      case ClassEvent.ClassParked e ->
          tables.parked.put(
              e.shapeClass(),
              new ParkedClass(e.shapeClass(), e.causes(), e.until(), e.quarantined()));
      case ClassEvent.ClassWoken e -> tables.parked.remove(e.shapeClass());
      case ClassEvent.RungExhausted e -> {
        Tables.RungKey key = new Tables.RungKey(e.shapeClass(), e.rung());
        e.since()
            .ifPresentOrElse(
                since ->
                    tables.exhausted.put(
                        key, new Memo.ExhaustedRung(e.shapeClass(), e.rung(), since)),
                () -> tables.exhausted.remove(key));
      }
    }
  }
}
