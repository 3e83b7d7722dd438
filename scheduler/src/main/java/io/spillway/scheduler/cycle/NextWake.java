package io.spillway.scheduler.cycle;

import io.spillway.scheduler.state.View;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/** When time alone will change something. */
final class NextWake {
  private NextWake() {}

  static Optional<Instant> of(View view, Cycle cycle, CoreSettings settings) {
    Instant audit = view.system().auditedAt().plus(settings.audit());
    return Stream.of(
            view.timers().next(),
            Optional.of(audit.isBefore(cycle.now()) ? cycle.now().plus(settings.audit()) : audit))
        .flatMap(Optional::stream)
        .min(Instant::compareTo);
  }
}
