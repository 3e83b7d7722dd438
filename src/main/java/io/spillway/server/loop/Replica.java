package io.spillway.server.loop;

import io.spillway.scheduler.cycle.SchedulerCore;
import io.spillway.scheduler.state.View;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The loop's thread: leads while it holds the lease, else follows the journal, so that taking over
 * is catching up. Between two cycles it answers questions to the state.
 */
public final class Replica implements StateReader, Runnable {
  private static final Logger LOG = Logger.getLogger(Replica.class.getName());
  private static final int FOLLOW_AT_ONCE = 500;
  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration AFTER_TROUBLE = Duration.ofMillis(500);

  private final SchedulerLoop loop;
  private final Parts parts;
  private final Listeners listeners;
  private final Questions questions;
  private final Pulse pulse = new Pulse();
  private final MemoPace memos;
  private volatile boolean leading;
  private volatile boolean stopping;
  private volatile boolean reload;

  public Replica(Parts parts) {
    this.parts = parts;
    this.loop =
        new SchedulerLoop(
            parts.core(),
            new SchedulerLoop.Ports(parts.inbox(), parts.journal(), pulse),
            parts.listeners(),
            parts.passed(),
            parts.clock(),
            parts.seeds());
    this.listeners = loop.listeners();
    this.questions = new Questions(parts.wake());
    this.memos = new MemoPace(parts.settings().memoEvery(), parts.settings().memoEvents());
  }

  /**
   * What it is made of.
   *
   * @param passed told of the cursors that a commit moved
   * @param wake what it sleeps on
   */
  public record Parts(
      SchedulerCore core,
      InboxSource inbox,
      Journal journal,
      StateStore store,
      Leadership leadership,
      List<CommitListener> listeners,
      Consumer<Map<String, Long>> passed,
      Settings settings,
      Clock clock,
      LongSupplier seeds,
      Wake wake) {}

  /**
   * @param poll between two looks at inbox or journal when nobody called
   * @param memoEvery a memo is written at the latest after this time
   * @param memoEvents or after this many events
   */
  public record Settings(Duration poll, Duration memoEvery, int memoEvents) {
    public static final Settings DEFAULT =
        new Settings(Duration.ofMillis(200), Duration.ofSeconds(60), 10_000);
  }

  @Override
  public <T> CompletionStage<T> read(Function<View, T> question) {
    return questions.ask(question);
  }

  @Override
  public boolean leading() {
    return leading;
  }

  /** How it goes; any thread. */
  public Pulse pulse() {
    return pulse;
  }

  /** Ends after the cycle that runs. */
  public void stop() {
    stopping = true;
    parts.wake().call();
  }

  /** Something is stuck: the state is loaded anew before the next cycle. */
  public void reload() {
    reload = true;
    parts.wake().call();
  }

  @Override
  public void run() {
    boolean loaded = false;
    while (!stopping) {
      try {
        pulse.beat();
        if (!loaded || reload) {
          reload = false;
          load();
          loaded = true;
        }
        Optional<LeaderToken> token = parts.leadership().current();
        loaded = token.isPresent() ? lead(token.get()) : followUntilCalled();
      } catch (InterruptedException e) {
        break;
      } catch (RuntimeException trouble) { // no database, or a bug: said, counted, tried again
        pulse.trouble(trouble);
        LOG.log(Level.SEVERE, "the loop could not go on; it tries again", trouble);
        nap();
      }
    }
    leading = false;
    pulse.ended();
    questions.close(loop.state());
  }

  private void load() {
    loop.begin(parts.store().load());
    memos.restart();
    listeners.reset(false, loop.state());
    LOG.info(() -> "state loaded seq=" + loop.head() + " jobs=" + loop.state().jobs().size());
  }

  /** Leads until the token is gone; false if the state is to be loaded anew. */
  private boolean lead(LeaderToken token) throws InterruptedException {
    CrashPoints.reached(CrashPoint.TAKEOVER);
    if (!catchUp()) {
      return false;
    }
    LOG.info(() -> "leading epoch=" + token.epoch() + " seq=" + loop.head());
    leading = true;
    pulse.caughtUp();
    listeners.reset(true, loop.state());
    try {
      while (!stopping
          && !reload
          && parts.leadership().current().filter(token::equals).isPresent()) {
        pulse.beat();
        CycleOutcome outcome = loop.runOnce(token);
        questions.answer(loop.state());
        switch (outcome) {
          case CycleOutcome.Idle idle -> parts.wake().sleep(until(idle.nextWake()));
          case CycleOutcome.Advanced advanced -> {
            pulse.advanced();
            remember(advanced.seq());
          }
          case CycleOutcome.SteppedDown down -> {
            LOG.warning(() -> "stepping down: " + down.why());
            parts.leadership().lost(token);
            return false;
          }
        }
      }
      return true;
    } finally {
      leading = false;
      listeners.reset(false, loop.state());
    }
  }

  private void remember(long seq) {
    if (memos.due(loop.lastEvents())) {
      parts.store().remember(seq, loop.state().memo(), loop.state().policies());
    }
  }

  /** Follows the journal to its end and sleeps; false if the state is to be loaded anew. */
  private boolean followUntilCalled() throws InterruptedException {
    pulse.beat();
    if (!catchUp()) {
      return false;
    }
    pulse.caughtUp();
    questions.answer(loop.state());
    parts.wake().sleep(parts.settings().poll());
    return true;
  }

  /** To the head of the journal; false on a digest that differs. */
  private boolean catchUp() {
    List<Journal.Entry> rows;
    do {
      rows = parts.journal().after(loop.head(), FOLLOW_AT_ONCE);
      for (Journal.Entry row : rows) {
        if (!loop.follow(row)) {
          LOG.severe("the followed state differs from the journal's seq=" + row.seq());
          pulse.mismatch();
          return false;
        }
      }
      pulse.beat();
      questions.answer(loop.state());
    } while (rows.size() == FOLLOW_AT_ONCE);
    return true;
  }

  private Duration until(Optional<Instant> nextWake) {
    return nextWake
        .map(at -> Duration.between(loop.now(), at))
        .filter(time -> time.compareTo(parts.settings().poll()) < 0)
        .map(time -> time.compareTo(SHORTEST) < 0 ? SHORTEST : time)
        .orElse(parts.settings().poll());
  }

  private void nap() {
    try {
      Thread.sleep(AFTER_TROUBLE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      stopping = true;
    }
  }
}
