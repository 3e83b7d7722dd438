package io.spillway.server.lifecycle;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.spillway.scheduler.cycle.CoreSettings;
import io.spillway.scheduler.cycle.SchedulerCore;
import io.spillway.scheduler.state.View;
import io.spillway.server.codec.StoreCodec;
import io.spillway.server.config.LoopConfig;
import io.spillway.server.inbox.CursorWatch;
import io.spillway.server.inbox.PgInbox;
import io.spillway.server.loop.CommitListener;
import io.spillway.server.loop.Pulse;
import io.spillway.server.loop.Replica;
import io.spillway.server.loop.StateReader;
import io.spillway.server.loop.SteadyClock;
import io.spillway.server.loop.Wake;
import io.spillway.server.store.Blocking;
import io.spillway.server.store.Database;
import io.spillway.server.store.Notifications;
import io.spillway.server.store.PgInboxSource;
import io.spillway.server.store.PgJournal;
import io.spillway.server.store.PgLeadership;
import io.spillway.server.store.PgStateStore;
import io.spillway.server.store.Retention;
import io.spillway.server.store.StoreIdentity;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/** Starts this process's replica of the loop and ends it in order. */
@ApplicationScoped
public class ReplicaHost implements StateReader {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration LAST_BATCH = Duration.ofSeconds(5);
  private static final long LOOK_NANOS = 5_000_000L;
  private static final Duration LAST_CYCLE = Duration.ofSeconds(15);

  private final Database database;
  private final StoreCodec codec;
  private final PgInbox inbox;
  private final StoreParts parts;
  private final LoopConfig config;
  private final SteadyClock clock;
  private final Instance<CommitListener> listeners;

  private volatile Replica replica;
  private PgJournal journal;
  private Thread thread;
  private Notifications notifications;

  ReplicaHost(
      Database database,
      StoreCodec codec,
      PgInbox inbox,
      StoreParts parts,
      LoopConfig config,
      SteadyClock clock,
      @Any Instance<CommitListener> listeners) {
    this.database = database;
    this.codec = codec;
    this.inbox = inbox;
    this.parts = parts;
    this.config = config;
    this.clock = clock;
    this.listeners = listeners;
  }

  void start(@Observes @Priority(100) StartupEvent event) {
    Blocking.await(parts.identity().ensure(), PATIENCE);
    parts.retention().prepare(clock.instant());
    SecureRandom seeds = new SecureRandom();
    journal = new PgJournal(database, codec, parts.cell());
    replica =
        new Replica(
            new Replica.Parts(
                new SchedulerCore(CoreSettings.DEFAULT),
                new PgInboxSource(database, codec, parts.cell()),
                journal,
                parts.stateStore(),
                parts.leadership(),
                listeners.stream().toList(),
                parts.watch()::passed,
                new Replica.Settings(config.poll(), config.memoEvery(), config.memoEvents()),
                clock,
                seeds::nextLong,
                parts.wake()));
    thread = Thread.ofPlatform().name("spillway-loop").start(replica);
    notifications = new Notifications(database, parts.wake()::call);
    notifications.start();
    parts.leadership().start();
  }

  /** Takes nothing more, ends after the cycle that runs, lets another lead at once. */
  void stop(@Observes @Priority(5000) ShutdownEvent event) {
    if (replica == null) {
      return;
    }
    parts.leadership().stopRenewing();
    writeWhatWaits();
    replica.stop();
    notifications.close();
    try {
      thread.join(LAST_CYCLE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    parts.leadership().close();
    journal.close();
    database.close();
  }

  /** Whoever was told to wait for an answer gets it. */
  private void writeWhatWaits() {
    long until = System.nanoTime() + LAST_BATCH.toNanos();
    while (!inbox.close() && System.nanoTime() < until) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  @Override
  public <T> CompletionStage<T> read(Function<View, T> question) {
    Replica started = replica;
    return started == null
        ? CompletableFuture.failedFuture(new IllegalStateException("the loop has not started"))
        : started.read(question);
  }

  @Override
  public boolean leading() {
    Replica started = replica;
    return started != null && started.leading();
  }

  /** Signs of life; a loop that has not started yet is alive. */
  public Pulse pulse() {
    Replica started = replica;
    return started == null ? new Pulse() : started.pulse();
  }

  /** Loads the state anew before the next cycle. */
  public void reload() {
    Replica started = replica;
    if (started != null) {
      started.reload();
    }
  }

  /** What the store is made of beside the inbox. */
  public record StoreParts(
      String cell,
      StoreIdentity identity,
      Retention retention,
      PgStateStore stateStore,
      PgLeadership leadership,
      CursorWatch watch,
      Wake wake) {}
}
