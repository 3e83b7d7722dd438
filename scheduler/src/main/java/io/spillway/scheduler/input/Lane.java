package io.spillway.scheduler.input;

/** Order in which inputs are taken; within a lane and writer they keep the writer's order. */
public enum Lane {
  /** Notices and losses. */
  NOTICES,
  /** Agents' reports and other provider events. */
  REPORTS,
  /** Users' commands and policy changes. */
  COMMANDS,
  /** Changed observations. */
  OBSERVATIONS
}
