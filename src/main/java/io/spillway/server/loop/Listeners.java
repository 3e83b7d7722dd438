package io.spillway.server.loop;

import io.spillway.scheduler.state.View;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** All who want to hear of commits. What one of them throws touches neither loop nor the others. */
final class Listeners {
  private static final Logger LOG = Logger.getLogger(Listeners.class.getName());
  private final List<CommitListener> listeners;

  Listeners(List<CommitListener> listeners) {
    this.listeners = List.copyOf(listeners);
  }

  void committed(CommitListener.Commit commit, View after) {
    for (CommitListener listener : listeners) {
      try {
        listener.committed(commit, after);
      } catch (RuntimeException bug) {
        LOG.log(Level.SEVERE, "a commit listener failed seq=" + commit.seq(), bug);
      }
    }
  }

  void reset(boolean leading, View now) {
    for (CommitListener listener : listeners) {
      try {
        listener.reset(leading, now);
      } catch (RuntimeException bug) {
        LOG.log(Level.SEVERE, "a commit listener failed at reset", bug);
      }
    }
  }
}
