package io.spillway.scheduler.input;

/** Anything that the loop takes from the inbox. */
public sealed interface Input permits CommandInput, AgentInput, MarketInput {
  Lane lane();
}
