package io.spillway.server.replay;

import io.spillway.scheduler.cycle.Cycle;
import io.spillway.server.codec.StoreCodec;
import io.spillway.server.store.Blocking;
import io.spillway.server.store.Database;
import io.spillway.server.store.StoredMemo;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A stored journal: inputs and what was fixed from outside; plans only when asked. */
public final class JournalReader implements RecordedJournal {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Database database;
  private final StoreCodec codec;
  private final String cell;

  public JournalReader(Database database, StoreCodec codec, String cell) {
    this.database = database;
    this.codec = codec;
    this.cell = cell;
  }

  @Override
  public long first() {
    return query("select coalesce(min(seq), 1) from journal where cell = $1", Tuple.of(cell))
        .getFirst()
        .getLong(0);
  }

  @Override
  public List<Recorded> after(long seq, int limit) {
    return query(
            "select seq, cycle, now, seed, epoch, core_version, plan_hash, digest, format, inputs"
                + " from journal where cell = $1 and seq > $2 order by seq limit $3",
            Tuple.of(cell, seq, limit))
        .stream()
        .map(
            row ->
                new Recorded(
                    row.getLong(0),
                    new Cycle(
                        row.getLong(1),
                        row.getOffsetDateTime(2).toInstant(),
                        row.getLong(3),
                        row.getLong(4)),
                    row.getString(5),
                    row.getString(6),
                    row.getLong(7),
                    row.getInteger(8),
                    row.getString(9)))
        .toList();
  }

  @Override
  public String events(long seq) {
    return query("select events from journal where cell = $1 and seq = $2", Tuple.of(cell, seq))
        .getFirst()
        .getString(0);
  }

  @Override
  public Optional<StoredAt> olderMemo() {
    return query(
            "select seq, format, bytes from core_memo where cell = $1 order by seq limit 1",
            Tuple.of(cell))
        .stream()
        .findFirst()
        .map(
            row ->
                new StoredAt(
                    row.getLong(0),
                    codec
                        .read(row.getInteger(1), row.getBuffer(2).getBytes(), StoredMemo.class)
                        .memo()));
  }

  private List<Row> query(String sql, Tuple arguments) {
    List<Row> rows = new ArrayList<>();
    Blocking.await(database.pool().preparedQuery(sql).execute(arguments), PATIENCE)
        .forEach(rows::add);
    return rows;
  }
}
