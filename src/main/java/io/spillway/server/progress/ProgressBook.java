package io.spillway.server.progress;

import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.JobId;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jboss.logging.Logger;

/**
 * Writes jobs' progress: the newest of each job, all that waits in one statement, at most one
 * statement a second of at most a thousand rows on each replica. What comes faster replaces what
 * still waits. A report is lost if the process dies before its write, or the database does not
 * answer; the next one says more. From any thread.
 */
public final class ProgressBook {
  private static final Logger LOG = Logger.getLogger(ProgressBook.class);
  private static final int ROWS = 1_000;
  private static final int MOST_WAITING = 20_000;

  private final Context context;
  private final Pool pool;
  private final long paceNanos;

  // On the context only.
  private final Map<JobId, Waiting> waiting = new LinkedHashMap<>();
  private boolean busy;
  private long lastNanos;

  /** Who said it. */
  public enum Source {
    /** The cluster's agent, from the pod. */
    AGENT,
    /** A call of the API. */
    CALL
  }

  /** One attempt's progress. */
  public record Report(AttemptId attempt, Progress progress, Source source) {}

  private record Waiting(Report report, Promise<Void> written) {}

  /** More waits than can be written soon; nothing was taken. */
  public static final class Full extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Full() {
      super("the progress of " + MOST_WAITING + " jobs waits to be written", null, false, false);
    }
  }

  /**
   * @param pace least time between two writes
   */
  public ProgressBook(Vertx vertx, Pool pool, Duration pace) {
    this.context = vertx.getOrCreateContext();
    this.pool = pool;
    this.paceNanos = pace.toNanos();
    this.lastNanos = System.nanoTime() - paceNanos;
  }

  /**
   * Completes when it, or what came after it for the same job, is stored.
   *
   * @return failed with {@link Full}, or as the database failed
   */
  public Future<Void> put(Report report) {
    Promise<Void> written = Promise.promise();
    context.runOnContext(
        here -> {
          JobId job = report.attempt().job();
          Waiting before = waiting.get(job);
          if (before == null && waiting.size() >= MOST_WAITING) {
            written.fail(new Full());
            return;
          }
          boolean older =
              before != null && before.report().attempt().number() > report.attempt().number();
          if (before == null) {
            waiting.put(job, new Waiting(report, written));
          } else {
            // All wait for the first one's promise: a chain of thousands would not fit the stack.
            before.written().future().onComplete(written);
            waiting.put(job, new Waiting(older ? before.report() : report, before.written()));
          }
          next();
        });
    return written.future();
  }

  private void next() {
    if (busy || waiting.isEmpty()) {
      return;
    }
    busy = true;
    long left = paceNanos - (System.nanoTime() - lastNanos);
    if (left <= 0) {
      write();
    } else {
      context.owner().setTimer(Math.max(1, Duration.ofNanos(left).toMillis()), due -> write());
    }
  }

  private void write() {
    lastNanos = System.nanoTime();
    List<Waiting> batch = new ArrayList<>(waiting.values().stream().limit(ROWS).toList());
    batch.forEach(one -> waiting.remove(one.report().attempt().job()));
    store(batch.stream().map(Waiting::report).toList())
        .onComplete(
            done -> {
              if (done.failed()) {
                LOG.warnf("progress of %d jobs not stored: %s", batch.size(), done.cause());
              }
              batch.forEach(one -> one.written().handle(done.mapEmpty()));
              busy = false;
              next();
            });
  }

  private Future<Void> store(List<Report> reports) {
    // By the primary keys of both tables. A job that nobody knows, or not any more, gets no row.
    return pool.preparedQuery(
            """
            insert into job_progress as p (job_id, attempt, source, body, reported_at)
            select u.job_id, u.attempt, u.source, u.body::jsonb, clock_timestamp()
              from unnest($1::text[], $2::int[], $3::text[], $4::text[])
                   as u(job_id, attempt, source, body)
             where exists (
               select 1 from attempt a where a.job_id = u.job_id and a.number = u.attempt)
            on conflict (job_id) do update set attempt = excluded.attempt,
              source = excluded.source, body = excluded.body, reported_at = excluded.reported_at
             where p.attempt <= excluded.attempt
            """)
        .execute(
            Tuple.tuple()
                .addArrayOfString(texts(reports, report -> report.attempt().job().value()))
                .addArrayOfInteger(
                    reports.stream().map(r -> r.attempt().number()).toArray(Integer[]::new))
                .addArrayOfString(texts(reports, report -> report.source().name()))
                .addArrayOfString(texts(reports, report -> report.progress().json().toString())))
        .mapEmpty();
  }

  private static String[] texts(List<Report> reports, Function<Report, String> text) {
    return reports.stream().map(text).toArray(String[]::new);
  }
}
