package io.spillway.server.store;

import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.UUID;

/**
 * Which store this is, and how far it is: agents remember the highest they saw, so that a restored
 * copy is noticed. Any thread.
 */
public final class StoreIdentity {
  private final Database database;
  private final String cell;

  public StoreIdentity(Database database, String cell) {
    this.database = database;
    this.cell = cell;
  }

  /**
   * What agents are welcomed with.
   *
   * @param generation made once, with the store
   * @param head number of the last journal row
   */
  public record Place(String generation, long head) {}

  /** Makes the generation, the head and the epoch of a new store; nothing in one that has them. */
  public Future<Place> ensure() {
    return database
        .pool()
        .withTransaction(
            connection ->
                connection
                    .preparedQuery(
                        "insert into store_identity (id, generation) values (1, $1)"
                            + " on conflict (id) do nothing")
                    .execute(Tuple.of(UUID.randomUUID().toString()))
                    .compose(
                        done ->
                            connection
                                .preparedQuery(
                                    "insert into leader_epoch (cell, epoch) values ($1, 0)"
                                        + " on conflict (cell) do nothing")
                                .execute(Tuple.of(cell)))
                    .compose(
                        done ->
                            connection
                                .preparedQuery(
                                    "insert into journal_head (cell, seq, epoch, cycle, now,"
                                        + " plan_hash, digest) values ($1, 0, 0, 0, 'epoch', '', 0)"
                                        + " on conflict (cell) do nothing")
                                .execute(Tuple.of(cell))))
        .compose(done -> place());
  }

  /** As it is now. */
  public Future<Place> place() {
    return database
        .pool()
        .preparedQuery(
            "select s.generation, h.seq from store_identity s, journal_head h where h.cell = $1")
        .execute(Tuple.of(cell))
        .map(
            rows -> {
              var row = rows.iterator().next();
              return new Place(row.getString(0), row.getLong(1));
            });
  }
}
