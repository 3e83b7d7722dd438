package io.spillway.scheduler.market;

import io.spillway.scheduler.model.UsdPerGpuHour;
import io.spillway.scheduler.plan.RefusalReason;
import java.time.Instant;
import java.util.Optional;

/** What an offering costs, or why its price cannot be used. */
public sealed interface Quote {

  /**
   * A price to decide by.
   *
   * @param onDemand what the same machine costs on demand, else {@code price}
   * @param until when the price stops being usable by age or by the end of an override
   */
  record Priced(UsdPerGpuHour price, UsdPerGpuHour onDemand, Optional<Instant> until)
      implements Quote {}

  /**
   * No price to decide by.
   *
   * @param shown the price that was not believed, for people
   * @param reason ends by a new observation or override only, never by time
   */
  record Unusable(RefusalReason reason, Optional<UsdPerGpuHour> shown, String detail)
      implements Quote {}
}
