package io.spillway.scheduler.placement;

import io.spillway.scheduler.cycle.Cycle;
import io.spillway.scheduler.plan.EventSink;
import io.spillway.scheduler.state.Draft;

/** Places waiting jobs, and the next attempts of draining ones. This first version places none. */
public final class Placer {

  /**
   * Called once a cycle, after everything that happened was applied and unless new placements are
   * stopped (RECOVERY, system pause). Draining jobs without a replacement stand in {@code
   * whatIf.view().waiting().replaceable()}; theirs is intended {@code after} the ending attempt and
   * followed by {@code ReplacementSet}.
   *
   * @param whatIf the draft that {@code sink} advances
   */
  public void place(Draft whatIf, Cycle cycle, EventSink sink) {}
}
