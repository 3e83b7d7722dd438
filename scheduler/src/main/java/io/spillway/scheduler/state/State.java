package io.spillway.scheduler.state;

import io.spillway.scheduler.event.AttemptEvent;
import io.spillway.scheduler.event.ControlEvent;
import io.spillway.scheduler.event.Event;
import io.spillway.scheduler.event.JobEvent;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.model.Abilities;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.BlockScope;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.JobId;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.NodeShape;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.model.PoolName;
import io.spillway.scheduler.model.QueueName;
import io.spillway.scheduler.policy.PolicySet;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * The scheduler's whole state in memory. Changed by {@link #apply} or through a {@link Draft}, by
 * the one thread that owns it.
 */
public final class State implements View {
  private final Tables tables = new Tables();
  private final RowChanges rows = new RowChanges(tables);
  private final MemoChanges memo = new MemoChanges(tables);
  private final Boards boards = new Boards(this, tables);
  private final Blocks blocks = new Blocks(tables.blocks);
  private final Deque<Draft> drafts = new ArrayDeque<>();

  /** A store that never ran. */
  public State() {
    this(Rows.EMPTY, Memo.EMPTY);
  }

  private State(Rows head, Memo remembered) {
    rows.load(head);
    new MemoImage(tables).load(remembered);
  }

  /**
   * Puts a restart together.
   *
   * @param head the rows as they stand
   * @param remembered the newest memo
   * @param since events committed after that memo, in order; they advance the memo only
   */
  public static State restore(Rows head, Memo remembered, List<Event> since) {
    State state = new State(head, remembered);
    since.forEach(state.memo::apply);
    return state;
  }

  /** Advances by a committed event: what a replica that follows the journal does. */
  public void apply(Event event) {
    if (!drafts.isEmpty()) {
      throw new IllegalStateException("a draft is open: apply the event to it");
    }
    change(event);
    forgetLeft();
  }

  /** What memory holds of the memo, to be stored. */
  public Memo memo() {
    return new MemoImage(tables).save();
  }

  /** What memory holds of the rows; sorted by id. */
  public Rows rows() {
    return new Rows(
        policies(),
        jobs().stream().sorted(Comparator.comparing(Job::id)).toList(),
        attempts().stream().sorted(Comparator.comparing(Attempt::id)).toList());
  }

  @Override
  public Draft draft() {
    Draft draft = new Draft(this, tables.undo.open());
    drafts.push(draft);
    return draft;
  }

  void change(Event event) {
    switch (event) {
      case JobEvent e -> rows.apply(e);
      case AttemptEvent e -> rows.apply(e);
      case ControlEvent.PolicyAdopted e -> rows.adopt(e.policies());
      default -> {}
    }
    memo.apply(event);
  }

  /** Closes the innermost draft; answers the one around it. */
  Optional<Draft> adopted(Draft draft) {
    drafts.remove(draft);
    tables.undo.close();
    if (drafts.isEmpty()) {
      forgetLeft();
    }
    return Optional.ofNullable(drafts.peek());
  }

  void discarded(Draft draft, int mark) {
    drafts.remove(draft);
    tables.undo.rewind(mark);
  }

  boolean isInnermost(Draft draft) {
    return drafts.peek() == draft;
  }

  private void forgetLeft() {
    List.copyOf(tables.leftJobs.keys()).forEach(tables.leftJobs::remove);
    List.copyOf(tables.leftAttempts.keys()).forEach(tables.leftAttempts::remove);
  }

  @Override
  public Optional<Job> job(JobId id) {
    return tables.jobs.get(id).or(() -> tables.leftJobs.get(id));
  }

  @Override
  public Optional<Attempt> attempt(AttemptId id) {
    return tables.attempts.get(id).or(() -> tables.leftAttempts.get(id));
  }

  @Override
  public List<Attempt> attemptsOf(JobId id) {
    int count = job(id).map(Job::attempts).orElse(0);
    List<Attempt> attempts = new ArrayList<>(count);
    for (int number = 1; number <= count; number++) {
      attempt(new AttemptId(id, number)).ifPresent(attempts::add);
    }
    return attempts;
  }

  @Override
  public List<Job> jobs() {
    return tables.jobs.values();
  }

  @Override
  public List<Attempt> attempts() {
    return tables.attempts.values();
  }

  @Override
  public PolicySet policies() {
    return tables.policies.get(Tables.ONLY).orElse(PolicySet.EMPTY);
  }

  @Override
  public Catalogue catalogue() {
    return tables.catalogue;
  }

  @Override
  public Waiting waiting() {
    return tables.waiting;
  }

  @Override
  public Usage usage() {
    return tables.usage;
  }

  @Override
  public Inventory inventory() {
    return tables.inventory;
  }

  @Override
  public Timers timers() {
    return tables.timers;
  }

  @Override
  public WakeCauses wakes() {
    return tables.wakes;
  }

  @Override
  public Optional<Observation> observation(MarketKey key) {
    return tables.observations.get(key);
  }

  @Override
  public Optional<String> oddPrice(MarketKey key) {
    return tables.oddPrices.get(key).map(Memo.OddPrice::reason);
  }

  @Override
  public Optional<Block> block(MarketKey key, Instant now) {
    return blocks.inForce(key, now);
  }

  @Override
  public Optional<Block> blockOf(BlockScope scope) {
    return tables.blocks.get(scope);
  }

  @Override
  public Memo.LaunchBudget launchBudget(OfferingId offering) {
    return tables.budgets.get(offering).orElseGet(() -> Memo.LaunchBudget.first(offering));
  }

  @Override
  public boolean failedLately(OfferingId offering) {
    return tables.budgets.get(offering).filter(budget -> budget.limit() == 1).isPresent();
  }

  @Override
  public Optional<NodeShape> shape(OfferingId offering) {
    Optional<MarketKey> key = catalogue().key(offering);
    return key.flatMap(this::observation)
        .map(Observation::shape)
        .or(() -> inventory().reportedShape(offering.cluster(), offering.instanceType()))
        .or(() -> key.flatMap(k -> inventory().observedShape(k.provider(), k.instanceType())));
  }

  @Override
  public Memo.SystemFlags system() {
    return tables.system.get(Tables.ONLY).orElse(Memo.SystemFlags.FRESH);
  }

  @Override
  public Memo.ClusterFlags cluster(ClusterName name) {
    return tables.clusters.get(name).orElseGet(() -> Memo.ClusterFlags.unknown(name));
  }

  @Override
  public Abilities abilities(ClusterName cluster) {
    return tables.abilities.get(cluster).orElse(Abilities.NONE);
  }

  @Override
  public List<Memo.ClusterFlags> agents() {
    return tables.clusters.values().stream()
        .filter(flags -> flags.generation() > 0)
        .sorted(Comparator.comparing(Memo.ClusterFlags::name))
        .toList();
  }

  @Override
  public boolean poolCordoned(PoolName pool) {
    return tables.cordonedPools.has(pool);
  }

  @Override
  public boolean queuePaused(QueueName queue) {
    return tables.pausedQueues.has(queue);
  }

  @Override
  public Optional<ParkedClass> parked(String shapeClass) {
    return tables.parked.get(shapeClass);
  }

  @Override
  public List<ParkedClass> parked() {
    return tables.parked.values().stream()
        .sorted(Comparator.comparing(ParkedClass::shapeClass))
        .toList();
  }

  @Override
  public Optional<Instant> exhaustedSince(String shapeClass, int rung) {
    return tables
        .exhausted
        .get(new Tables.RungKey(shapeClass, rung))
        .map(Memo.ExhaustedRung::since);
  }

  @Override
  public Optional<Memo.Notice> notice(String noticeId) {
    return tables.notices.get(noticeId);
  }

  @Override
  public List<String> noticesNaming(String providerId) {
    return tables.pendingNotices.naming(providerId);
  }

  @Override
  public List<Memo.Stray> strays() {
    return tables.strays.values().stream()
        .sorted(Comparator.comparing(Memo.Stray::cluster).thenComparing(Memo.Stray::attempt))
        .toList();
  }

  @Override
  public List<Memo.Stray> strays(ClusterName cluster) {
    return tables.strays.values().stream()
        .filter(stray -> stray.cluster().equals(cluster))
        .sorted(Comparator.comparing(Memo.Stray::attempt))
        .toList();
  }

  @Override
  public Optional<Memo.Report> newestReport(AttemptId id) {
    return tables
        .reports
        .get(id.job())
        .flatMap(
            reports ->
                reports.newest().stream()
                    .filter(report -> report.attempt() == id.number())
                    .findFirst());
  }

  @Override
  public List<OfferingStatus> offerings(Instant now) {
    return boards.offerings(now);
  }

  @Override
  public List<Observation> unlaunchable() {
    return boards.unlaunchable();
  }

  @Override
  public List<PoolStatus> pools() {
    return boards.pools();
  }

  @Override
  public List<ClusterStatus> clusters() {
    return boards.clusters();
  }

  @Override
  public List<NodeStatus> nodes() {
    return boards.nodes();
  }

  @Override
  public List<QueueStatus> queues() {
    return boards.queues();
  }

  @Override
  public List<Event> recent() {
    List<Event> recent = new ArrayList<>();
    drafts.descendingIterator().forEachRemaining(draft -> recent.addAll(draft.events()));
    return recent;
  }

  @Override
  public boolean reshaped() {
    return !drafts.isEmpty()
        && drafts.getLast().shapesAtOpening() != tables.inventory.shapesGeneration();
  }

  @Override
  public List<String> inconsistencies() {
    return Invariants.check(this, tables);
  }

  @Override
  public long digest() {
    return tables.digest();
  }
}
