package io.spillway.scheduler.cycle;

import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.policy.ClusterPolicy;
import io.spillway.scheduler.state.Memo.ClusterFlags;
import io.spillway.scheduler.state.Memo.Link;
import io.spillway.scheduler.state.View;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** How long clusters have been silent while somebody listened, and what that means. */
record Silence(View view, Instant now, CoreSettings settings) {

  /** Clusters whose agent was there once and has no stream now. */
  List<ClusterFlags> silent() {
    return view.agents().stream().filter(flags -> !flags.connected()).toList();
  }

  boolean isCutOff(ClusterFlags flags) {
    return isDue(flags, settings.silence().cutOff());
  }

  /** Silent for long enough, while others were heard. */
  boolean isLost(ClusterFlags flags) {
    return isDue(flags, lostAfter(flags.name())) && othersAreHeard(flags.name());
  }

  /** When a silent cluster's silence next means more. */
  Optional<Instant> nextVerdict() {
    return silent().stream()
        .filter(flags -> flags.link() != Link.LOST)
        .map(flags -> since(flags).plus(limit(flags)))
        .min(Instant::compareTo);
  }

  private Duration limit(ClusterFlags flags) {
    return flags.link() == Link.HEARD ? settings.silence().cutOff() : lostAfter(flags.name());
  }

  private boolean isDue(ClusterFlags flags, Duration silence) {
    return !since(flags).plus(silence).isAfter(now);
  }

  private Instant since(ClusterFlags flags) {
    Instant listening = view.system().listeningSince();
    return flags.silentSince().isAfter(listening) ? flags.silentSince() : listening;
  }

  private Duration lostAfter(ClusterName cluster) {
    return Optional.ofNullable(view.policies().clusters().get(cluster))
        .map(ClusterPolicy::lostAfter)
        .orElse(settings.silence().lostAfter());
  }

  /** If nobody is heard, it may be us. A single cluster has no other to compare with. */
  private boolean othersAreHeard(ClusterName silent) {
    List<ClusterFlags> others =
        view.agents().stream().filter(flags -> !flags.name().equals(silent)).toList();
    return others.isEmpty() || others.stream().anyMatch(ClusterFlags::connected);
  }
}
