package io.spillway.capacity.simulated.market;

import io.spillway.scheduler.model.UsdPerGpuHour;
import java.time.Instant;

/** How one line goes over market time. A pure function of that time. */
public interface Course {

  /** Nodes that could be held there at that time, at least 0. */
  int nodes(Instant at);

  UsdPerGpuHour price(Instant at);

  /** The same always, for what is sold at list price. */
  static Course constant(int nodes, UsdPerGpuHour price) {
    return new Course() {
      @Override
      public int nodes(Instant at) {
        return nodes;
      }

      @Override
      public UsdPerGpuHour price(Instant at) {
        return price;
      }
    };
  }
}
