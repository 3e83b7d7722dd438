package io.spillway.scheduler.input;

import io.spillway.scheduler.model.Abilities;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.CapacityFailure;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.Fabric;
import io.spillway.scheduler.model.Grounds;
import io.spillway.scheduler.model.NodeShape;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a cluster's agent reports. Reports are ordered by (agent epoch, seq), never by clocks; an
 * older one than the newest seen of the same attempt changes nothing.
 */
public sealed interface AgentInput extends Input {
  ClusterName cluster();

  @Override
  default Lane lane() {
    return Lane.REPORTS;
  }

  /**
   * The agent's stream was accepted under a new session generation.
   *
   * @param generation the session's, higher than any before of this cluster
   * @param agentEpoch counts the agent's starts
   */
  record SessionOpened(ClusterName cluster, long generation, long agentEpoch)
      implements AgentInput {}

  /** The stream of that generation ended or fell silent. */
  record SessionClosed(ClusterName cluster, long generation) implements AgentInput {}

  /**
   * Nodes as they are now.
   *
   * @param complete the list is all there are; otherwise {@code nodes} changed and {@code gone}
   *     left
   */
  record NodesReported(
      ClusterName cluster, boolean complete, List<ReportedNode> nodes, List<String> gone)
      implements AgentInput {
    public NodesReported {
      nodes = List.copyOf(nodes);
      gone = List.copyOf(gone);
    }
  }

  /**
   * One node.
   *
   * @param providerId the provider's instance id; events are matched by it
   * @param ready whether it takes work
   * @param healthSigns for example {@code GpuXid}; sorted
   */
  record ReportedNode(
      String name,
      String providerId,
      String zone,
      String instanceType,
      CapacityType capacityType,
      NodeShape shape,
      Optional<Fabric> fabric,
      boolean ready,
      List<String> healthSigns) {
    public ReportedNode {
      healthSigns = healthSigns.stream().sorted().toList();
    }
  }

  /**
   * An attempt changed.
   *
   * @param seq the agent's own number, rising within its epoch
   * @param attemptEpoch epoch of the command that started the attempt, as the workload carries it
   * @param phase where it is now
   * @param instances provider ids of its nodes, once known
   * @param ranFor how long all members have run, by the agent's monotonic clock
   * @param end exit codes and evidence, present if {@code phase} is ENDED
   */
  record AttemptReported(
      ClusterName cluster,
      long agentEpoch,
      long seq,
      AttemptId attempt,
      long attemptEpoch,
      Phase phase,
      List<String> instances,
      Optional<Duration> ranFor,
      Optional<End> end)
      implements AgentInput {
    public AttemptReported {
      instances = List.copyOf(instances);
    }
  }

  /** An attempt's phase in the cluster. */
  enum Phase {
    /** The nodes of an intended attempt are kept. */
    HELD,
    /** Applied: its objects exist. */
    STARTING,
    /** All members run. */
    RUNNING,
    /** No member runs and none will. */
    ENDED,
    /** Nothing of that attempt exists in the cluster, and the agent did not see it end. */
    ABSENT
  }

  /**
   * How it ended.
   *
   * @param exitCodes of all members in rank order if all are known; strongest evidence
   * @param cause what the cluster says
   * @param message a termination message, at most 1 KB
   */
  record End(List<Integer> exitCodes, Cause cause, String message) {
    public End {
      exitCodes = List.copyOf(exitCodes);
    }
  }

  /** What ended an attempt by the cluster's word. */
  enum Cause {
    /** All members exited by themselves. */
    EXITED,
    /** Stopped because the control plane said so. */
    STOPPED,
    /** A node was taken or drained by the provider. */
    DISRUPTED,
    /** A node was lost. */
    NODE_LOST,
    /** A member was deleted behind our back. */
    DELETED
  }

  /**
   * A symptom of missing capacity, classified by the control plane.
   *
   * @param attempt the attempt that met it, if one is known; its launch then is refused
   */
  record SymptomReported(ClusterName cluster, Optional<AttemptId> attempt, CapacityFailure failure)
      implements AgentInput {}

  /** The agent's own gate refused a command. */
  record GateRefused(ClusterName cluster, AttemptId attempt, String reason) implements AgentInput {}

  /** What the cluster can run, as its agent says now; replaces all that was said before. */
  record AbilitiesReported(ClusterName cluster, Abilities abilities) implements AgentInput {}

  /**
   * The gateway could not put a launch into the cluster's words, and has not told it. Whether
   * another stream of the cluster was told it before, this says nothing of.
   *
   * @param reason a code and a sentence for people
   */
  record TranslationRefused(ClusterName cluster, AttemptId attempt, String reason, Grounds grounds)
      implements AgentInput {}

  /**
   * Everything of ours in the cluster, at one time.
   *
   * @param agentEpoch and {@code seq} order the sweep among the reports
   */
  record Swept(ClusterName cluster, long agentEpoch, long seq, List<Present> present)
      implements AgentInput {
    public Swept {
      present = List.copyOf(present);
    }
  }

  /** A workload that exists. */
  record Present(AttemptId attempt, long attemptEpoch, Phase phase, List<String> instances) {
    public Present {
      instances = List.copyOf(instances);
    }
  }

  /**
   * The agent knows a newer store than ours: another generation or a higher head. The scheduler
   * enters RECOVERY.
   */
  record NewerStoreReported(ClusterName cluster, String storeGeneration, long head)
      implements AgentInput {}
}
