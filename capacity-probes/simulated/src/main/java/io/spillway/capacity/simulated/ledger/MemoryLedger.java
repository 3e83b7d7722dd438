package io.spillway.capacity.simulated.ledger;

import io.spillway.capacity.simulated.time.Timeline;
import java.util.ArrayList;
import java.util.List;

/** A ledger that forgets with its process; for virtual time and for runs that nobody audits. */
public final class MemoryLedger implements Ledger {
  private final Timeline timeline;
  private final List<LedgerLine> lines = new ArrayList<>();

  public MemoryLedger(Timeline timeline) {
    this.timeline = timeline;
  }

  @Override
  public void append(LedgerLine line, Runnable durable) {
    lines.add(line);
    timeline.execute(durable);
  }

  @Override
  public void then(Runnable durable) {
    timeline.execute(durable);
  }

  public List<LedgerLine> lines() {
    return List.copyOf(lines);
  }
}
