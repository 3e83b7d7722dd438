package io.spillway.scheduler.cycle;

import io.spillway.scheduler.event.ControlEvent.DriftFound;
import io.spillway.scheduler.event.ControlEvent.ListeningBegan;
import io.spillway.scheduler.state.Memo.SystemFlags;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The scheduler's watch over itself: since when it listens, and the minute's audit. */
final class Watch {
  private final Scene scene;

  Watch(Scene scene) {
    this.scene = scene;
  }

  /**
   * Notes a new leader, or a gap in which this one did nothing (it stood still, or the clock
   * jumped): the audit comes every minute while a leader runs.
   */
  void listen() {
    SystemFlags flags = scene.view().system();
    boolean took = flags.epoch() != scene.cycle().epoch();
    Instant latest = flags.auditedAt().plus(scene.settings().silence().gap());
    boolean gap = flags.auditedAt().isAfter(Instant.EPOCH) && latest.isBefore(scene.now());
    if (took || gap) {
      scene.emit(new ListeningBegan(scene.cycle().epoch(), scene.now()));
    }
  }

  void audit() {
    Instant due = scene.view().system().auditedAt().plus(scene.settings().audit());
    if (!due.isAfter(scene.now())) {
      List<String> differences = new ArrayList<>(scene.view().inconsistencies());
      differences.addAll(oldStrays());
      String first = differences.isEmpty() ? "" : differences.getFirst();
      scene.emit(new DriftFound(differences.size(), first, scene.now()));
    }
  }

  /** What clusters run and no attempt accounts for, for longer than between two audits. */
  private List<String> oldStrays() {
    Instant old = scene.now().minus(scene.settings().audit());
    return scene.view().agents().stream()
        .flatMap(cluster -> scene.view().strays(cluster.name()).stream())
        .filter(stray -> stray.seenAt().isBefore(old))
        .map(stray -> stray.attempt() + " runs in " + stray.cluster() + " unaccounted for")
        .toList();
  }
}
