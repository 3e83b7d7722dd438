package io.spillway.capacity.simulated.agent;

import io.spillway.capacity.simulated.ledger.Ledger;
import io.spillway.capacity.simulated.ledger.LedgerLine;
import io.spillway.capacity.simulated.time.Timeline;
import java.util.ArrayList;
import java.util.List;

/** A ledger to look into. */
final class MemoryLedger implements Ledger {
  private final Timeline timeline;
  private final List<LedgerLine> lines = new ArrayList<>();

  MemoryLedger(Timeline timeline) {
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

  List<LedgerLine> lines() {
    return List.copyOf(lines);
  }
}
