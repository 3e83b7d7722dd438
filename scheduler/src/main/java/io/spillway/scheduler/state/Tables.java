package io.spillway.scheduler.state;

import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.model.Abilities;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.BlockScope;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.JobId;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.model.PoolName;
import io.spillway.scheduler.model.QueueName;
import io.spillway.scheduler.policy.PolicySet;
import java.util.List;

/** The maps that are the state, and the indexes that follow them. */
final class Tables {
  static final String ONLY = "it";

  /** A stray's place. */
  record StrayKey(ClusterName cluster, AttemptId attempt) {}

  /** A rung of a class. */
  record RungKey(String shapeClass, int rung) {}

  final UndoLog undo = new UndoLog();

  // Rows.
  final Table<JobId, Job> jobs = new Table<>("job", undo);
  final Table<AttemptId, Attempt> attempts = new Table<>("attempt", undo);
  final Table<String, PolicySet> policies = new Table<>("policies", undo);
  // Rows that left memory in the open draft: read until it is adopted, never digested.
  final Table<JobId, Job> leftJobs = new Table<>("left-job", undo);
  final Table<AttemptId, Attempt> leftAttempts = new Table<>("left-attempt", undo);

  // Memo.
  final Table<String, Memo.SystemFlags> system = new Table<>("system", undo);
  final Table<ClusterName, Memo.ClusterFlags> clusters = new Table<>("cluster", undo);
  final Table<ClusterName, Abilities> abilities = new Table<>("abilities", undo);
  final Table<Inventory.NodeKey, Memo.Node> nodes = new Table<>("node", undo);
  final Table<QueueName, Boolean> pausedQueues = new Table<>("paused-queue", undo);
  final Table<PoolName, Boolean> cordonedPools = new Table<>("cordoned-pool", undo);
  final Table<MarketKey, Observation> observations = new Table<>("observation", undo);
  final Table<MarketKey, Memo.OddPrice> oddPrices = new Table<>("odd-price", undo);
  final Table<BlockScope, Block> blocks = new Table<>("block", undo);
  final Table<OfferingId, Memo.LaunchBudget> budgets = new Table<>("budget", undo);
  final Table<String, Memo.Notice> notices = new Table<>("notice", undo);
  final Table<JobId, Memo.Reports> reports = new Table<>("reports", undo);
  final Table<StrayKey, Memo.Stray> strays = new Table<>("stray", undo);
  final Table<String, ParkedClass> parked = new Table<>("parked", undo);
  final Table<RungKey, Memo.ExhaustedRung> exhausted = new Table<>("exhausted", undo);

  // Derived.
  final Waiting waiting = new Waiting();
  final Usage usage = new Usage();
  final Timers timers = new Timers();
  final Inventory inventory = new Inventory();
  final WakeCauses wakes = new WakeCauses();
  final PendingNotices pendingNotices = new PendingNotices();
  Catalogue catalogue = Catalogue.of(PolicySet.EMPTY);

  Tables() {
    jobs.listen(waiting);
    jobs.listen(timers::job);
    attempts.listen(usage);
    attempts.listen(timers::attempt);
    notices.listen(timers::notice);
    notices.listen(pendingNotices);
    blocks.listen(timers::block);
    parked.listen(timers::parked);
    parked.listen(wakes);
    nodes.listen(inventory::node);
    observations.listen(inventory::observation);
    policies.listen((key, before, after) -> catalogue = catalogueOf(after));
  }

  private static Catalogue catalogueOf(PolicySet policies) {
    return Catalogue.of(policies == null ? PolicySet.EMPTY : policies);
  }

  private final List<Table<?, ?>> digested =
      List.of(
          jobs,
          attempts,
          policies,
          system,
          clusters,
          abilities,
          nodes,
          pausedQueues,
          cordonedPools,
          observations,
          oddPrices,
          blocks,
          budgets,
          notices,
          reports,
          strays,
          parked,
          exhausted);

  long digest() {
    long digest = 0;
    for (Table<?, ?> table : digested) {
      digest += table.digest();
    }
    return digest;
  }
}
