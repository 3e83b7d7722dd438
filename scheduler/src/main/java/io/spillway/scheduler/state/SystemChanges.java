package io.spillway.scheduler.state;

import io.spillway.scheduler.event.ControlEvent;
import io.spillway.scheduler.state.Memo.SystemFlags;
import java.time.Instant;
import java.util.Optional;

/** Applies operators' and the watch's events to the memo. */
final class SystemChanges {
  private final Tables tables;

  SystemChanges(Tables tables) {
    this.tables = tables;
  }

  void apply(ControlEvent event) {
    SystemFlags s = tables.system.get(Tables.ONLY).orElse(SystemFlags.FRESH);
    switch (event) {
      case ControlEvent.ListeningBegan e ->
          put(
              new SystemFlags(
                  s.paused(),
                  s.recovery(),
                  s.recoveryAt(),
                  e.epoch(),
                  e.at(),
                  s.auditedAt(),
                  s.drift()));
      case ControlEvent.SystemPaused e ->
          put(
              new SystemFlags(
                  e.paused(),
                  s.recovery(),
                  s.recoveryAt(),
                  s.epoch(),
                  s.listeningSince(),
                  s.auditedAt(),
                  s.drift()));
      case ControlEvent.RecoveryEntered e -> put(recovering(s, Optional.of(e.reason()), e.at()));
      case ControlEvent.RecoveryLeft e -> put(recovering(s, Optional.empty(), e.at()));
      case ControlEvent.DriftFound e ->
          put(
              new SystemFlags(
                  s.paused(),
                  s.recovery(),
                  s.recoveryAt(),
                  s.epoch(),
                  s.listeningSince(),
                  e.at(),
                  e.differences()));
      case ControlEvent.QueuePaused e -> {
        if (e.paused()) {
          tables.pausedQueues.put(e.queue(), true);
        } else {
          tables.pausedQueues.remove(e.queue());
        }
      }
      case ControlEvent.PoolCordoned e -> {
        if (e.cordoned()) {
          tables.cordonedPools.put(e.pool(), true);
        } else {
          tables.cordonedPools.remove(e.pool());
        }
      }
      case ControlEvent.PolicyAdopted e -> {}
      case ControlEvent.InputIgnored e -> {}
    }
  }

  private static SystemFlags recovering(SystemFlags s, Optional<String> reason, Instant at) {
    return new SystemFlags(
        s.paused(), reason, at, s.epoch(), s.listeningSince(), s.auditedAt(), s.drift());
  }

  private void put(SystemFlags flags) {
    tables.system.put(Tables.ONLY, flags);
  }
}
