package io.spillway.server.lifecycle;

import io.spillway.scheduler.state.View;
import io.spillway.server.inbox.InboxBell;
import io.spillway.server.loop.CommitListener;
import io.spillway.server.loop.Wake;
import jakarta.enterprise.context.ApplicationScoped;

/** Tells this process's inbox whether the leader is here, so that it wakes it without the store. */
@ApplicationScoped
class BellListener implements CommitListener {
  private final InboxBell bell;
  private final Wake wake;

  BellListener(InboxBell bell, Wake wake) {
    this.bell = bell;
    this.wake = wake;
  }

  @Override
  public void committed(Commit commit, View after) {}

  @Override
  public void reset(boolean leading, View now) {
    if (leading) {
      bell.leaderIsHere(wake::call);
    } else {
      bell.leaderIsElsewhere();
    }
  }
}
