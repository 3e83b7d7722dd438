package io.spillway.capacity.simulated.ledger;

import io.spillway.capacity.simulated.time.Timeline;

/** Nothing is written: for runs that nobody audits, however long they are. */
public final class NoLedger implements Ledger {
  private final Timeline timeline;

  public NoLedger(Timeline timeline) {
    this.timeline = timeline;
  }

  @Override
  public void append(LedgerLine line, Runnable durable) {
    timeline.execute(durable);
  }

  @Override
  public void then(Runnable durable) {
    timeline.execute(durable);
  }
}
