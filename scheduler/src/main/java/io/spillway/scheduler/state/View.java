package io.spillway.scheduler.state;

import io.spillway.scheduler.event.Event;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.model.Abilities;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.BlockScope;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.JobId;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.NodeShape;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.model.PoolName;
import io.spillway.scheduler.model.QueueName;
import io.spillway.scheduler.policy.PolicySet;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The state, to read. A live view: what it answers follows the state, collections that say so are
 * not to be kept over a change. Only the thread that owns the state may use it.
 */
public interface View {

  // Rows.

  /** A job in memory, or one that became terminal in the open draft. */
  Optional<Job> job(JobId id);

  /** An attempt in memory, or one that left it in the open draft. */
  Optional<Attempt> attempt(AttemptId id);

  /** A job's attempts in memory, by number. */
  List<Attempt> attemptsOf(JobId id);

  /** All jobs that are not terminal, in no order: for audits and boards, never in a cycle. */
  List<Job> jobs();

  /** All attempts in memory, in no order: for audits and boards, never in a cycle. */
  List<Attempt> attempts();

  PolicySet policies();

  /** What the policies offer. */
  Catalogue catalogue();

  // Indexes.

  /** Jobs that wait, by class. */
  Waiting waiting();

  /** What attempts use. */
  Usage usage();

  /** Reported nodes. */
  Inventory inventory();

  /** What is due when. */
  Timers timers();

  /** Parked classes by what would wake them. */
  WakeCauses wakes();

  // Market.

  Optional<Observation> observation(MarketKey key);

  /** Why the key's observed price is not used, if it is not. */
  Optional<String> oddPrice(MarketKey key);

  /** The widest block in force on the key. */
  Optional<Block> block(MarketKey key, Instant now);

  /** The block of exactly that scope, in force or remembered. */
  Optional<Block> blockOf(BlockScope scope);

  /**
   * How many launches may be in flight on the offering: one trial at first, doubled whenever a
   * launch comes to run, one trial again after a capacity failure.
   */
  Memo.LaunchBudget launchBudget(OfferingId offering);

  /** {@link #launchBudget}'s limit. */
  default int launchLimit(OfferingId offering) {
    return launchBudget(offering).limit();
  }

  /** Whether a launch there was refused and none came to run since. */
  boolean failedLately(OfferingId offering);

  /** What a node of it has: its observation's word, else an agent's, else any of its type. */
  Optional<NodeShape> shape(OfferingId offering);

  // Flags.

  Memo.SystemFlags system();

  /** Never empty: of an unknown cluster nothing is known. */
  Memo.ClusterFlags cluster(ClusterName name);

  /** What the cluster's agent said last that it can run; nothing if it never said. */
  Abilities abilities(ClusterName cluster);

  /** Clusters whose agent was there at least once, by name. */
  List<Memo.ClusterFlags> agents();

  boolean poolCordoned(PoolName pool);

  boolean queuePaused(QueueName queue);

  Optional<ParkedClass> parked(String shapeClass);

  /** All parked classes, by text. */
  List<ParkedClass> parked();

  Optional<Instant> exhaustedSince(String shapeClass, int rung);

  Optional<Memo.Notice> notice(String noticeId);

  /** Ids of remembered notices that name the instance. */
  List<String> noticesNaming(String providerId);

  /** Strays of the cluster, by attempt. */
  List<Memo.Stray> strays(ClusterName cluster);

  /** Those of all clusters, in order of cluster and attempt. */
  List<Memo.Stray> strays();

  /** The newest report taken of the attempt. */
  Optional<Memo.Report> newestReport(AttemptId id);

  // Boards.

  /** Every offering: named by the policies or made of reported nodes, by id. */
  List<OfferingStatus> offerings(Instant now);

  /** Observations that join no offering, by key. */
  List<Observation> unlaunchable();

  List<PoolStatus> pools();

  List<ClusterStatus> clusters();

  List<NodeStatus> nodes();

  List<QueueStatus> queues();

  // The open drafts.

  /** What was applied to the drafts now open, the outermost's first; empty if none is. */
  List<Event> recent();

  /** Whether the set of known node shapes changed since the outermost open draft began. */
  boolean reshaped();

  // The whole.

  /** What must hold and does not, by a recount of everything; empty is right. */
  List<String> inconsistencies();

  /** A draft on top of this view: whoever opens it adopts or discards it before anything else. */
  Draft draft();

  /** The state's fingerprint, jobs that left in the open draft excluded. */
  long digest();
}
