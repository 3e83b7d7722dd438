package io.spillway.server.inbox;

import io.spillway.server.store.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;

/**
 * How full the inbox is, measured once a second. While the database does not answer, the last
 * figure stands: the appends themselves say that it is gone.
 */
public final class InboxGauge {
  private static final long HIGH_DEPTH = 100_000;
  private static final Duration HIGH_LAG = Duration.ofSeconds(5);
  private static final long FULL_DEPTH = 200_000;
  private static final Duration FULL_LAG = Duration.ofSeconds(60);

  // Per writer two index look-ups at either end of what is beyond its cursor (inbox's primary key).
  private static final String MEASURE =
      """
      select coalesce(sum(last.seq - w.seq), 0)::bigint,
             coalesce(max(extract(epoch from clock_timestamp() - first.received_at)), 0)::float8
      from inbox_writer w
      cross join lateral (select seq from inbox i where i.writer = w.writer and i.seq > w.seq
        order by i.seq desc limit 1) last
      cross join lateral (select received_at from inbox i where i.writer = w.writer
        and i.seq > w.seq order by i.seq limit 1) first
      where w.cell = $1 and not w.retired
      """;

  private final Database database;
  private final String cell;
  private volatile Reading last = new Reading(0, Duration.ZERO);

  public InboxGauge(Database database, String cell) {
    this.database = database;
    this.cell = cell;
  }

  /** Rows beyond the cursors, and the age of the oldest. */
  public record Reading(long depth, Duration lag) {}

  public Reading last() {
    return last;
  }

  Inbox.Load load() {
    Reading now = last;
    if (now.depth() > FULL_DEPTH || now.lag().compareTo(FULL_LAG) > 0) {
      return Inbox.Load.FULL;
    }
    return now.depth() > HIGH_DEPTH || now.lag().compareTo(HIGH_LAG) > 0
        ? Inbox.Load.HIGH
        : Inbox.Load.NORMAL;
  }

  /** Measures; called once a second. */
  public Future<Reading> measure() {
    return database
        .pool()
        .preparedQuery(MEASURE)
        .execute(Tuple.of(cell))
        .map(
            rows -> {
              Row row = rows.iterator().next();
              Reading reading =
                  new Reading(row.getLong(0), Duration.ofMillis((long) (row.getDouble(1) * 1_000)));
              last = reading;
              return reading;
            });
  }
}
