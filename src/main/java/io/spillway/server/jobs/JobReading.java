package io.spillway.server.jobs;

import io.smallrye.mutiny.Uni;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.model.JobId;
import io.spillway.server.problem.ProblemType;
import io.spillway.server.problem.Refused;
import io.spillway.server.security.Caller;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Reads jobs for callers that may see them. */
@ApplicationScoped
public class JobReading {
  private static final String NO_ETA =
      "estimates need start-up and waiting times that this version does not learn yet";

  private final JobQueries queries;
  private final Positions positions;
  private final InstantSource clock = InstantSource.system();

  JobReading(JobQueries queries, Positions positions) {
    this.queries = queries;
    this.positions = positions;
  }

  /** An answer and what changes with it. */
  public record Tagged(JobAnswer job, String etag) {}

  public Uni<Tagged> one(Caller caller, JobId id) {
    return queries
        .stored(id)
        .map(found -> found.orElseThrow(() -> missing(id)))
        .invoke(stored -> caller.mustOwn(stored.row().queueName()))
        .chain(
            stored ->
                positions
                    .of(stored.row())
                    .map(position -> new Tagged(answer(stored, position), stored.row().etag())));
  }

  public Uni<Paged<JobAnswer>> list(Caller caller, JobListing asked) {
    JobFilter filter = JobFilter.of(asked, caller);
    if (filter.matchesNothing(caller)) {
      return Uni.createFrom().item(new Paged<>(List.of(), Optional.empty()));
    }
    return queries.list(filter).map(rows -> page(rows, filter.limit()));
  }

  public Uni<List<AttemptAnswer>> attempts(Caller caller, JobId id) {
    return row(caller, id)
        .chain(row -> queries.attempts(id))
        .map(rows -> rows.stream().map(row -> AttemptAnswer.of(row, clock.instant())).toList());
  }

  /**
   * What a job asked for, and its attempts by number.
   *
   * @param specJson as it is stored
   */
  public record Specified(String specJson, List<Attempt> attempts) {
    public Specified {
      attempts = List.copyOf(attempts);
    }
  }

  /** The specification, if the caller may see the job. */
  public Uni<Specified> specified(Caller caller, JobId id) {
    return queries
        .stored(id)
        .map(found -> found.orElseThrow(() -> missing(id)))
        .invoke(stored -> caller.mustOwn(stored.row().queueName()))
        .map(
            stored ->
                new Specified(
                    stored.specJson(),
                    stored.attempts().stream().map(AttemptRow::attempt).toList()));
  }

  /** The row, if the caller may see it. */
  Uni<JobRow> row(Caller caller, JobId id) {
    return queries
        .find(id)
        .map(found -> found.orElseThrow(() -> missing(id)))
        .invoke(row -> caller.mustOwn(row.queueName()));
  }

  static Refused missing(JobId id) {
    return new Refused(ProblemType.NOT_FOUND, "there is no job " + id);
  }

  private JobAnswer answer(JobQueries.Stored stored, Optional<JobAnswer.Position> position) {
    Instant now = clock.instant();
    List<AttemptRow> attempts = stored.attempts();
    Optional<AttemptAnswer> current =
        attempts.isEmpty()
            ? Optional.empty()
            : Optional.of(AttemptAnswer.of(attempts.get(attempts.size() - 1), now));
    JobAnswer.Detail detail =
        new JobAnswer.Detail(
            Optional.ofNullable(stored.row().shapeClass),
            position,
            Optional.empty(),
            stored.row().isFinished() ? "the job has ended" : NO_ETA,
            current,
            Money.of(attempts.stream().map(AttemptRow::attempt).toList(), now),
            stored.progress().map(ProgressAnswer::of),
            JsonTexts.tree(stored.specJson()));
    return JobAnswer.of(stored.row(), Optional.empty(), Optional.of(detail));
  }

  private static Paged<JobAnswer> page(List<JobRow> rows, int limit) {
    List<JobAnswer> items = rows.stream().limit(limit).map(JobAnswer::summary).toList();
    return new Paged<>(
        items,
        rows.size() > limit ? Optional.of(items.get(items.size() - 1).id()) : Optional.empty());
  }
}
