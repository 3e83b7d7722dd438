package io.spillway.server.loop;

import io.spillway.scheduler.cycle.Cycle;
import io.spillway.scheduler.event.Event;
import io.spillway.scheduler.input.Inputs;
import io.spillway.scheduler.plan.Evaluation;
import io.spillway.scheduler.state.View;
import java.time.Duration;
import java.util.List;

/**
 * Told of each journal row once it is adopted, on the loop's thread, in the order of the journal:
 * on the leader for its own commits, on a standby for those it tails. Every CDI bean of this type
 * is called. It must be short, must not block and must not keep the view; what it throws is logged
 * and changes nothing.
 */
public interface CommitListener {

  void committed(Commit commit, View after);

  /**
   * The state was loaded anew or leadership changed: counters kept beside the state are seeded
   * again.
   *
   * @param leading whether this replica leads from now on
   */
  default void reset(boolean leading, View now) {}

  /**
   * One journal row.
   *
   * @param led whether this replica committed it as the leader
   * @param inputs what the cycle took; empty on a standby
   * @param evaluations stored beside the events; empty on a standby
   * @param cycleTime interpret and decide
   * @param commitTime the transaction
   */
  record Commit(
      long seq,
      Cycle cycle,
      List<Event> events,
      Inputs inputs,
      List<Evaluation> evaluations,
      boolean led,
      Duration cycleTime,
      Duration commitTime) {
    public Commit {
      events = List.copyOf(events);
      evaluations = List.copyOf(evaluations);
    }
  }
}
