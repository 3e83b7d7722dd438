package io.spillway.capacity.simulated.agent;

import io.spillway.protocol.v1.EndCause;
import io.spillway.protocol.v1.Phase;
import java.util.List;

/**
 * What is remembered of an attempt that is over, so that a repeated command changes nothing.
 *
 * @param epoch of the last command that touched it
 * @param phase ENDED, or ABSENT if it never was here or was let go before it started
 */
record Ended(
    long epoch,
    Phase phase,
    EndCause cause,
    List<Integer> exitCodes,
    String message,
    long ranMillis,
    long atMillis) {

  Ended {
    exitCodes = List.copyOf(exitCodes);
  }

  static Ended absent(long epoch, long atMillis) {
    return new Ended(
        epoch, Phase.PHASE_ABSENT, EndCause.END_CAUSE_UNSPECIFIED, List.of(), "", 0, atMillis);
  }
}
