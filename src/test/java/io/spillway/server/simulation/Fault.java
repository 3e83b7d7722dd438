package io.spillway.server.simulation;

/** Kinds of faults, counted by the state of the attempts that they meet. */
enum Fault {
  INPUT_LATE,
  INPUT_TWICE,
  INPUT_LOST,
  INPUT_REORDERED,
  COMMIT_FAILED,
  COMMIT_UNKNOWN,
  LEADER_CHANGED,
  OLD_LEADER_COMMITS,
  RESTARTED,
  CLOCK_JUMPED,
  AGENT_PARTITIONED,
  AGENT_RESTARTED,
  AGENT_FORGOT
}
