package io.spillway.capacity.simulated.cloud;

import java.time.Instant;

/** Who holds instances: a cluster. Called on the timeline. */
public interface Customer {
  /** The provider announced that it takes the instance back. */
  void noticed(Instance instance, Instant deadline);

  /**
   * The instance is gone.
   *
   * @param announced whether there was a notice
   */
  void gone(Instance instance, boolean announced);

  /** The machine broke; the provider says nothing. */
  void broke(Instance instance);
}
