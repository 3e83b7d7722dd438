package io.spillway.server.store;

import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Makes time partitions ahead and drops old ones, retires writers that are drained, deletes jobs
 * long finished in batches. Each step stands alone; what fails is tried again the next time. Every
 * replica prepares partitions at its start, the leader does the rest.
 */
public final class Retention {
  private static final Logger LOG = Logger.getLogger(Retention.class.getName());
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int BATCH = 1_000;

  // A drained writer without a row for an hour. The lock waits for a batch that is being written;
  // the second look then sees its rows.
  private static final String RETIRE =
      """
      with idle as (
        select writer from inbox_writer w where cell = $1 and not retired
          and created_at < clock_timestamp() - interval '1 hour'
          and not exists (select 1 from inbox i where i.writer = w.writer
            and (i.seq > w.seq or i.received_at > clock_timestamp() - interval '1 hour'))
        for update)
      update inbox_writer w set retired = true from idle where w.writer = idle.writer
      """;

  private static final String REOPEN =
      """
      update inbox_writer w set retired = false where cell = $1 and retired
        and exists (select 1 from inbox i where i.writer = w.writer and i.seq > w.seq)
      """;

  private static final String FORGET_WRITERS =
      """
      delete from inbox_writer w where cell = $1 and retired
        and created_at < clock_timestamp() - make_interval(secs => $2)
        and not exists (select 1 from inbox i where i.writer = w.writer)
      """;

  // Uses job_finished.
  private static final String FORGET_JOBS =
      """
      with old as (
        select id from job where finished_at < clock_timestamp() - make_interval(secs => $1)
        order by finished_at limit $2),
      specs as (delete from job_spec s using old where s.job_id = old.id),
      attempts as (delete from attempt a using old where a.job_id = old.id),
      progress as (delete from job_progress p using old where p.job_id = old.id)
      delete from job j using old where j.id = old.id
      """;

  // A node that was kept for an attempt that never came is let go by its agent within an hour too.
  private static final String FORGET_RELEASES =
      """
      update attempt set command = null, command_seq = null, command_epoch = null
      where cell = $1 and command = 'RELEASE' and ended_at < clock_timestamp() - interval '1 hour'
      """;

  private final Database database;
  private final String cell;
  private final Periods periods;
  private final Duration jobs;
  private final List<Partitions> tables;

  /**
   * @param jobs how long finished jobs are kept
   */
  public Retention(Database database, String cell, Periods periods, Duration jobs) {
    this.database = database;
    this.cell = cell;
    this.periods = periods;
    this.jobs = jobs;
    this.tables =
        List.of(
            new Partitions("inbox", Duration.ofHours(6), periods.inbox()),
            new Partitions("journal", Duration.ofDays(1), periods.journal()),
            new Partitions("evaluation", Duration.ofDays(1), periods.evaluations()));
  }

  /** How long rows of partitioned tables are kept. */
  public record Periods(Duration inbox, Duration journal, Duration evaluations) {}

  /** Makes the partitions of the present and the next two periods. */
  public void prepare(Instant now) {
    tables.forEach(table -> table.ahead(now).forEach(ddl -> step("make a partition", ddl)));
  }

  /** One round of everything. */
  public void run(Instant now) {
    prepare(now);
    for (Partitions table : tables) {
      for (Partitions.Old old : table.old(now, names(table.table()))) {
        if (!table.table().equals("inbox") || isDrained(old.name())) {
          step("drop a partition", "drop table " + old.name());
        }
      }
    }
    step("retire writers", RETIRE, Tuple.of(cell));
    step("reopen writers", REOPEN, Tuple.of(cell));
    step("forget writers", FORGET_WRITERS, Tuple.of(cell, (double) periods.inbox().toSeconds()));
    step("forget releases", FORGET_RELEASES, Tuple.of(cell));
    while (step("forget jobs", FORGET_JOBS, Tuple.of((double) jobs.toSeconds(), BATCH)) == BATCH) {
      LOG.fine("more finished jobs to forget");
    }
  }

  private boolean isDrained(String partition) {
    return query(
            "select not exists (select 1 from "
                + partition
                + " i join inbox_writer w using (writer) where i.seq > w.seq)",
            Tuple.tuple())
        .iterator()
        .next()
        .getBoolean(0);
  }

  private List<String> names(String table) {
    List<String> names = new java.util.ArrayList<>();
    for (Row row :
        query(
            "select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid"
                + " where i.inhparent = $1::text::regclass",
            Tuple.of(table))) {
      names.add(row.getString(0));
    }
    return names;
  }

  private int step(String what, String sql, Tuple arguments) {
    try {
      return query(sql, arguments).rowCount();
    } catch (RuntimeException failure) {
      LOG.log(Level.WARNING, "retention could not " + what, failure);
      return 0;
    }
  }

  /**
   * Statements that lock a whole table wait for a short time only, so that nobody waits on them.
   */
  private void step(String what, String ddl) {
    try {
      Blocking.await(
          database
              .pool()
              .withTransaction(
                  (SqlConnection connection) ->
                      connection
                          .query("set local lock_timeout = '2s'")
                          .execute()
                          .compose(set -> connection.query(ddl).execute())),
          PATIENCE);
    } catch (RuntimeException failure) {
      LOG.log(Level.WARNING, "retention could not " + what + ": " + ddl, failure);
    }
  }

  private RowSet<Row> query(String sql, Tuple arguments) {
    return Blocking.await(database.pool().preparedQuery(sql).execute(arguments), PATIENCE);
  }
}
