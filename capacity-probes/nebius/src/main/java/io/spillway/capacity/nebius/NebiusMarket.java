package io.spillway.capacity.nebius;

import com.google.protobuf.Timestamp;
import io.spillway.capacity.http.ProbeRun;
import io.spillway.capacity.nebius.api.capacity.CapacityBlockGroup;
import io.spillway.capacity.nebius.api.capacity.CapacityBlockGroupStatus;
import io.spillway.capacity.nebius.api.capacity.ResourceAdviceStatus;
import io.spillway.capacity.nebius.api.capacity.ResourceAdviceStatus.Availability.DataState;
import io.spillway.scheduler.market.Observation.Availability;
import java.time.Duration;
import java.time.Instant;

/**
 * What Nebius's words mean. Advice counts the machines that can be started now within the quota:
 * that number decides, not the level beside it, and only while the data is fresh by its own word
 * and by its time.
 */
final class NebiusMarket {
  /** Older advice says nothing of now, whatever it says of itself. */
  private static final Duration FRESH = Duration.ofMinutes(30);

  private NebiusMarket() {}

  static Availability of(ResourceAdviceStatus.Availability advice, ProbeRun run) {
    if (advice.getDataState() != DataState.DATA_STATE_FRESH
        || (advice.hasEffectiveAt()
            && run.ownTime(instant(advice.getEffectiveAt())).isBefore(run.now().minus(FRESH)))) {
      return Availability.UNKNOWN;
    }
    return advice.getAvailable() > 0 ? Availability.AVAILABLE : Availability.UNAVAILABLE;
  }

  /** Instants that no clock can show count as the beginning of time, which is not fresh. */
  private static Instant instant(Timestamp time) {
    return time.getSeconds() < 0 || time.getSeconds() > 253_402_300_799L
        ? Instant.EPOCH
        : Instant.ofEpochSecond(time.getSeconds());
  }

  /** Whether a capacity block has room for a machine of so many GPUs. */
  static Availability of(CapacityBlockGroup block, int gpus) {
    CapacityBlockGroupStatus status = block.getStatus();
    return switch (status.getState()) {
      case STATE_ACTIVE ->
          status.getCurrentLimit() - status.getUsage() >= gpus
              ? Availability.AVAILABLE
              : Availability.UNAVAILABLE;
      case STATE_SHUTTING, STATE_INACTIVE -> Availability.UNAVAILABLE;
      case STATE_ALLOCATING, STATE_UNSPECIFIED, UNRECOGNIZED -> Availability.UNKNOWN;
    };
  }

  /** The same shape in several fabrics is one offering: one that has it is enough. */
  static Availability better(Availability one, Availability other) {
    if (one == Availability.AVAILABLE || other == Availability.AVAILABLE) {
      return Availability.AVAILABLE;
    }
    return one == other ? one : Availability.UNKNOWN;
  }
}
