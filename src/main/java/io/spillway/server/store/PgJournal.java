package io.spillway.server.store;

import io.spillway.scheduler.cycle.Cycle;
import io.spillway.server.codec.StoreCodec;
import io.spillway.server.loop.Journal;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;

/**
 * The journal on PostgreSQL. Commits go over a connection of their own, whole transactions at a
 * time; the calling thread waits. Owned by one thread.
 */
public final class PgJournal implements Journal {
  /** What {@code fence} raises. */
  private static final String FENCED = "SW001";

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final String HEAD =
      "select seq, epoch, cycle, now, plan_hash, digest from journal_head where cell = $1";

  // Uses the primary key of each partition.
  private static final String AFTER =
      """
      select seq, cycle, now, seed, epoch, core_version, policy, plan_hash, digest, format, events
      from journal where cell = $1 and seq > $2 order by seq limit $3
      """;

  private final Database database;
  private final StoreCodec codec;
  private final String cell;
  private final CommitStatements statements;
  private PgConnection connection;

  public PgJournal(Database database, StoreCodec codec, String cell) {
    this.database = database;
    this.codec = codec;
    this.cell = cell;
    this.statements = new CommitStatements(codec, cell);
  }

  @Override
  public Outcome commit(Proposal proposal) {
    try {
      PipelinedTransaction transaction = new PipelinedTransaction(connection());
      statements.send(transaction, proposal);
      Blocking.await(transaction.commit(), PATIENCE);
      return new Outcome.Committed();
    } catch (PgException refused) {
      if (FENCED.equals(refused.getSqlState())) {
        return new Outcome.Fenced(refused.getErrorMessage());
      }
      disconnect();
      return new Outcome.Unknown(refused.getSqlState() + " " + refused.getErrorMessage());
    } catch (RuntimeException unanswered) { // a lost connection, no answer in time, no connection
      disconnect();
      return new Outcome.Unknown(String.valueOf(unanswered.getMessage()));
    }
  }

  @Override
  public Head head() {
    return query(HEAD, Tuple.of(cell)).stream()
        .findFirst()
        .map(PgJournal::head)
        .orElse(Head.GENESIS);
  }

  @Override
  public List<Entry> after(long seq, int limit) {
    return query(AFTER, Tuple.of(cell, seq, limit)).stream().map(this::entry).toList();
  }

  static Head head(Row row) {
    return new Head(
        row.getLong(0),
        row.getLong(1),
        row.getLong(2),
        row.getOffsetDateTime(3).toInstant(),
        row.getString(4),
        row.getLong(5));
  }

  private Entry entry(Row row) {
    OffsetDateTime now = row.getOffsetDateTime(2);
    return new Entry(
        row.getLong(0),
        new Cycle(row.getLong(1), now.toInstant(), row.getLong(3), row.getLong(4)),
        codec.events(row.getInteger(9), row.getString(10)),
        row.getString(5),
        row.getString(6),
        row.getString(7),
        row.getLong(8));
  }

  private List<Row> query(String sql, Tuple arguments) {
    try {
      RowSet<Row> rows =
          Blocking.await(connection().preparedQuery(sql).execute(arguments), PATIENCE);
      List<Row> list = new ArrayList<>(rows.size());
      rows.forEach(list::add);
      return list;
    } catch (RuntimeException e) {
      disconnect();
      throw e;
    }
  }

  private PgConnection connection() {
    if (connection == null) {
      connection = Blocking.await(database.connect(), PATIENCE);
    }
    return connection;
  }

  private void disconnect() {
    if (connection != null) {
      connection.close();
      connection = null;
    }
  }

  /** Lets the connection go; the owning thread has ended. */
  public void close() {
    disconnect();
  }
}
