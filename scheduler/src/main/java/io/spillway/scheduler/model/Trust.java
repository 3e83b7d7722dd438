package io.spillway.scheduler.model;

/** How far an observation can be trusted, strongest first. */
public enum Trust {
  /** A launch there succeeded. */
  MEASURED,
  /** The provider's own availability answer. */
  OFFERED,
  /** Sold there according to the price list; nothing is known of availability. */
  LISTED,
  /** From the shipped catalogue: shown, but never a candidate. */
  FALLBACK
}
