package io.spillway.scheduler.queue;

import io.spillway.scheduler.event.AttemptEvent;
import io.spillway.scheduler.event.ClusterEvent;
import io.spillway.scheduler.event.ControlEvent;
import io.spillway.scheduler.event.Event;
import io.spillway.scheduler.event.MarketEvent;
import java.util.Optional;

/**
 * What an event can change for parked classes. The counterpart of what a refusal waits for:
 * conservative, since a class that is woken for nothing costs one look, and one that is not woken
 * may wait for ever.
 */
public final class WakeRules {
  private WakeRules() {}

  /** What of the world an event touched; empty if no verdict can change by it. */
  public static Optional<Touch> of(Event event) {
    return switch (event) {
      case AttemptEvent e -> attempt(e);
      case MarketEvent e -> market(e);
      case ClusterEvent e -> cluster(e);
      case ControlEvent e -> control(e);
      default -> Optional.empty();
    };
  }

  private static Optional<Touch> attempt(AttemptEvent event) {
    return switch (event) {
      case AttemptEvent.AttemptIntended e -> Optional.of(new Touch.Used(e.placement().offering()));
      case AttemptEvent.AttemptRunning e -> Optional.of(new Touch.Launched(e.offering()));
      case AttemptEvent.AttemptEnding e -> Optional.of(new Touch.Freed(e.attempt()));
      case AttemptEvent.AttemptEnded e -> Optional.of(new Touch.Freed(e.attempt()));
      case AttemptEvent.StopConfirmed e -> Optional.of(new Touch.Freed(e.attempt()));
      case AttemptEvent.LateSuccess e -> Optional.of(new Touch.Freed(e.attempt()));
      default -> Optional.empty();
    };
  }

  private static Optional<Touch> market(MarketEvent event) {
    return switch (event) {
      case MarketEvent.ObservationAdopted e ->
          Optional.of(new Touch.Observed(e.observation().key()));
      case MarketEvent.PriceQuarantined e -> Optional.of(new Touch.Observed(e.key()));
      case MarketEvent.BlockPlaced e -> Optional.of(new Touch.Blocked(e.scope()));
      case MarketEvent.BlockLifted e -> Optional.of(new Touch.Blocked(e.scope()));
      default -> Optional.empty();
    };
  }

  private static Optional<Touch> cluster(ClusterEvent event) {
    return switch (event) {
      case ClusterEvent.ClusterRegistered e -> Optional.of(new Touch.InCluster(e.cluster()));
      case ClusterEvent.AgentConnected e -> Optional.of(new Touch.InCluster(e.cluster()));
      case ClusterEvent.ClusterCutOff e -> Optional.of(new Touch.InCluster(e.cluster()));
      case ClusterEvent.ClusterLost e -> Optional.of(new Touch.InCluster(e.cluster()));
      case ClusterEvent.ClusterRestored e -> Optional.of(new Touch.InCluster(e.cluster()));
      case ClusterEvent.ClusterCordoned e -> Optional.of(new Touch.InCluster(e.cluster()));
      case ClusterEvent.AbilitiesChanged e -> Optional.of(new Touch.InCluster(e.cluster()));
      case ClusterEvent.NodesChanged e -> Optional.of(new Touch.InCluster(e.cluster()));
      default -> Optional.empty();
    };
  }

  private static Optional<Touch> control(ControlEvent event) {
    return switch (event) {
      case ControlEvent.PolicyAdopted e -> Optional.of(new Touch.Policies());
      case ControlEvent.QueuePaused e -> Optional.of(new Touch.Paused(e.queue().value()));
      case ControlEvent.SystemPaused e -> Optional.of(new Touch.Paused(""));
      case ControlEvent.RecoveryLeft e -> Optional.of(new Touch.Paused(""));
      case ControlEvent.PoolCordoned e -> Optional.of(new Touch.InPool(e.pool()));
      default -> Optional.empty();
    };
  }
}
