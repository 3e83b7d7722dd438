package io.spillway.server.store;

import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.JobId;
import io.spillway.scheduler.policy.PolicySet;
import io.spillway.scheduler.state.Rows;
import io.spillway.scheduler.state.Usage;
import io.spillway.server.codec.StoreCodec;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;

/** Reads what the scheduler keeps in memory of jobs and attempts, page by page. */
final class RowsReader {
  private static final int PAGE = 5_000;

  // Uses job_open_by_cell. Rows that no loop has taken are brought in by their inbox row.
  private static final String JOBS =
      """
      select id, core_format, core from job
      where cell = $1 and finished_at is null and taken is not null and id > $2
      order by id limit $3
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
        Job job = codec.read(row.getInteger(1), row.getString(2), Job.class);
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

  private void add(Map<AttemptId, Attempt> attempts, Row row) {
    Attempt attempt = codec.read(row.getInteger(0), row.getString(1), Attempt.class);
    attempts.put(attempt.id(), attempt);
  }
}
