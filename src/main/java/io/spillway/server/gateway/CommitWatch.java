package io.spillway.server.gateway;

import io.spillway.scheduler.event.AttemptEvent;
import io.spillway.scheduler.event.ClusterEvent;
import io.spillway.scheduler.event.ControlEvent;
import io.spillway.scheduler.event.Event;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.state.View;
import io.spillway.server.loop.CommitListener;
import java.time.Duration;

/**
 * Hears of each commit, on the leader and on the standbys alike: what streams must know, and when
 * they have something to tell. Runs on the loop's thread and only notes and wakes.
 */
final class CommitWatch implements CommitListener {
  private final Gateway gateway;
  private final Duration straySweepAfter;

  CommitWatch(Gateway gateway, Duration straySweepAfter) {
    this.gateway = gateway;
    this.straySweepAfter = straySweepAfter;
  }

  @Override
  public void committed(Commit commit, View after) {
    gateway.facts().learn(after, commit.seq());
    boolean news = false;
    for (Event event : commit.events()) {
      switch (event) {
        case AttemptEvent.AttemptIntended intended -> {
          gateway.facts().learn(after, intended.placement().offering());
          news = true;
        }
        case AttemptEvent.AttemptUnknown unknown -> {
          // Its agent was not heard to say what became of it; it is asked, not waited for.
          sweepSoon(unknown.offering().cluster());
          news = true;
        }
        case AttemptEvent changed -> news = true;
        case ClusterEvent cluster -> heard(cluster, commit);
        case ControlEvent.RecoveryEntered entered ->
            gateway.streams().all().forEach(AgentStream::recovery);
        case ControlEvent.RecoveryLeft left -> news = true;
        default -> {}
      }
    }
    if (news) {
      gateway.feed().wake();
    }
  }

  @Override
  public void reset(boolean leading, View now) {
    gateway.facts().learn(now, 0);
    now.inventory()
        .clusters()
        .forEach(
            cluster -> gateway.facts().learn(cluster, now.inventory().nodes(cluster).values()));
    now.attempts().forEach(attempt -> gateway.facts().learn(now, attempt.placement().offering()));
    for (AgentStream stream : gateway.streams().all()) {
      if (now.cluster(stream.cluster()).generation() >= stream.generation()) {
        stream.committed();
      }
    }
    gateway.feed().wake();
  }

  private void heard(ClusterEvent event, Commit commit) {
    switch (event) {
      case ClusterEvent.AgentConnected connected -> session(connected);
      case ClusterEvent.NodesChanged nodes -> gateway.facts().learn(nodes);
      case ClusterEvent.StrayFound found -> {
        if (found.sweeps() < 2) {
          sweepSoon(found.cluster());
        }
      }
      case ClusterEvent.StrayStopped stray ->
          gateway
              .feed()
              .stray(
                  CommandTranslation.ofStray(
                      stray.cluster(),
                      stray.attempt(),
                      Math.max(stray.attemptEpoch(), commit.cycle().epoch()),
                      commit.seq()));
      default -> {}
    }
  }

  /** Late enough that what the sweep shows may be acted on. */
  private void sweepSoon(ClusterName cluster) {
    gateway.streams().of(cluster).ifPresent(stream -> stream.sweepAfter(straySweepAfter));
  }

  private void session(ClusterEvent.AgentConnected connected) {
    gateway
        .streams()
        .of(connected.cluster())
        .ifPresent(
            stream -> {
              if (stream.generation() < connected.generation()) {
                stream.supersede(connected.generation());
              } else if (stream.generation() == connected.generation()) {
                stream.committed();
              }
            });
  }
}
