package io.spillway.server.simulation;

/** Mistakes that the simulation must find; each sabotages a port or a peer of the loop. */
enum PlantedBug {
  /** A paused old leader's commit is let through. */
  FENCE_NOT_CHECKED,
  /** A commit forgets to move the cursors. */
  CURSOR_NOT_MOVED,
  /** A take passes over a row, as a shared sequence with late commits would. */
  INBOX_ROW_SKIPPED,
  /** A commit of unknown outcome that was applied is written a second time. */
  UNKNOWN_WRITTEN_TWICE,
  /** A restart finds no memo. */
  MEMO_LOST,
  /** A restart reads rows that are older than the head. */
  ROWS_STALE,
  /** A standby misses an event of a row. */
  FOLLOWER_MISSES_EVENT,
  /** An agent that restarts forgets what it started and starts it again. */
  START_NOT_REMEMBERED,
  /** The gateway sends no stops. */
  STOP_NOT_SENT,
  /** The gateway takes an agent's refusal for its answer to the stop. */
  REFUSAL_TAKEN_FOR_ANSWER,
  /** The agent starts what it should only hold. */
  HOLD_STARTS,
  /** A sweep is numbered when it arrives, not when it was taken. */
  SWEEP_NUMBERED_LATE,
  /** Urgent jobs are entered as low ones. */
  PRIORITY_LOST
}
