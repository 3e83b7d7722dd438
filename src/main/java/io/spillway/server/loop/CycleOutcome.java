package io.spillway.server.loop;

import java.time.Instant;
import java.util.Optional;

/** How one iteration of the loop went. */
public sealed interface CycleOutcome {

  /**
   * A row was committed and adopted.
   *
   * @param more whether the inbox holds more at once
   * @param nextWake when time alone will change something
   */
  record Advanced(long seq, boolean more, Optional<Instant> nextWake) implements CycleOutcome {}

  /** Nothing came in and nothing was to be done: no row. */
  record Idle(Optional<Instant> nextWake) implements CycleOutcome {}

  /** Another leads. The state is to be loaded anew. */
  record SteppedDown(String why) implements CycleOutcome {}
}
