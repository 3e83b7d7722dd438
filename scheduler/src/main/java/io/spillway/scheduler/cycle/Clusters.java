package io.spillway.scheduler.cycle;

import io.spillway.scheduler.event.AttemptEvent.AttemptReachable;
import io.spillway.scheduler.event.ClusterEvent;
import io.spillway.scheduler.input.AgentInput.AbilitiesReported;
import io.spillway.scheduler.input.AgentInput.SessionClosed;
import io.spillway.scheduler.input.AgentInput.SessionOpened;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.lifecycle.Outcome;
import io.spillway.scheduler.lifecycle.Reason;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.policy.QueuePolicy;
import io.spillway.scheduler.policy.QueuePolicy.OnClusterLost;
import io.spillway.scheduler.state.Memo.ClusterFlags;
import io.spillway.scheduler.state.Memo.Link;
import java.util.ArrayList;
import java.util.List;

/**
 * Clusters that go silent and come back (semantics §15). Silence counts only while this leader
 * listened without a gap: {@code ListeningBegan} starts it anew, so that our own outage is never
 * taken for theirs. That a leader which just took over needs the whole time again is the price of
 * not having to know what others heard.
 */
final class Clusters {
  private final Scene scene;
  private final Endings endings;
  private final ProvidersWord provider;
  private final Silence silence;

  Clusters(Scene scene, Endings endings) {
    this.scene = scene;
    this.endings = endings;
    this.provider = new ProvidersWord(scene.view());
    this.silence = new Silence(scene.view(), scene.now(), scene.settings());
  }

  void opened(SessionOpened session) {
    ClusterFlags flags = scene.view().cluster(session.cluster());
    boolean isOld =
        session.generation() < flags.generation()
            || (session.generation() == flags.generation() && flags.connected());
    if (isOld) {
      return;
    }
    scene.emit(
        new ClusterEvent.AgentConnected(
            session.cluster(), session.generation(), session.agentEpoch(), scene.now()));
    if (flags.link() != Link.HEARD) {
      scene.emit(new ClusterEvent.ClusterRestored(session.cluster(), scene.now()));
      attempts(session.cluster()).stream()
          .filter(Attempt::unreachable)
          .forEach(attempt -> scene.emit(new AttemptReachable(attempt.id(), true)));
    }
  }

  void closed(SessionClosed session) {
    ClusterFlags flags = scene.view().cluster(session.cluster());
    if (flags.connected() && flags.generation() == session.generation()) {
      scene.emit(
          new ClusterEvent.AgentDisconnected(session.cluster(), session.generation(), scene.now()));
    }
  }

  /** That it says the same as before is no news. */
  void able(AbilitiesReported report) {
    if (!scene.view().abilities(report.cluster()).equals(report.abilities())) {
      scene.emit(new ClusterEvent.AbilitiesChanged(report.cluster(), report.abilities()));
    }
  }

  void declaredLost(ClusterName cluster) {
    if (!scene.view().cluster(cluster).declared()) {
      cutOff(scene.view().cluster(cluster));
      scene.emit(new ClusterEvent.ClusterLost(cluster, scene.now(), true));
      replace(cluster, true);
    }
  }

  /** Looks how long each cluster has been silent. */
  void watch() {
    for (ClusterFlags flags : silence.silent()) {
      if (flags.link() == Link.HEARD && silence.isCutOff(flags)) {
        cutOff(flags);
      }
      boolean isLost =
          scene.view().cluster(flags.name()).link() == Link.CUT_OFF && silence.isLost(flags);
      if (isLost && !scene.recovering()) {
        scene.emit(new ClusterEvent.ClusterLost(flags.name(), scene.now(), false));
        replace(flags.name(), false);
      }
    }
  }

  private void cutOff(ClusterFlags flags) {
    if (flags.link() == Link.HEARD) {
      scene.emit(new ClusterEvent.ClusterCutOff(flags.name(), scene.now()));
      attempts(flags.name()).stream()
          .filter(attempt -> attempt.state().isLive() && !attempt.unreachable())
          .forEach(attempt -> scene.emit(new AttemptReachable(attempt.id(), false)));
    }
  }

  private void replace(ClusterName cluster, boolean declared) {
    for (Attempt attempt : attempts(cluster)) {
      boolean proven = declared || provider.isGone(attempt);
      if (attempt.state().isLive() && proven && onLost(attempt) == OnClusterLost.REPLACE) {
        Reason reason = declared ? Reason.CLUSTER_DECLARED_LOST : Reason.CLUSTER_LOST;
        endings.end(attempt, new EndVerdict(Outcome.FENCED, reason, ""));
      }
    }
  }

  private OnClusterLost onLost(Attempt attempt) {
    return scene
        .view()
        .job(attempt.id().job())
        .map(Job::order)
        .flatMap(order -> scene.queue(order.queue()))
        .map(QueuePolicy::onClusterLost)
        .orElse(OnClusterLost.WAIT);
  }

  private List<Attempt> attempts(ClusterName cluster) {
    List<Attempt> attempts = new ArrayList<>();
    for (AttemptId id : scene.view().usage().on(cluster)) {
      scene.view().attempt(id).ifPresent(attempts::add);
    }
    return attempts;
  }
}
