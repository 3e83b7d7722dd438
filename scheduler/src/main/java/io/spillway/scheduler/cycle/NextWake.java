package io.spillway.scheduler.cycle;

import io.spillway.scheduler.state.Draft;
import io.spillway.scheduler.state.View;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/** When time alone will change something. */
final class NextWake {
  /** Between looks at a deadline that is due but must wait until we could hear. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

  private NextWake() {}

  static Optional<Instant> of(Draft draft, Cycle cycle, CoreSettings settings) {
    View view = draft.view();
    Silence silence = new Silence(view, cycle.now(), settings);
    return Stream.of(
            view.timers().next().map(next -> notBefore(next, view, cycle, settings)),
            Optional.of(audit(view, cycle, settings)),
            silence.nextVerdict().map(next -> later(next, cycle.now().plus(LOOK_AGAIN))))
        .flatMap(Optional::stream)
        .min(Instant::compareTo);
  }

  private static Instant notBefore(Instant next, View view, Cycle cycle, CoreSettings settings) {
    boolean idle =
        !next.isAfter(cycle.now())
            && !new Patience(view, cycle.now(), settings).anyRipe(view.timers());
    return idle ? cycle.now().plus(LOOK_AGAIN) : next;
  }

  private static Instant audit(View view, Cycle cycle, CoreSettings settings) {
    return later(view.system().auditedAt().plus(settings.audit()), cycle.now());
  }

  private static Instant later(Instant left, Instant right) {
    return left.isAfter(right) ? left : right;
  }
}
