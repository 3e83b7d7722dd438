package io.spillway.scheduler.state;

import io.spillway.scheduler.input.AgentInput.ReportedNode;
import io.spillway.scheduler.market.CapacityNotice;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.model.Abilities;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.JobId;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.model.PoolName;
import io.spillway.scheduler.model.QueueName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Everything the scheduler knows that stands in no job, attempt or policy row, as plain records:
 * what {@code core_memo} stores. Each list is sorted by its key. Equal states give equal memos.
 */
public record Memo(
    SystemFlags system,
    List<ClusterFlags> clusters,
    List<Node> nodes,
    List<QueueName> pausedQueues,
    List<PoolName> cordonedPools,
    Market market,
    List<Reports> reports,
    List<Stray> strays,
    List<ParkedClass> parked,
    List<ExhaustedRung> exhausted,
    List<AbleCluster> able) {

  /** What a store that never ran knows. */
  public static final Memo EMPTY =
      new Memo(
          SystemFlags.FRESH,
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          Market.EMPTY,
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          List.of());

  public Memo {
    clusters = List.copyOf(clusters);
    nodes = List.copyOf(nodes);
    pausedQueues = List.copyOf(pausedQueues);
    cordonedPools = List.copyOf(cordonedPools);
    reports = List.copyOf(reports);
    strays = List.copyOf(strays);
    parked = List.copyOf(parked);
    exhausted = List.copyOf(exhausted);
    // Memos written before there was such a part say nothing of it.
    able = able == null ? List.of() : List.copyOf(able);
  }

  /** What was learnt of the market; each list sorted by its key. */
  public record Market(
      List<Observation> observations,
      List<OddPrice> oddPrices,
      List<Block> blocks,
      List<LaunchBudget> budgets,
      List<Notice> notices) {
    public static final Market EMPTY =
        new Market(List.of(), List.of(), List.of(), List.of(), List.of());

    public Market {
      observations = List.copyOf(observations);
      oddPrices = List.copyOf(oddPrices);
      blocks = List.copyOf(blocks);
      budgets = List.copyOf(budgets);
      notices = List.copyOf(notices);
    }
  }

  /**
   * Flags of the whole.
   *
   * @param recovery why nothing is placed nor stopped, while RECOVERY lasts
   * @param recoveryAt when it was entered
   * @param epoch the leader epoch that listens
   * @param listeningSince silence before it proves nothing
   * @param auditedAt the last minute's audit
   * @param drift differences it found
   */
  public record SystemFlags(
      boolean paused,
      Optional<String> recovery,
      Instant recoveryAt,
      long epoch,
      Instant listeningSince,
      Instant auditedAt,
      int drift) {
    public static final SystemFlags FRESH =
        new SystemFlags(false, Optional.empty(), Instant.EPOCH, 0, Instant.EPOCH, Instant.EPOCH, 0);
  }

  /**
   * One cluster's agent.
   *
   * @param registered a token was issued for it
   * @param connected a stream is open
   * @param generation the newest session's
   * @param silentSince when its last stream ended; meaningful while not connected
   * @param link how far the silence has gone
   * @param declared the operator said that all its instances are gone
   * @param inventoried its agent reported its nodes at least once
   * @param openedAt when its newest session opened: nobody could be told anything before
   * @param heardAt when its session opened or it swept last
   * @param sweptAt the last sweep
   */
  public record ClusterFlags(
      ClusterName name,
      boolean registered,
      boolean connected,
      long generation,
      long agentEpoch,
      Instant silentSince,
      Link link,
      boolean declared,
      boolean cordoned,
      boolean inventoried,
      Instant openedAt,
      Instant heardAt,
      Instant sweptAt) {

    /** A cluster that nothing is known of. */
    public static ClusterFlags unknown(ClusterName name) {
      return new ClusterFlags(
          name,
          false,
          false,
          0,
          0,
          Instant.EPOCH,
          Link.HEARD,
          false,
          false,
          false,
          Instant.EPOCH,
          Instant.EPOCH,
          Instant.EPOCH);
    }

    /** An agent is there, or was there less than the cut-off ago. */
    public boolean isHeard() {
      return generation > 0 && link == Link.HEARD;
    }

    ClusterFlags asRegistered() {
      return with(true, link, declared, cordoned, inventoried);
    }

    ClusterFlags withCordon(boolean flag) {
      return with(registered, link, declared, flag, inventoried);
    }

    ClusterFlags linked(Link next, boolean declaredLost) {
      return with(registered, next, declaredLost, cordoned, inventoried);
    }

    ClusterFlags asInventoried() {
      return with(registered, link, declared, cordoned, true);
    }

    ClusterFlags swept(Instant at) {
      return session(connected, generation, agentEpoch, silentSince, new Heard(openedAt, at, at));
    }

    ClusterFlags opened(long session, long epoch, Instant at) {
      return session(true, session, epoch, silentSince, new Heard(at, at, sweptAt));
    }

    ClusterFlags closed(Instant at) {
      return session(false, generation, agentEpoch, at, new Heard(openedAt, heardAt, sweptAt));
    }

    private record Heard(Instant opened, Instant last, Instant swept) {}

    private ClusterFlags session(
        boolean isConnected, long session, long epoch, Instant silent, Heard heard) {
      return new ClusterFlags(
          name,
          registered,
          isConnected,
          session,
          epoch,
          silent,
          link,
          declared,
          cordoned,
          inventoried,
          heard.opened(),
          heard.last(),
          heard.swept());
    }

    private ClusterFlags with(
        boolean isRegistered,
        Link next,
        boolean isDeclared,
        boolean isCordoned,
        boolean isInventoried) {
      return new ClusterFlags(
          name,
          isRegistered,
          connected,
          generation,
          agentEpoch,
          silentSince,
          next,
          isDeclared,
          isCordoned,
          isInventoried,
          openedAt,
          heardAt,
          sweptAt);
    }
  }

  /** How far a cluster's silence has gone. */
  public enum Link {
    HEARD,
    CUT_OFF,
    LOST
  }

  /** What a cluster has, by its agent's last word. */
  public record AbleCluster(ClusterName cluster, Abilities abilities) {}

  /** A node that an agent reported. */
  public record Node(ClusterName cluster, ReportedNode node) {}

  /** A price outside the sanity band of its GPU model, until the next observation. */
  public record OddPrice(MarketKey key, String reason) {}

  /**
   * How many launches may be in flight on an offering.
   *
   * @param limit from 1 to {@link #MAX}
   * @param provenAt when a launch last succeeded there
   */
  public record LaunchBudget(OfferingId offering, int limit, Instant provenAt) {
    public static final int MAX = 1_024;

    /** One trial. */
    public static LaunchBudget first(OfferingId offering) {
      return new LaunchBudget(offering, 1, Instant.EPOCH);
    }
  }

  /**
   * A notice that was understood.
   *
   * @param matched attempts touched; 0 = it waits for its instance to appear
   * @param until when it is forgotten
   */
  public record Notice(CapacityNotice notice, Instant at, int matched, Instant until) {}

  /** The newest reports of a job's attempts, by attempt number. */
  public record Reports(JobId job, List<Report> newest) {
    public Reports {
      newest = List.copyOf(newest);
    }
  }

  /** The newest report of one attempt. */
  public record Report(int attempt, long agentEpoch, long seq) {}

  /**
   * A workload that no attempt accounts for.
   *
   * @param seenAt when the first of the counted sweeps saw it
   * @param stopping whether its stop was ordered
   */
  public record Stray(
      ClusterName cluster,
      AttemptId attempt,
      long attemptEpoch,
      Instant seenAt,
      int sweeps,
      boolean stopping) {}

  /** A rung that has had no admissible offering for a class since then. */
  public record ExhaustedRung(String shapeClass, int rung, Instant since) {}
}
