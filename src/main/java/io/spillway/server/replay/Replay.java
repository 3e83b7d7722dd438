package io.spillway.server.replay;

import io.spillway.scheduler.cycle.Cycle;
import io.spillway.scheduler.cycle.PlanHash;
import io.spillway.scheduler.cycle.SchedulerCore;
import io.spillway.scheduler.input.Inputs;
import io.spillway.scheduler.plan.Plan;
import io.spillway.scheduler.state.Draft;
import io.spillway.scheduler.state.Memo;
import io.spillway.scheduler.state.State;
import io.spillway.server.codec.StoreCodec;
import java.util.List;

/** Decides again. One use, one thread. */
public final class Replay {
  private static final int PAGE = 500;

  private final RecordedJournal journal;
  private final StoreCodec codec;
  private final SchedulerCore core;
  private State state = new State();

  public Replay(RecordedJournal journal, StoreCodec codec, SchedulerCore core) {
    this.journal = journal;
    this.codec = codec;
    this.core = core;
  }

  /** Decides every row of the journal from its first on. */
  public Verdict fromTheBeginning() {
    long first = journal.first();
    if (first > 1) {
      return new Verdict.Unusable(
          "the journal begins at seq " + first + ": what was before has been dropped");
    }
    return decideAfter(0);
  }

  /**
   * Restores the older memo, on the rows that the journal's events up to it give, and decides the
   * rows after it.
   */
  public Verdict fromTheMemo() {
    long first = journal.first();
    if (first > 1) {
      return new Verdict.Unusable(
          "the journal begins at seq " + first + ": the rows at the memo cannot be told from it");
    }
    return journal
        .olderMemo()
        .<Verdict>map(
            memo -> {
              advanceTo(memo.seq());
              Memo advanced = state.memo();
              if (!advanced.equals(memo.memo())) {
                return new Verdict.Unusable(
                    "the memo of seq " + memo.seq() + " is not what the journal's events give");
              }
              state = State.restore(state.rows(), memo.memo(), List.of());
              return decideAfter(memo.seq());
            })
        .orElseGet(() -> new Verdict.Unusable("no memo was written yet"));
  }

  private void advanceTo(long seq) {
    long at = 0;
    while (at < seq) {
      for (RecordedJournal.Recorded row : journal.after(at, (int) Math.min(PAGE, seq - at))) {
        codec.events(row.format(), journal.events(row.seq())).forEach(state::apply);
        at = row.seq();
      }
    }
  }

  private Verdict decideAfter(long from) {
    long at = from;
    List<RecordedJournal.Recorded> page;
    do {
      page = journal.after(at, PAGE);
      for (RecordedJournal.Recorded row : page) {
        Draft draft = decide(row);
        boolean same =
            PlanHash.of(draft.events()).equals(row.planHash()) && draft.digest() == row.digest();
        if (!same) {
          return new Verdict.Differs(
              row.seq(),
              row.cycle(),
              row.core(),
              codec.events(row.format(), journal.events(row.seq())),
              List.copyOf(draft.events()));
        }
        draft.adopt();
        at = row.seq();
      }
    } while (!page.isEmpty());
    return new Verdict.Same(at - from, at);
  }

  private Draft decide(RecordedJournal.Recorded row) {
    Inputs inputs = new Inputs(codec.received(row.format(), row.inputs()));
    Cycle cycle = row.cycle();
    Draft draft = state.draft();
    core.interpret(inputs, draft, cycle);
    Plan plan = core.decide(draft.view(), cycle);
    draft.apply(plan.events());
    return draft;
  }
}
