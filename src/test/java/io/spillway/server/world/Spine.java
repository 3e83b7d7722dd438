package io.spillway.server.world;

import io.spillway.scheduler.cycle.CoreSettings;
import io.spillway.scheduler.cycle.SchedulerCore;
import io.spillway.server.codec.StoreCodec;
import io.spillway.server.inbox.CursorWatch;
import io.spillway.server.inbox.InboxBell;
import io.spillway.server.inbox.InboxGauge;
import io.spillway.server.inbox.PgInbox;
import io.spillway.server.loop.CommitListener;
import io.spillway.server.loop.Replica;
import io.spillway.server.loop.SteadyClock;
import io.spillway.server.loop.Wake;
import io.spillway.server.store.Blocking;
import io.spillway.server.store.Database;
import io.spillway.server.store.Notifications;
import io.spillway.server.store.PgInboxSource;
import io.spillway.server.store.PgJournal;
import io.spillway.server.store.PgLeadership;
import io.spillway.server.store.PgStateStore;
import io.spillway.server.store.StoreIdentity;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** One replica of store and loop, as the server wires it, without a server. */
public final class Spine implements AutoCloseable {
  public static final String CELL = "main";
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Database database;
  private final StoreCodec codec = new StoreCodec();
  private final Wake wake = new Wake();
  private final CursorWatch watch = new CursorWatch();
  private final InboxBell bell = new InboxBell();
  private final PgInbox inbox;
  private final PgLeadership leadership;
  private final PgStateStore stateStore;
  private final PgJournal journal;
  private final Replica replica;
  private final Notifications notifications;
  private final Thread thread;

  /**
   * @param lease how long a dead leader keeps the others out
   */
  public Spine(
      Database database, Duration lease, Replica.Settings settings, List<CommitListener> more) {
    this.database = database;
    Blocking.await(new StoreIdentity(database, CELL).ensure(), PATIENCE);
    SteadyClock clock = new SteadyClock(Clock.systemUTC(), System::nanoTime);
    inbox =
        new PgInbox(
            database,
            codec,
            new PgInbox.Place(CELL, "spine"),
            bell,
            watch,
            new InboxGauge(database, CELL),
            clock);
    leadership =
        new PgLeadership(
            database,
            new PgLeadership.Settings(
                CELL, "here:1", lease, lease.dividedBy(5), Duration.ofSeconds(2)),
            clock,
            wake::call);
    stateStore = new PgStateStore(database, codec, CELL);
    journal = new PgJournal(database, codec, CELL);
    replica =
        new Replica(
            new Replica.Parts(
                new SchedulerCore(CoreSettings.DEFAULT),
                new PgInboxSource(database, codec, CELL),
                journal,
                stateStore,
                leadership,
                more,
                watch::passed,
                settings,
                clock,
                new Random()::nextLong,
                wake));
    notifications = new Notifications(database, wake::call);
    thread = Thread.ofPlatform().name("spillway-loop").daemon().start(replica);
  }

  /** Stands for the lease; until then it follows. */
  public Spine stand() {
    notifications.start();
    leadership.start();
    return this;
  }

  public PgInbox inbox() {
    return inbox;
  }

  public Replica replica() {
    return replica;
  }

  public PgStateStore stateStore() {
    return stateStore;
  }

  public Database database() {
    return database;
  }

  /** The digest of the committed state. */
  public long digest() throws Exception {
    return replica
        .read(view -> view.digest())
        .toCompletableFuture()
        .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    leadership.stopRenewing();
    inbox.close();
    replica.stop();
    try {
      thread.join(PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    notifications.close();
    leadership.close();
    journal.close();
  }
}
