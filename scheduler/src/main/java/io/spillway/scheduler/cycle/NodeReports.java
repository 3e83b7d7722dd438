package io.spillway.scheduler.cycle;

import io.spillway.scheduler.event.ClusterEvent.NodesChanged;
import io.spillway.scheduler.input.AgentInput.NodesReported;
import io.spillway.scheduler.input.AgentInput.ReportedNode;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.Reason;
import io.spillway.scheduler.model.AttemptId;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * Agents' words on nodes. A node that is gone interrupts every gang with a member on it, after a
 * short time for the agent's last word; one that is merely not ready does not, since it may be back
 * in a minute.
 */
final class NodeReports {
  private final Scene scene;
  private final Drains drains;

  NodeReports(Scene scene, Drains drains) {
    this.scene = scene;
    this.drains = drains;
  }

  void take(NodesReported report) {
    NavigableSet<AttemptId> hit = hit(report);
    scene.emit(
        new NodesChanged(report.cluster(), report.complete(), report.nodes(), report.gone()));
    Instant deadline = scene.now().plus(scene.settings().drain().lossGrace());
    for (AttemptId id : hit) {
      scene
          .view()
          .attempt(id)
          .filter(attempt -> isOn(attempt, report))
          .ifPresent(attempt -> drains.drain(attempt, Reason.NODE_LOST, deadline));
    }
  }

  private NavigableSet<AttemptId> hit(NodesReported report) {
    Set<String> kept = new HashSet<>();
    report.nodes().forEach(node -> kept.add(node.providerId()));
    NavigableSet<AttemptId> hit = new TreeSet<>();
    Map<String, ReportedNode> known = scene.view().inventory().nodes(report.cluster());
    for (Map.Entry<String, ReportedNode> node : known.entrySet()) {
      boolean isGone = report.complete() || report.gone().contains(node.getKey());
      if (isGone && !kept.contains(node.getValue().providerId())) {
        hit.addAll(scene.view().usage().onInstance(node.getValue().providerId()));
      }
    }
    return hit;
  }

  private static boolean isOn(Attempt attempt, NodesReported report) {
    return attempt.placement().offering().cluster().equals(report.cluster());
  }
}
