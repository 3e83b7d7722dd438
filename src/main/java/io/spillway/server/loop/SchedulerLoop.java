package io.spillway.server.loop;

import io.spillway.scheduler.cycle.Cycle;
import io.spillway.scheduler.cycle.PlanHash;
import io.spillway.scheduler.cycle.SchedulerCore;
import io.spillway.scheduler.input.Inputs;
import io.spillway.scheduler.plan.Plan;
import io.spillway.scheduler.state.Draft;
import io.spillway.scheduler.state.State;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.logging.Logger;

/**
 * The single writer. One iteration is equivalent to: load everything, decide, make the decision
 * durable, apply it. It differs for speed only: the state stays in memory and is advanced by the
 * events that were committed; the draft is an overlay of what changes; a commit carries many
 * inputs. Owned by one thread.
 */
public final class SchedulerLoop {
  private static final Logger LOG = Logger.getLogger(SchedulerLoop.class.getName());
  private static final int MAX_COMMITS = 20;
  private static final Duration ASK_AGAIN = Duration.ofMillis(100);

  private final SchedulerCore core;
  private final InboxSource inbox;
  private final Journal journal;
  private final Listeners listeners;
  private final Consumer<Map<String, Long>> passed;
  private final Cycles cycles;
  private final Clock clock;
  private final Pulse pulse;

  private State state = new State();
  private long head;
  private int lastEvents;

  /**
   * @param passed told of the cursors that a commit moved
   * @param clock asked once a cycle, and so are the seeds
   */
  public SchedulerLoop(
      SchedulerCore core,
      Ports ports,
      List<CommitListener> listeners,
      Consumer<Map<String, Long>> passed,
      Clock clock,
      LongSupplier seeds) {
    this.core = core;
    this.inbox = ports.inbox();
    this.journal = ports.journal();
    this.pulse = ports.pulse();
    this.listeners = new Listeners(listeners);
    this.passed = passed;
    this.clock = clock;
    this.cycles = new Cycles(clock, seeds);
  }

  /** What a cycle needs of the store, and where it shows that it lives. */
  public record Ports(InboxSource inbox, Journal journal, Pulse pulse) {}

  /** Begins from a loaded state. */
  public void begin(StateStore.Loaded loaded) {
    state = loaded.state();
    head = loaded.head().seq();
    cycles.continueAfter(loaded.head());
  }

  /** One iteration as the leader. Throws only what is a bug; the state is then as before. */
  public CycleOutcome runOnce(LeaderToken token) {
    InboxSource.Taken taken = inbox.take(); // 1. what came in, notices first
    long started = System.nanoTime();
    Draft draft = state.draft(); //            overlay of what changes: no copy
    Plan plan;
    Cycle cycle = cycles.begin(token); //      now and seed: journalled
    try {
      core.interpret(taken.inputs(), draft, cycle); // 2. what happened: events on the draft
      plan = core.decide(draft.view(), cycle); //      3. what to do: pure
      draft.apply(plan.events()); //                      the draft is what the commit will say
    } catch (RuntimeException bug) {
      draft.discard();
      throw bug;
    }
    if (taken.cursors().isEmpty() && draft.events().isEmpty()) {
      draft.discard();
      return new CycleOutcome.Idle(plan.nextWake());
    }
    Journal.Proposal proposal = proposal(draft, plan, taken, cycle);
    Duration decided = Duration.ofNanos(System.nanoTime() - started);
    CrashPoints.reached(CrashPoint.COMMIT_BEFORE);
    Journal.Outcome outcome;
    try {
      outcome = durable(proposal); // 4. one transaction, fenced
    } catch (RuntimeException refused) {
      draft.discard();
      throw refused;
    }
    return switch (outcome) {
      case Journal.Outcome.Fenced f -> stepDown(draft, f.why());
      case Journal.Outcome.Unknown u -> stepDown(draft, u.why());
      case Journal.Outcome.Committed c -> {
        CrashPoints.reached(CrashPoint.COMMIT_AFTER);
        draft.adopt(); //                  the only visible change
        adopted(proposal, decided, Duration.ofNanos(System.nanoTime() - started).minus(decided));
        yield new CycleOutcome.Advanced(head, taken.more(), plan.nextWake());
      }
    };
  }

  private Journal.Proposal proposal(Draft draft, Plan plan, InboxSource.Taken taken, Cycle cycle) {
    Journal.Entry entry =
        new Journal.Entry(
            head + 1,
            cycle,
            draft.events(),
            core.version(),
            draft.view().policies().version(),
            PlanHash.of(draft.events()),
            draft.digest());
    return new Journal.Proposal(
        entry, taken, draft.changedJobs(), draft.changedAttempts(), plan.evaluations());
  }

  /**
   * Commits until the outcome is known. An unknown one is looked up at the head: ours, so it is
   * committed; the row before it, so the same commit is made again; another epoch's, so it is over.
   */
  private Journal.Outcome durable(Journal.Proposal proposal) {
    Journal.Outcome outcome = journal.commit(proposal);
    int again = 0;
    while (outcome instanceof Journal.Outcome.Unknown unknown) {
      LOG.warning(
          () -> "outcome of a commit unknown seq=" + proposal.entry().seq() + " " + unknown.why());
      Journal.Head now;
      try {
        now = journal.head();
      } catch (RuntimeException unanswered) { // no database now: the question stays
        if (!pause()) {
          return unknown;
        }
        continue;
      }
      if (now.is(proposal)) {
        return new Journal.Outcome.Committed();
      }
      if (now.seq() != head || now.epoch() > proposal.epoch()) {
        return new Journal.Outcome.Fenced("the head is " + now.seq() + " of epoch " + now.epoch());
      }
      if (++again > MAX_COMMITS || (again > 1 && !pause())) {
        // Not lost, but refused: what refuses it would refuse it for ever. Deciding anew from the
        // same state may differ; if the old commit comes through after all, the head says so.
        throw new IllegalStateException("the store refuses the commit: " + unknown.why());
      }
      outcome = journal.commit(proposal);
    }
    return outcome;
  }

  /** False when the thread is to end: the outcome then stays unknown, and the restart finds out. */
  private boolean pause() {
    pulse.beat();
    try {
      Thread.sleep(ASK_AGAIN);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private CycleOutcome stepDown(Draft draft, String why) {
    draft.discard();
    return new CycleOutcome.SteppedDown(why);
  }

  private void adopted(Journal.Proposal proposal, Duration decided, Duration committed) {
    Journal.Entry entry = proposal.entry();
    head = entry.seq();
    lastEvents = entry.events().size();
    cycles.committed(entry.cycle());
    listeners.committed(
        new CommitListener.Commit(
            entry.seq(),
            entry.cycle(),
            entry.events(),
            proposal.taken().inputs(),
            proposal.evaluations(),
            true,
            decided,
            committed),
        state);
    passed.accept(proposal.taken().cursors());
  }

  /**
   * Advances by a row that another committed.
   *
   * @return whether the state now is what the row says; if not, it is to be loaded anew
   */
  public boolean follow(Journal.Entry entry) {
    if (entry.seq() != head + 1) {
      return false;
    }
    entry.events().forEach(state::apply);
    head = entry.seq();
    cycles.continueAfter(
        new Journal.Head(
            entry.seq(),
            entry.cycle().epoch(),
            entry.cycle().id(),
            entry.cycle().now(),
            entry.planHash(),
            entry.digest()));
    listeners.committed(
        new CommitListener.Commit(
            entry.seq(),
            entry.cycle(),
            entry.events(),
            Inputs.NONE,
            List.of(),
            false,
            Duration.ZERO,
            Duration.ZERO),
        state);
    return state.digest() == entry.digest();
  }

  /** The committed state; the owning thread only. */
  public State state() {
    return state;
  }

  /** Number of the last row adopted. */
  public long head() {
    return head;
  }

  /** Events of the last commit. */
  int lastEvents() {
    return lastEvents;
  }

  Instant now() {
    return clock.instant();
  }

  Listeners listeners() {
    return listeners;
  }
}
