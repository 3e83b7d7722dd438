package io.spillway.server.gateway;

import io.spillway.scheduler.model.OfferingId;

/** Whose an attempt is that an agent speaks of. */
sealed interface Belonging {
  /** This cluster's, on that offering. */
  record Ours(OfferingId offering) implements Belonging {}

  /** Another cluster's: the agent may not speak of it. */
  record Foreign() implements Belonging {}

  /** The store has no such attempt: a stray, or one of a time that the store has lost. */
  record Nobodys() implements Belonging {}
}
