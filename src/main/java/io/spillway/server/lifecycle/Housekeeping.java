package io.spillway.server.lifecycle;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.spillway.server.config.LoopConfig;
import io.spillway.server.config.RetentionConfig;
import io.spillway.server.inbox.CursorWatch;
import io.spillway.server.inbox.InboxGauge;
import io.spillway.server.store.Blocking;
import io.spillway.server.store.Database;
import io.spillway.server.store.Retention;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * What is looked after beside the loop, on a thread of its own: the inbox gauge, callers who wait
 * on a standby, a loop that is stuck, retention.
 */
@ApplicationScoped
class Housekeeping {
  private static final Logger LOG = Logger.getLogger(Housekeeping.class);
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final long GAUGE_MILLIS = 1_000;
  private static final long CURSORS_MILLIS = 100;

  private final Database database;
  private final InboxGauge gauge;
  private final CursorWatch watch;
  private final ReplicaHost replica;
  private final Retention retention;
  private final Settings settings;
  private final Clock clock;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          work -> Thread.ofPlatform().name("spillway-housekeeping").daemon().unstarted(work));

  Housekeeping(
      Database database,
      InboxGauge gauge,
      CursorWatch watch,
      ReplicaHost replica,
      Retention retention,
      Settings settings,
      Clock clock) {
    this.database = database;
    this.gauge = gauge;
    this.watch = watch;
    this.replica = replica;
    this.retention = retention;
    this.settings = settings;
    this.clock = clock;
  }

  /** How long a loop may stand still, and how often retention runs. */
  record Settings(Duration watchdog, Duration retention) {
    static Settings of(LoopConfig loop, RetentionConfig keep) {
      return new Settings(loop.watchdog(), keep.every());
    }
  }

  void start(@Observes @Priority(200) StartupEvent event) {
    every(GAUGE_MILLIS, "measure the inbox", this::gauge);
    every(CURSORS_MILLIS, "read cursors", this::cursors);
    every(settings.retention().toMillis(), "retention", this::retain);
  }

  void stop(@Observes @Priority(1000) ShutdownEvent event) {
    thread.shutdownNow();
  }

  private void gauge() {
    InboxGauge.Reading reading = Blocking.await(gauge.measure(), PATIENCE);
    boolean stuck =
        replica.leading()
            && reading.lag().compareTo(settings.watchdog()) > 0
            && replica.pulse().sinceAdvance().compareTo(settings.watchdog()) > 0;
    if (stuck) {
      LOG.errorf(
          "inputs wait for %s and the loop commits nothing: loading the state anew", reading.lag());
      replica.reload();
    }
  }

  /** On the leader the loop itself says so. */
  private void cursors() {
    List<String> awaited = watch.awaited();
    if (awaited.isEmpty() || replica.leading()) {
      return;
    }
    Map<String, Long> cursors = new HashMap<>();
    for (Row row :
        Blocking.await(
            database
                .pool()
                .preparedQuery("select writer, seq from inbox_writer where writer = any($1)")
                .execute(Tuple.tuple().addArrayOfString(awaited.toArray(String[]::new))),
            PATIENCE)) {
      cursors.put(row.getString(0), row.getLong(1));
    }
    watch.passed(cursors);
  }

  private void retain() {
    if (replica.leading()) {
      retention.run(clock.instant());
    }
  }

  private void every(long millis, String what, Runnable work) {
    var _ =
        thread.scheduleWithFixedDelay(
            () -> {
              try {
                work.run();
              } catch (RuntimeException failure) {
                LOG.debugf(failure, "could not %s", what);
              }
            },
            millis,
            millis,
            TimeUnit.MILLISECONDS);
  }
}
