package io.spillway.server.store;

import io.spillway.scheduler.event.ControlEvent;
import io.spillway.scheduler.event.Event;
import io.spillway.scheduler.policy.PolicySet;
import io.spillway.scheduler.state.Memo;
import io.spillway.scheduler.state.Rows;
import io.spillway.scheduler.state.State;
import io.spillway.server.codec.StoreCodec;
import io.spillway.server.loop.CrashPoint;
import io.spillway.server.loop.CrashPoints;
import io.spillway.server.loop.Journal;
import io.spillway.server.loop.StateStore;
import io.vertx.core.buffer.Buffer;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Restart from PostgreSQL: everything is read in one snapshot, put together from the newest memo,
 * and its digest compared with the head's. If it differs, the memo before is tried: the rows are
 * the same, so what can be wrong is what was remembered.
 */
public final class PgStateStore implements StateStore {
  private static final Logger LOG = Logger.getLogger(PgStateStore.class.getName());
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int PAGE = 2_000;

  private final Database database;
  private final StoreCodec codec;
  private final String cell;
  private final AtomicLong mismatches = new AtomicLong();
  private final AtomicBoolean writing = new AtomicBoolean();

  public PgStateStore(Database database, StoreCodec codec, String cell) {
    this.database = database;
    this.codec = codec;
    this.cell = cell;
  }

  private record Remembered(long seq, StoredMemo stored) {}

  @Override
  public Loaded load() {
    PgConnection connection = Blocking.await(database.connect(), PATIENCE);
    try {
      connection.query("begin isolation level repeatable read read only").execute();
      Journal.Head head =
          query(
                  connection,
                  "select seq, epoch, cycle, now, plan_hash, digest from journal_head"
                      + " where cell = $1",
                  Tuple.of(cell))
              .stream()
              .findFirst()
              .map(PgJournal::head)
              .orElse(Journal.Head.GENESIS);
      RowsReader rows = new RowsReader(codec, cell);
      return together(connection, head, rows);
    } finally {
      connection.close();
    }
  }

  private Loaded together(PgConnection connection, Journal.Head head, RowsReader reader) {
    List<Remembered> memos = memos(connection, head.seq());
    Rows rows = reader.read((sql, arguments) -> query(connection, sql, arguments));
    State first = null;
    for (Remembered memo : memos) {
      List<Event> since = since(connection, memo.seq(), head.seq());
      State state =
          State.restore(
              new Rows(policies(memo, since), rows.jobs(), rows.attempts()),
              memo.stored().memo(),
              since);
      if (head.seq() == 0 || state.digest() == head.digest()) {
        return new Loaded(state, head);
      }
      mismatches.incrementAndGet();
      LOG.severe(
          "the state put together from the memo of seq=%d is not what the journal says at seq=%d"
              .formatted(memo.seq(), head.seq()));
      first = first == null ? state : first;
    }
    // No memo gives the journal's digest. The rows and the newest memo are the best there is; a
    // scheduler that never starts again would be worse, and the count above raises the alarm.
    return new Loaded(first, head);
  }

  /** The newest first; last the empty one, if the journal reaches back to its beginning. */
  private List<Remembered> memos(PgConnection connection, long head) {
    List<Remembered> memos = new ArrayList<>();
    for (Row row :
        query(
            connection,
            "select seq, format, bytes from core_memo where cell = $1 and seq <= $2"
                + " order by seq desc limit 2",
            Tuple.of(cell, head))) {
      memos.add(
          new Remembered(
              row.getLong(0),
              codec.read(row.getInteger(1), row.getBuffer(2).getBytes(), StoredMemo.class)));
    }
    long first =
        query(connection, "select min(seq) from journal where cell = $1", Tuple.of(cell)).stream()
            .map(row -> row.getLong(0))
            .filter(seq -> seq != null)
            .findFirst()
            .orElse(1L);
    if (first <= 1) {
      memos.add(new Remembered(0, StoredMemo.EMPTY));
    }
    if (memos.isEmpty()) {
      throw new IllegalStateException(
          "there is no memo, and the journal begins at seq " + first + ": nothing to start from");
    }
    return memos;
  }

  private List<Event> since(PgConnection connection, long from, long to) {
    List<Event> events = new ArrayList<>();
    long at = from;
    while (at < to) {
      List<Row> page =
          query(
              connection,
              "select seq, format, events from journal where cell = $1 and seq > $2 and seq <= $3"
                  + " order by seq limit $4",
              Tuple.of(cell, at, to, PAGE));
      if (page.isEmpty()) {
        throw new IllegalStateException("the journal lacks rows after seq " + at);
      }
      for (Row row : page) {
        events.addAll(codec.events(row.getInteger(1), row.getString(2)));
        at = row.getLong(0);
      }
    }
    return events;
  }

  private static PolicySet policies(Remembered memo, List<Event> since) {
    return since.reversed().stream()
        .filter(ControlEvent.PolicyAdopted.class::isInstance)
        .map(ControlEvent.PolicyAdopted.class::cast)
        .findFirst()
        .map(ControlEvent.PolicyAdopted::policies)
        .orElse(memo.stored().policies());
  }

  @Override
  public void remember(long seq, Memo memo, PolicySet policies) {
    if (!writing.compareAndSet(false, true)) {
      return; // the one before is still being written; the next will do
    }
    CrashPoints.reached(CrashPoint.MEMO_BEFORE);
    database
        .vertx()
        .executeBlocking(() -> codec.bytes(StoredMemo.class, new StoredMemo(memo, policies)), false)
        .compose(
            bytes ->
                database
                    .pool()
                    .withTransaction(
                        connection ->
                            connection
                                .preparedQuery(
                                    "insert into core_memo (cell, seq, format, bytes)"
                                        + " values ($1, $2, $3, $4) on conflict do nothing")
                                .execute(
                                    Tuple.of(cell, seq, StoreCodec.FORMAT, Buffer.buffer(bytes)))
                                .compose(
                                    done ->
                                        connection
                                            .preparedQuery(
                                                "delete from core_memo where cell = $1 and seq <"
                                                    + " (select min(seq) from (select seq from"
                                                    + " core_memo where cell = $1 order by seq"
                                                    + " desc limit 2) kept)")
                                            .execute(Tuple.of(cell)))))
        .onComplete(
            done -> {
              writing.set(false);
              if (done.failed()) {
                LOG.log(Level.WARNING, "a memo was not written seq=" + seq, done.cause());
              } else {
                CrashPoints.reached(CrashPoint.MEMO_AFTER);
              }
            });
  }

  /** Restarts whose state was not what the journal says. */
  public long mismatches() {
    return mismatches.get();
  }

  private static List<Row> query(PgConnection connection, String sql, Tuple arguments) {
    List<Row> rows = new ArrayList<>();
    Blocking.await(connection.preparedQuery(sql).execute(arguments), PATIENCE).forEach(rows::add);
    return rows;
  }
}
