package io.spillway.server.jobs;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.smallrye.mutiny.Uni;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.JobId;
import io.spillway.server.json.Faults;
import io.spillway.server.json.JsonFields;
import io.spillway.server.problem.ProblemType;
import io.spillway.server.problem.Refused;
import io.spillway.server.problem.RetryLater;
import io.spillway.server.progress.Progress;
import io.spillway.server.progress.ProgressBook;
import io.spillway.server.security.Caller;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

/** Takes what a job, or whoever runs it, says of its progress by a call. */
@ApplicationScoped
public class JobProgress {
  private static final Duration SOON = Duration.ofSeconds(2);
  private static final int MOST_ATTEMPTS = 1_000_000;

  private final JobReading reading;
  private final JobQueries queries;
  private final ProgressBook book;

  JobProgress(JobReading reading, JobQueries queries, ProgressBook book) {
    this.reading = reading;
    this.queries = queries;
    this.book = book;
  }

  private record Said(Progress progress, OptionalInt attempt) {}

  /** Answers what is stored now, once it is. */
  public Uni<ProgressAnswer> report(Caller caller, JobId id, ObjectNode body) {
    Said said = read(body);
    return reading
        .row(caller, id)
        .chain(row -> queries.attempts(id).map(attempts -> running(row, attempts, said.attempt())))
        .chain(attempt -> written(attempt, said.progress()))
        .chain(done -> queries.progress(id))
        .map(found -> found.map(ProgressAnswer::of).orElseThrow(() -> JobReading.missing(id)));
  }

  private static Said read(ObjectNode body) {
    Faults faults = new Faults();
    JsonFields fields = new JsonFields("", body, faults);
    Progress progress = Progress.read(fields);
    OptionalInt attempt = fields.count("attempt", 1, MOST_ATTEMPTS);
    boolean beyond =
        progress.step().isPresent()
            && progress.steps().isPresent()
            && progress.step().getAsInt() > progress.steps().getAsInt();
    if (beyond) {
      fields.fault("step", "must not be beyond steps");
    }
    if (body.isEmpty()) {
      fields.fault("", "says nothing: name fraction, step, message or values");
    }
    fields.end();
    faults.refuse(ProblemType.INVALID_BODY);
    return new Said(progress, attempt);
  }

  /** An older attempt's program may still be there when the next one runs; it is not the job. */
  private static AttemptId running(JobRow row, List<AttemptRow> attempts, OptionalInt named) {
    AttemptRow live =
        attempts.stream()
            .filter(attempt -> attempt.endedAt == null && !attempt.state.equals("INTENDED"))
            .findFirst()
            .orElseThrow(
                () ->
                    new Refused(
                        ProblemType.STATE_CONFLICT,
                        "job " + row.id + " is " + row.state + "; no attempt of it runs"));
    if (named.isPresent() && named.getAsInt() != live.number) {
      throw new Refused(
          ProblemType.STATE_CONFLICT,
          "attempt " + live.number + " is the one that runs, not " + named.getAsInt());
    }
    return new AttemptId(row.jobId(), live.number);
  }

  /** The answer comes back on the caller's Vert.x context, where its queries belong. */
  private Uni<Void> written(AttemptId attempt, Progress progress) {
    return Uni.createFrom()
        .<Void>emitter(
            emitter -> {
              Context caller = Vertx.currentContext();
              book.put(new ProgressBook.Report(attempt, progress, ProgressBook.Source.CALL))
                  .onComplete(
                      done ->
                          caller.runOnContext(
                              here -> {
                                if (done.succeeded()) {
                                  emitter.complete(null);
                                } else {
                                  emitter.fail(done.cause());
                                }
                              }));
            })
        .onFailure(ProgressBook.Full.class)
        .transform(full -> new RetryLater(ProblemType.OVERLOADED, full.getMessage(), SOON));
  }
}
