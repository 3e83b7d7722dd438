package io.spillway.server.kafka;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.spillway.scheduler.state.View;
import io.spillway.server.codec.StoreCodec;
import io.spillway.server.kafka.RecentCommits.Entry;
import io.spillway.server.loop.CommitListener;
import io.spillway.server.loop.StateReader;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Sends the leader's journal to {@code spillway.job-events}, in its order per job, at least once:
 * the cursor moves after the broker's acknowledgement. Runs on its own thread.
 */
@ApplicationScoped
public class JobEventRelay implements CommitListener {
  private static final Logger LOG = Logger.getLogger(JobEventRelay.class);
  private static final String CELL = "main";
  private static final String CURSOR = "job-events";
  private static final int ROWS = 200;

  /** So many events or more, then the cursor moves. */
  private static final int CHUNK = 2_000;

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long IDLE_MILLIS = 1_000;

  private final Pool pool;
  private final StateReader state;
  private final StoreCodec codec;
  private final JobCloudEvents cloudEvents;
  private final JobEventProducer producer;
  private final RecentCommits recent = new RecentCommits();
  private final Semaphore news = new Semaphore(0);
  private volatile boolean stopped;

  @Inject
  JobEventRelay(Pool pool, StateReader state, StoreCodec codec, JobEventProducer producer) {
    this.pool = pool;
    this.state = state;
    this.codec = codec;
    this.cloudEvents = new JobCloudEvents(codec, CELL);
    this.producer = producer;
  }

  void start(@Observes StartupEvent event) {
    Thread.ofPlatform().daemon().name("spillway-job-events").start(this::run);
  }

  void stop(@Observes ShutdownEvent event) {
    stopped = true;
    news.release();
  }

  @Override
  public void committed(Commit commit, View after) {
    recent.add(new Entry(commit.seq(), commit.cycle().now(), commit.events()));
    news.release();
  }

  private void run() {
    while (!stopped) {
      try {
        if (!state.leading() || !relayOnce()) {
          news.tryAcquire(IDLE_MILLIS, TimeUnit.MILLISECONDS);
          news.drainPermits();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      } catch (RuntimeException e) {
        LOG.warnf("job events wait: %s", e.getMessage());
        pause();
      }
    }
  }

  /** Whether there was anything to send. */
  private boolean relayOnce() {
    long cursor = cursor();
    List<Entry> entries = recent.after(cursor).orElseGet(() -> journal(cursor));
    if (entries.isEmpty()) {
      return false;
    }
    long from = cursor;
    List<JobCloudEvents.JobRecord> records = new ArrayList<>();
    for (Entry entry : entries) {
      records.addAll(cloudEvents.of(entry.seq(), entry.now(), entry.events()));
      if (records.size() >= CHUNK || entry.seq() == entries.getLast().seq()) {
        producer.send(records);
        advance(from, entry.seq());
        from = entry.seq();
        records.clear();
      }
    }
    return true;
  }

  private long cursor() {
    // By primary key.
    var rows =
        pool.preparedQuery("select seq from relay_cursor where name = $1")
            .execute(Tuple.of(CURSOR))
            .await()
            .atMost(PATIENCE);
    return rows.size() == 0 ? 0L : rows.iterator().next().getLong(0);
  }

  /** A relay that another leader overtook moves nothing back. */
  private void advance(long from, long to) {
    pool.preparedQuery(
            """
            insert into relay_cursor (name, seq) values ($1, $2)
            on conflict (name) do update set seq = excluded.seq where relay_cursor.seq = $3
            """)
        .execute(Tuple.of(CURSOR, to, from))
        .await()
        .atMost(PATIENCE);
  }

  private List<Entry> journal(long after) {
    // By primary key (cell, seq).
    var rows =
        pool.preparedQuery(
                """
                select seq, now, format, events from journal
                where cell = $1 and seq > $2 order by seq limit $3
                """)
            .execute(Tuple.of(CELL, after, ROWS))
            .await()
            .atMost(PATIENCE);
    List<Entry> entries = new ArrayList<>();
    for (Row row : rows) {
      entries.add(
          new Entry(
              row.getLong(0),
              row.getOffsetDateTime(1).toInstant(),
              codec.events(row.getInteger(2), row.getString(3))));
    }
    return entries;
  }

  private void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(IDLE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      stopped = true;
    }
  }
}
