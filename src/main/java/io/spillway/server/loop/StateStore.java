package io.spillway.server.loop;

import io.spillway.scheduler.policy.PolicySet;
import io.spillway.scheduler.state.Memo;
import io.spillway.scheduler.state.State;

/** Restart. Called by the loop's thread. */
public interface StateStore {

  /** Rows at the head, the newest memo, the events since; throws if the store does not answer. */
  Loaded load();

  /** Stores a memo soon, on another thread; a failure is reported and made up for by the next. */
  void remember(long seq, Memo memo, PolicySet policies);

  /** The state at the head. */
  record Loaded(State state, Journal.Head head) {}
}
