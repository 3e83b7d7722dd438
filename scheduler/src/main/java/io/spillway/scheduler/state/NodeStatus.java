package io.spillway.scheduler.state;

import io.spillway.scheduler.input.AgentInput.ReportedNode;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.ClusterName;
import java.util.List;

/** A reported node and the attempts that run on it. */
public record NodeStatus(ClusterName cluster, ReportedNode node, List<AttemptId> attempts) {
  public NodeStatus {
    attempts = List.copyOf(attempts);
  }
}
