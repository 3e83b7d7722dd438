package io.spillway.server.store;

import io.spillway.scheduler.event.AttemptEvent;
import io.spillway.scheduler.event.Event;
import io.spillway.scheduler.event.JobEvent;
import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.lifecycle.JobState;
import io.spillway.scheduler.lifecycle.Reason;
import io.spillway.scheduler.model.JobId;
import io.spillway.scheduler.state.ShapeClass;
import io.spillway.server.codec.StoreCodec;
import io.spillway.server.loop.Journal;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Changed jobs, all in one statement. The row is there: the replica that accepted the job inserted
 * it.
 */
final class JobUpdate {
  static final String SQL =
      """
      update job j set state = u.state, reason = u.reason, priority_class = u.priority_class,
        core = u.core, core_format = $1, shape_class = u.shape_class, attempts = u.attempts,
        finished_at = u.finished_at, taken = coalesce(j.taken, $2), updated_seq = $2
      from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
        $9::int[], $10::timestamptz[])
        as u(id, state, reason, priority_class, core, shape_class, attempts, finished_at)
      where j.id = u.id
      """;

  private JobUpdate() {}

  /**
   * The changed jobs without those that were only taken: their row already says what the loop would
   * write, and that they are taken says their writer's cursor. Saves a row operation for each job
   * that has to wait.
   */
  static List<Job> rewritten(Journal.Proposal proposal) {
    Set<JobId> taken = new HashSet<>();
    Set<JobId> more = new HashSet<>();
    for (Event event : proposal.entry().events()) {
      switch (event) {
        case JobEvent.JobTaken e -> taken.add(e.job());
        case JobEvent e -> more.add(e.job());
        case AttemptEvent e -> more.add(e.attempt().job());
        default -> {}
      }
    }
    return proposal.jobs().stream()
        .filter(job -> !taken.contains(job.id()) || more.contains(job.id()))
        .toList();
  }

  static Tuple tuple(StoreCodec codec, List<Job> jobs, long seq) {
    return Tuple.of(StoreCodec.FORMAT, seq)
        .addArrayOfString(column(jobs, job -> job.id().value()))
        .addArrayOfString(column(jobs, job -> job.state().label()))
        .addArrayOfString(column(jobs, job -> reason(job.state()).name()))
        .addArrayOfString(column(jobs, job -> job.order().priorityClass()))
        .addArrayOfString(column(jobs, job -> codec.write(Job.class, job)))
        .addArrayOfString(column(jobs, job -> ShapeClass.of(job).text()))
        .addArrayOfInteger(jobs.stream().map(Job::attempts).toArray(Integer[]::new))
        .addArrayOfOffsetDateTime(
            jobs.stream()
                .map(job -> finishedAt(job.state()).map(CommitStatements::at).orElse(null))
                .toArray(OffsetDateTime[]::new));
  }

  private static String[] column(List<Job> jobs, Function<Job, String> column) {
    return jobs.stream().map(column).toArray(String[]::new);
  }

  /** Why it is in that state, as the API says it. */
  static Reason reason(JobState state) {
    return switch (state) {
      case JobState.Queued queued -> queued.reason();
      case JobState.Held held -> held.reason();
      case JobState.Launching l -> Reason.PLACED;
      case JobState.Running r -> Reason.RUNNING;
      case JobState.Draining draining -> draining.reason();
      case JobState.Cancelling cancelling -> cancelling.reason();
      case JobState.Succeeded s -> Reason.EXITED_ZERO;
      case JobState.Cancelled c -> Reason.USER_CANCELLED;
      case JobState.Failed failed -> failed.reason();
    };
  }

  private static Optional<Instant> finishedAt(JobState state) {
    return switch (state) {
      case JobState.Succeeded s -> Optional.of(s.at());
      case JobState.Cancelled c -> Optional.of(c.at());
      case JobState.Failed f -> Optional.of(f.at());
      default -> Optional.empty();
    };
  }
}
