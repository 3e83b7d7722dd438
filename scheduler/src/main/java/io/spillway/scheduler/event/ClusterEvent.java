package io.spillway.scheduler.event;

import io.spillway.scheduler.input.AgentInput.ReportedNode;
import io.spillway.scheduler.model.Abilities;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.ClusterName;
import java.time.Instant;
import java.util.List;

/** What happened to a cluster and its agent. */
public sealed interface ClusterEvent extends Event {
  ClusterName cluster();

  record ClusterRegistered(ClusterName cluster, Instant at) implements ClusterEvent {}

  record AgentConnected(ClusterName cluster, long generation, long agentEpoch, Instant at)
      implements ClusterEvent {}

  record AgentDisconnected(ClusterName cluster, long generation, Instant at)
      implements ClusterEvent {}

  /** No stream for 90 s: nothing new is placed there, what runs runs on. */
  record ClusterCutOff(ClusterName cluster, Instant at) implements ClusterEvent {}

  record ClusterLost(ClusterName cluster, Instant at, boolean declared) implements ClusterEvent {}

  record ClusterRestored(ClusterName cluster, Instant at) implements ClusterEvent {}

  record ClusterCordoned(ClusterName cluster, boolean cordoned) implements ClusterEvent {}

  record NodesChanged(
      ClusterName cluster, boolean complete, List<ReportedNode> nodes, List<String> gone)
      implements ClusterEvent {
    public NodesChanged {
      nodes = List.copyOf(nodes);
      gone = List.copyOf(gone);
    }
  }

  /** Its agent says that the cluster can run other things than before. */
  record AbilitiesChanged(ClusterName cluster, Abilities abilities) implements ClusterEvent {}

  /** The newest report of an attempt that was taken, for the order of those to come. */
  record ReportTaken(ClusterName cluster, AttemptId attempt, long agentEpoch, long seq)
      implements ClusterEvent {}

  /** Everything of ours in the cluster was compared with what should be there. */
  record SweepTaken(ClusterName cluster, long agentEpoch, long seq, Instant at)
      implements ClusterEvent {}

  /** A workload that no attempt accounts for; {@code sweeps} counts how often it was seen. */
  record StrayFound(
      ClusterName cluster, AttemptId attempt, long attemptEpoch, Instant at, int sweeps)
      implements ClusterEvent {}

  /** A stray is to be stopped: seen in two sweeps at least 60 s apart, outside RECOVERY. */
  record StrayStopped(ClusterName cluster, AttemptId attempt, long attemptEpoch, Instant at)
      implements ClusterEvent {}

  /** The stray is gone. */
  record StrayGone(ClusterName cluster, AttemptId attempt) implements ClusterEvent {}
}
