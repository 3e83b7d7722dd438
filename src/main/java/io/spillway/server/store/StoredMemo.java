package io.spillway.server.store;

import io.spillway.scheduler.policy.PolicySet;
import io.spillway.scheduler.state.Memo;

/** What {@code core_memo} holds: the memo, and the policies in force then, which have no row. */
public record StoredMemo(Memo memo, PolicySet policies) {
  public static final StoredMemo EMPTY = new StoredMemo(Memo.EMPTY, PolicySet.EMPTY);
}
