package io.spillway.server.simulation;

import io.spillway.scheduler.event.ControlEvent.PolicyAdopted;
import io.spillway.scheduler.event.Event;
import io.spillway.scheduler.input.Input;
import io.spillway.scheduler.input.Inputs;
import io.spillway.scheduler.input.Lane;
import io.spillway.scheduler.input.Received;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.AttemptState;
import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.JobId;
import io.spillway.scheduler.policy.PolicySet;
import io.spillway.scheduler.state.Memo;
import io.spillway.scheduler.state.Rows;
import io.spillway.scheduler.state.State;
import io.spillway.server.loop.InboxSource;
import io.spillway.server.loop.Journal;
import io.spillway.server.loop.StateStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** What the database does, in memory: fenced commits, cursors, rows, memos; with its outages. */
final class SimStore implements Journal, InboxSource, StateStore {
  private static final List<Lane> LANES = List.of(Lane.values());

  private final RandomGenerator random;
  private final Set<PlantedBug> bugs;
  private final TreeMap<String, List<Row>> inbox = new TreeMap<>();
  private final Map<String, Long> cursors = new HashMap<>();
  private final List<Entry> journal = new ArrayList<>();
  private final List<Inputs> inputs = new ArrayList<>();
  private final Map<JobId, Job> jobs = new TreeMap<>();
  private final Map<AttemptId, Attempt> attempts = new TreeMap<>();
  private PolicySet policies = PolicySet.EMPTY;
  private Memo memo = Memo.EMPTY;
  private long memoSeq;
  private long epoch;
  private Rows older = Rows.EMPTY;
  Optional<Outage> outage = Optional.empty();

  /** What the next commit meets. */
  enum Outage {
    /** Not written, and the caller learns nothing. */
    LOST_BEFORE,
    /** Written, and the caller learns nothing. */
    LOST_AFTER
  }

  private record Row(long seq, Instant at, Input input) {}

  SimStore(RandomGenerator random, Set<PlantedBug> bugs) {
    this.random = random;
    this.bugs = bugs;
  }

  /** Makes an input durable. Writers sort by lane first, as the store's take does. */
  void append(String writer, Input input, Instant at) {
    List<Row> rows =
        inbox.computeIfAbsent(LANES.indexOf(input.lane()) + writer, absent -> new ArrayList<>());
    rows.add(new Row(rows.size() + 1L, at, input));
  }

  long takeEpoch() {
    return ++epoch;
  }

  /** What each row of the journal took, in its order. */
  List<Inputs> inputs() {
    return inputs;
  }

  List<Entry> journal() {
    return journal;
  }

  Map<AttemptId, Attempt> attemptRows() {
    return attempts;
  }

  Map<JobId, Job> jobRows() {
    return jobs;
  }

  boolean drained() {
    return inbox.entrySet().stream()
        .allMatch(e -> cursors.getOrDefault(e.getKey(), 0L) >= e.getValue().size());
  }

  @Override
  public Taken take() {
    List<Received> received = new ArrayList<>();
    Map<String, Long> moved = new HashMap<>();
    for (Map.Entry<String, List<Row>> writer : inbox.entrySet()) {
      long from = cursors.getOrDefault(writer.getKey(), 0L);
      for (Row row : writer.getValue().subList((int) from, writer.getValue().size())) {
        if (received.size() >= 50) {
          break;
        }
        moved.put(writer.getKey(), row.seq());
        boolean skipped = bugs.contains(PlantedBug.INBOX_ROW_SKIPPED) && random.nextInt(20) == 0;
        if (!skipped) {
          received.add(new Received(writer.getKey(), row.seq(), "sim", row.at(), row.input()));
        }
      }
    }
    return moved.isEmpty() ? Taken.NOTHING : new Taken(new Inputs(received), moved, false);
  }

  @Override
  public Outcome commit(Proposal proposal) {
    boolean lostBefore = outage.filter(Outage.LOST_BEFORE::equals).isPresent();
    boolean lostAfter = outage.filter(Outage.LOST_AFTER::equals).isPresent();
    outage = Optional.empty();
    if (lostBefore) {
      return new Outcome.Unknown("connection lost");
    }
    boolean fenced = proposal.entry().cycle().epoch() != epoch;
    if (fenced && !bugs.contains(PlantedBug.FENCE_NOT_CHECKED)) {
      return new Outcome.Fenced("epoch " + epoch);
    }
    boolean again = head().seq() >= proposal.entry().seq();
    if (again && !bugs.contains(PlantedBug.FENCE_NOT_CHECKED)) {
      return new Outcome.Unknown("the row is there");
    }
    write(proposal);
    if (lostAfter && bugs.contains(PlantedBug.UNKNOWN_WRITTEN_TWICE)) {
      write(proposal);
    }
    return lostAfter ? new Outcome.Unknown("connection lost") : new Outcome.Committed();
  }

  private void write(Proposal proposal) {
    if (bugs.contains(PlantedBug.ROWS_STALE) && random.nextInt(4) == 0) {
      older = rows();
    }
    journal.add(proposal.entry());
    inputs.add(proposal.taken().inputs());
    proposal.jobs().forEach(job -> jobs.put(job.id(), job));
    proposal.attempts().forEach(attempt -> attempts.put(attempt.id(), attempt));
    for (Event event : proposal.entry().events()) {
      if (event instanceof PolicyAdopted adopted) {
        policies = adopted.policies();
      }
    }
    boolean forgotten = bugs.contains(PlantedBug.CURSOR_NOT_MOVED) && random.nextInt(5) == 0;
    if (!forgotten) {
      cursors.putAll(proposal.taken().cursors());
    }
  }

  @Override
  public Head head() {
    if (journal.isEmpty()) {
      return Head.GENESIS;
    }
    Entry last = journal.getLast();
    return new Head(
        last.seq(),
        last.cycle().epoch(),
        last.cycle().id(),
        last.cycle().now(),
        last.planHash(),
        last.digest());
  }

  @Override
  public List<Entry> after(long seq, int limit) {
    int from = (int) Math.min(seq, journal.size());
    return journal.subList(from, journal.size()).stream()
        .filter(entry -> entry.seq() > seq)
        .limit(limit)
        .map(this::followed)
        .toList();
  }

  private Entry followed(Entry entry) {
    boolean misses =
        bugs.contains(PlantedBug.FOLLOWER_MISSES_EVENT)
            && entry.events().size() > 1
            && random.nextInt(10) == 0;
    return misses
        ? new Entry(
            entry.seq(),
            entry.cycle(),
            entry.events().subList(0, entry.events().size() - 1),
            entry.core(),
            entry.policy(),
            entry.planHash(),
            entry.digest())
        : entry;
  }

  @Override
  public Loaded load() {
    List<Event> since =
        journal.subList((int) memoSeq, journal.size()).stream()
            .filter(entry -> entry.seq() > memoSeq)
            .flatMap(entry -> entry.events().stream())
            .toList();
    Rows rows = bugs.contains(PlantedBug.ROWS_STALE) ? older : rows();
    Memo remembered = bugs.contains(PlantedBug.MEMO_LOST) ? Memo.EMPTY : memo;
    return new Loaded(State.restore(rows, remembered, since), head());
  }

  /** Jobs not terminal with all their attempts; of terminal ones what may still run. */
  private Rows rows() {
    List<Job> open = jobs.values().stream().filter(job -> !job.state().isTerminal()).toList();
    List<Attempt> kept =
        attempts.values().stream()
            .filter(a -> !jobs.get(a.id().job()).state().isTerminal() || mayRun(a))
            .toList();
    return new Rows(policies, open, kept);
  }

  private static boolean mayRun(Attempt attempt) {
    return !(attempt.state() instanceof AttemptState.Ended ended && ended.settled());
  }

  @Override
  public void remember(long seq, Memo state, PolicySet ignored) {
    memo = state;
    memoSeq = seq;
  }
}
