package io.spillway.server.store;

import io.spillway.scheduler.input.CommandInput;
import io.spillway.scheduler.input.Input;
import io.spillway.scheduler.input.Inputs;
import io.spillway.scheduler.input.Received;
import io.spillway.scheduler.model.JobId;
import io.spillway.server.codec.StoreCodec;
import io.spillway.server.loop.InboxSource;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads the inbox beyond the committed cursors. Owned by the loop's thread, which waits. */
public final class PgInboxSource implements InboxSource {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  // Per writer a range of inbox's primary key; writers are few (two a lane and process start). In a
  // lane each writer's rows come in turn: who wrote much delays nobody else.
  private static final String TAKE =
      """
      select i.writer, i.seq, i.actor, i.received_at, i.inputs, i.format, i.payload
      from inbox_writer w
      cross join lateral (select * from inbox r where r.writer = w.writer and r.seq > w.seq
        order by r.seq limit $2) i
      where w.cell = $1 and not w.retired and w.writer <> all($3)
      order by w.lane, i.seq - w.seq, i.writer
      limit $2
      """;

  private static final String UNTAKEN =
      """
      select j.id from job j join inbox_writer w on w.writer = j.inbox_writer
      where j.id = any($1) and j.taken is null and w.seq < j.inbox_seq
      """;

  private final Database database;
  private final StoreCodec codec;
  private final String cell;

  public PgInboxSource(Database database, StoreCodec codec, String cell) {
    this.database = database;
    this.codec = codec;
    this.cell = cell;
  }

  private record Line(String writer, long seq, List<Received> received) {}

  @Override
  public Taken take() {
    Set<String> waiting = new HashSet<>();
    while (true) {
      int before = waiting.size();
      Taken taken = take(waiting);
      if (!taken.cursors().isEmpty() || waiting.size() == before) {
        return taken;
      }
      // Nothing but commands that wait: what they wait for stands behind them.
    }
  }

  /** Adds to {@code waiting} the writers whose next row waits for another's. */
  private Taken take(Set<String> waiting) {
    RowSet<Row> rows = query(TAKE, Tuple.of(cell, Inputs.MAX, waiting.toArray(String[]::new)));
    if (rows.size() == 0) {
      return Taken.NOTHING;
    }
    List<Line> lines = new ArrayList<>(rows.size());
    int inputs = 0;
    boolean more = rows.size() == Inputs.MAX;
    for (Row row : rows) {
      inputs += row.getInteger(4);
      if (inputs > Inputs.MAX && !lines.isEmpty()) {
        more = true;
        break;
      }
      lines.add(line(row));
    }
    return taken(withoutEarly(lines, waiting), more);
  }

  private Line line(Row row) {
    String writer = row.getString(0);
    long seq = row.getLong(1);
    String actor = row.getString(2);
    Instant at = row.getOffsetDateTime(3).toInstant();
    List<Received> received =
        codec.inputs(row.getInteger(5), row.getString(6)).stream()
            .map(input -> new Received(writer, seq, actor, at, input))
            .toList();
    return new Line(writer, seq, received);
  }

  /**
   * Leaves out, with all that its writer wrote later, a command that came before its job: another
   * replica accepted the job, and its row stands further back in this take or in the next.
   */
  private List<Line> withoutEarly(List<Line> lines, Set<String> stopped) {
    Set<JobId> brought = new HashSet<>();
    Map<JobId, Boolean> early = new HashMap<>();
    for (Line line : lines) {
      for (Received received : line.received()) {
        if (received.input() instanceof CommandInput.JobSubmitted submitted) {
          brought.add(submitted.job());
        }
        subject(received.input())
            .filter(job -> !brought.contains(job))
            .ifPresent(job -> early.put(job, true));
      }
    }
    if (early.isEmpty()) {
      return lines;
    }
    Set<JobId> untaken = untaken(early.keySet());
    return untaken.isEmpty() ? lines : cut(lines, untaken, stopped);
  }

  private static List<Line> cut(List<Line> lines, Set<JobId> untaken, Set<String> stopped) {
    Set<JobId> brought = new HashSet<>();
    List<Line> kept = new ArrayList<>();
    for (Line line : lines) {
      if (stopped.contains(line.writer())) {
        continue;
      }
      Set<JobId> here = new HashSet<>();
      boolean waits = false;
      for (Received received : line.received()) {
        if (received.input() instanceof CommandInput.JobSubmitted submitted) {
          here.add(submitted.job());
        }
        waits |=
            subject(received.input())
                .filter(job -> untaken.contains(job))
                .filter(job -> !brought.contains(job) && !here.contains(job))
                .isPresent();
      }
      if (waits) {
        stopped.add(line.writer());
      } else {
        brought.addAll(here);
        kept.add(line);
      }
    }
    return kept;
  }

  private Set<JobId> untaken(Set<JobId> jobs) {
    Set<JobId> found = new HashSet<>();
    query(UNTAKEN, Tuple.of(jobs.stream().map(JobId::value).toArray(String[]::new)))
        .forEach(row -> found.add(new JobId(row.getString(0))));
    return found;
  }

  /** The job that a command is about; reports are about attempts, whose jobs are taken. */
  private static Optional<JobId> subject(Input input) {
    return switch (input) {
      case CommandInput.JobCommanded command -> Optional.of(command.job());
      case CommandInput.JobPatched patch -> Optional.of(patch.job());
      case CommandInput.AttemptStopRequested stop -> Optional.of(stop.attempt().job());
      default -> Optional.empty();
    };
  }

  private static Taken taken(List<Line> lines, boolean more) {
    List<Received> received = new ArrayList<>();
    Map<String, Long> cursors = new HashMap<>();
    for (Line line : lines) {
      received.addAll(line.received());
      cursors.put(line.writer(), line.seq());
    }
    return new Taken(new Inputs(received), cursors, more);
  }

  private RowSet<Row> query(String sql, Tuple arguments) {
    return Blocking.await(
        database.within(PATIENCE, database.pool().preparedQuery(sql).execute(arguments)),
        PATIENCE.plusSeconds(1));
  }
}
