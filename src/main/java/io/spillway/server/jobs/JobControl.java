package io.spillway.server.jobs;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.smallrye.mutiny.Uni;
import io.spillway.scheduler.input.CommandInput;
import io.spillway.scheduler.input.CommandInput.JobVerb;
import io.spillway.scheduler.input.Lane;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.JobId;
import io.spillway.scheduler.policy.QueuePolicy;
import io.spillway.server.inbox.Inbox;
import io.spillway.server.json.Faults;
import io.spillway.server.policy.LivePolicies;
import io.spillway.server.problem.ProblemType;
import io.spillway.server.problem.Refused;
import io.spillway.server.security.Caller;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Commands on jobs. Refused by the stored state with 409; else durable, and awaited for two
 * seconds: what was committed by then is answered with the new state, else with the old one and
 * {@code pending}.
 */
@ApplicationScoped
public class JobControl {
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final JobReading reading;
  private final JobQueries queries;
  private final Inbox inbox;
  private final LivePolicies policies;

  JobControl(JobReading reading, JobQueries queries, Inbox inbox, LivePolicies policies) {
    this.reading = reading;
    this.queries = queries;
    this.inbox = inbox;
    this.policies = policies;
  }

  /**
   * A command's answer.
   *
   * @param committed false = 202
   */
  public record Commanded(JobAnswer job, String etag, boolean committed) {}

  public Uni<Commanded> command(Caller caller, JobId id, JobVerb verb) {
    JobVerbRules rules = JobVerbRules.of(verb);
    return reading
        .row(caller, id)
        .chain(
            row -> {
              if (rules.isDone(row.state)) {
                return Uni.createFrom().item(answer(row, true));
              }
              if (!rules.allows(row.state)) {
                throw notIn(row, verb.name());
              }
              CommandInput input = new CommandInput.JobCommanded(id, verb);
              return send(caller, row, input, after -> rules.isReached(after.state));
            });
  }

  /** A merge patch of priority class and labels. */
  public Uni<Commanded> patch(Caller caller, JobId id, ObjectNode body, Optional<String> ifMatch) {
    JobPatch patch = JobPatch.read(body);
    return reading
        .row(caller, id)
        .chain(
            row -> {
              refuseIfChanged(row, ifMatch);
              if (row.isFinished()) {
                throw notIn(row, "PATCH");
              }
              patch.priorityClass().ifPresent(name -> checkClass(row, name));
              patch.refuseTooManyLabels(row);
              if (patch.isEmpty()) {
                return Uni.createFrom().item(answer(row, true));
              }
              return send(caller, row, patch.input(row), patch::isIn);
            });
  }

  /** Stops one attempt; the job goes back to its place in the queue. */
  public Uni<Commanded> stopAttempt(Caller caller, JobId id, int number) {
    return reading
        .row(caller, id)
        .chain(
            row ->
                queries
                    .attempts(id)
                    .map(attempts -> live(row, attempts, number))
                    .chain(
                        attempt ->
                            send(
                                caller,
                                row,
                                new CommandInput.AttemptStopRequested(attempt),
                                after -> true)));
  }

  private static AttemptId live(JobRow row, List<AttemptRow> attempts, int number) {
    AttemptRow attempt =
        attempts.stream()
            .filter(each -> each.number == number)
            .findFirst()
            .orElseThrow(
                () ->
                    new Refused(
                        ProblemType.NOT_FOUND, "job " + row.id + " has no attempt " + number));
    if (attempt.endedAt != null) {
      throw new Refused(ProblemType.STATE_CONFLICT, "attempt " + number + " has ended");
    }
    if (attempt.state.equals("INTENDED")) {
      throw new Refused(
          ProblemType.STATE_CONFLICT,
          "attempt " + number + " is not started: it waits for the one before it to end");
    }
    return new AttemptId(row.jobId(), number);
  }

  private Uni<Commanded> send(
      Caller caller, JobRow row, CommandInput input, Predicate<JobRow> happened) {
    return inbox
        .append(Lane.COMMANDS, caller.name(), List.of(input))
        .chain(key -> inbox.committed(key, PATIENCE))
        .chain(
            committed ->
                queries
                    .find(row.jobId())
                    .map(found -> found.orElseThrow(() -> JobReading.missing(row.jobId())))
                    .map(
                        after -> {
                          if (committed && !happened.test(after)) {
                            throw notIn(after, "the command");
                          }
                          return answer(after, committed);
                        }));
  }

  private void checkClass(JobRow row, String priorityClass) {
    QueuePolicy queue = policies.current().queues().get(row.queueName());
    Faults faults = new Faults();
    if (queue != null) {
      JobSpecChecks.checkClass(faults, priorityClass, queue);
    }
    faults.refuse(ProblemType.INVALID_JOB);
  }

  private static void refuseIfChanged(JobRow row, Optional<String> ifMatch) {
    if (ifMatch
        .filter(tag -> !tag.equals("*") && !tag.equals('"' + row.etag() + '"'))
        .isPresent()) {
      throw new Refused(
          ProblemType.PRECONDITION_FAILED, "the job's ETag is \"" + row.etag() + "\" now");
    }
  }

  private static Refused notIn(JobRow row, String what) {
    return new Refused(
        ProblemType.STATE_CONFLICT, "job " + row.id + " is " + row.state + "; it takes no " + what);
  }

  private static Commanded answer(JobRow row, boolean committed) {
    Optional<Boolean> pending = committed ? Optional.empty() : Optional.of(true);
    return new Commanded(JobAnswer.of(row, pending, Optional.empty()), row.etag(), committed);
  }
}
