package io.spillway.server.store;

import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.lifecycle.JobState;
import io.spillway.scheduler.lifecycle.Reason;
import io.spillway.scheduler.lifecycle.Standing;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.JobId;
import io.spillway.scheduler.policy.PolicySet;
import io.spillway.scheduler.state.Rows;
import io.spillway.scheduler.state.Usage;
import io.spillway.server.codec.StoreCodec;
import io.vertx.sqlclient.Row;
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
import java.util.function.BiFunction;

/** Reads what the scheduler keeps in memory of jobs and attempts, page by page. */
final class RowsReader {
  private static final int PAGE = 5_000;

  // Uses job_open_by_cell. A row that no loop has written yet is taken if its writer's cursor is
  // past its inbox row (or the writer is long gone); else its inbox row brings it in.
  private static final String JOBS =
      """
      select j.id, j.core_format, j.core, j.taken is null, j.submitted_at
      from job j left join inbox_writer w on w.writer = j.inbox_writer
      where j.cell = $1 and j.finished_at is null and j.id > $2
        and (j.taken is not null or w.writer is null or w.seq >= j.inbox_seq)
      order by j.id limit $3
      """;

  private static final String ATTEMPTS =
      "select core_format, core from attempt where job_id = any($1)";

  // Uses attempt_open and attempt_untold: of terminal jobs those that may still run somewhere.
  private static final String LOOSE =
      """
      select core_format, core from attempt where cell = $1 and ended_at is null
      union all
      select core_format, core from attempt where cell = $1 and command is not null
        and ended_at is not null
      """;

  private final StoreCodec codec;
  private final String cell;

  RowsReader(StoreCodec codec, String cell) {
    this.codec = codec;
    this.cell = cell;
  }

  /** All rows that live in memory; the policies are not among them. */
  Rows read(BiFunction<String, Tuple, List<Row>> query) {
    List<Job> jobs = new ArrayList<>();
    Map<AttemptId, Attempt> attempts = new HashMap<>();
    Set<JobId> known = new HashSet<>();
    String last = "";
    List<Row> page;
    do {
      page = query.apply(JOBS, Tuple.of(cell, last, PAGE));
      List<String> tried = new ArrayList<>();
      for (Row row : page) {
        last = row.getString(0);
        Job written = codec.read(row.getInteger(1), row.getString(2), Job.class);
        Job job =
            row.getBoolean(3) ? asTaken(written, row.getOffsetDateTime(4).toInstant()) : written;
        jobs.add(job);
        known.add(job.id());
        if (job.attempts() > 0) {
          tried.add(last);
        }
      }
      if (!tried.isEmpty()) {
        query
            .apply(ATTEMPTS, Tuple.tuple().addArrayOfString(tried.toArray(String[]::new)))
            .forEach(row -> add(attempts, row));
      }
    } while (page.size() == PAGE);
    for (Row row : query.apply(LOOSE, Tuple.of(cell))) {
      Attempt attempt = codec.read(row.getInteger(0), row.getString(1), Attempt.class);
      if (Usage.occupies(attempt) || known.contains(attempt.id().job())) {
        attempts.put(attempt.id(), attempt);
      }
    }
    return new Rows(PolicySet.EMPTY, jobs, List.copyOf(attempts.values()));
  }

  /** What taking made of it: its place in the queue is the database's time of its commit. */
  private static Job asTaken(Job accepted, Instant submittedAt) {
    return new Job(
        accepted.id(),
        accepted.order(),
        submittedAt,
        new JobState.Queued(submittedAt, Reason.SUBMITTED, Optional.empty()),
        Standing.FRESH,
        0,
        Duration.ZERO);
  }

  private void add(Map<AttemptId, Attempt> attempts, Row row) {
    Attempt attempt = codec.read(row.getInteger(0), row.getString(1), Attempt.class);
    attempts.put(attempt.id(), attempt);
  }
}
