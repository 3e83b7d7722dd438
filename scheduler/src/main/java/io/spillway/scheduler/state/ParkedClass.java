package io.spillway.scheduler.state;

import io.spillway.scheduler.plan.ParkCause;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A class of equal waiting jobs that was set aside.
 *
 * @param causes what can change the verdict
 * @param until when time alone can
 * @param quarantined no offering could ever serve it under the present policies
 */
public record ParkedClass(
    String shapeClass, List<ParkCause> causes, Optional<Instant> until, boolean quarantined) {
  public ParkedClass {
    causes = List.copyOf(causes);
  }
}
