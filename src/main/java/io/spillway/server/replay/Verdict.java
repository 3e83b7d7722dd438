package io.spillway.server.replay;

import io.spillway.scheduler.cycle.Cycle;
import io.spillway.scheduler.event.Event;
import java.util.List;

/** What a replay found. */
public sealed interface Verdict {

  /** Every decision was made again as it stands in the journal. */
  record Same(long decisions, long head) implements Verdict {}

  /**
   * The first that was not.
   *
   * @param core version of the core that decided then
   * @param recorded its plan; {@code decided} the one of now
   */
  record Differs(long seq, Cycle cycle, String core, List<Event> recorded, List<Event> decided)
      implements Verdict {
    public Differs {
      recorded = List.copyOf(recorded);
      decided = List.copyOf(decided);
    }
  }

  /** There is nothing to decide again from. */
  record Unusable(String why) implements Verdict {}
}
