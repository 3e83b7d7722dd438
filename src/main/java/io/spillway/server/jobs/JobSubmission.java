package io.spillway.server.jobs;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.smallrye.mutiny.Uni;
import io.spillway.scheduler.policy.PolicySet;
import io.spillway.scheduler.policy.QueuePolicy;
import io.spillway.server.inbox.Inbox;
import io.spillway.server.inbox.Submissions;
import io.spillway.server.inbox.Submissions.NewJob;
import io.spillway.server.json.Faults;
import io.spillway.server.policy.LivePolicies;
import io.spillway.server.problem.ProblemType;
import io.spillway.server.problem.Refused;
import io.spillway.server.problem.RetryLater;
import io.spillway.server.security.Caller;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Takes jobs. What is answered with 201 is durable, valid, and in a queue that exists and is the
 * caller's; a repeat of an accepted call gets that job again even if limits or policies would
 * refuse it today.
 */
@ApplicationScoped
public class JobSubmission {
  private static final Duration OVERLOAD_RETRY = Duration.ofSeconds(2);
  private static final Duration STARTING_RETRY = Duration.ofSeconds(1);

  private final Submissions submissions;
  private final Inbox inbox;
  private final LivePolicies policies;
  private final QueueLimits limits;
  private final JobQueries queries;
  private final JobIds ids;

  JobSubmission(
      Submissions submissions,
      Inbox inbox,
      LivePolicies policies,
      QueueLimits limits,
      JobQueries queries,
      JobIds ids) {
    this.submissions = submissions;
    this.inbox = inbox;
    this.policies = policies;
    this.limits = limits;
    this.queries = queries;
    this.ids = ids;
  }

  /**
   * What became of a submit.
   *
   * @param created false for a repeat
   */
  public record Submitted(JobAnswer job, boolean created) {}

  /** Fails with {@link Refused} or {@link RetryLater}. */
  public Uni<Submitted> submit(Caller caller, ObjectNode body, Optional<String> key) {
    refuseUntilLoaded();
    refuseAt(Inbox.Load.FULL);
    SubmitRequest request = new SubmitRequest(body, key);
    JobSpec spec = request.spec();
    caller.mustOwn(spec.queue());
    String hash = JobSpecJson.hash(JobSpecJson.write(spec));
    return admitted(spec)
        .chain(checked -> store(caller, checked, hash, key))
        .onFailure(JobSubmission::mayBeRepeat)
        .recoverWithUni(refusal -> repeatOr(spec, hash, key, refusal));
  }

  /**
   * @throws RetryLater when the inbox is at least that full
   */
  void refuseAt(Inbox.Load level) {
    if (inbox.load().compareTo(level) >= 0) {
      throw new RetryLater(
          ProblemType.OVERLOADED, "too many jobs wait to be taken up", OVERLOAD_RETRY);
    }
  }

  /**
   * @throws RetryLater when this replica has just started and knows no queue yet: what it cannot
   *     judge it must not call impossible
   */
  void refuseUntilLoaded() {
    if (!policies.loaded()) {
      throw new RetryLater(
          ProblemType.OVERLOADED, "this replica is still loading its state", STARTING_RETRY);
    }
  }

  /** The specification under the live policies and within the queue's limits. */
  private Uni<Checked> admitted(JobSpec spec) {
    return Uni.createFrom()
        .item(() -> check(spec))
        .chain(checked -> limits.admit(checked.queue(), 1).map(no -> orThrow(checked, no)));
  }

  private static Checked orThrow(Checked checked, Optional<RetryLater> refusal) {
    if (refusal.isPresent()) {
      throw refusal.get();
    }
    return checked;
  }

  private record Checked(JobSpec spec, QueuePolicy queue, String policyVersion) {}

  private Checked check(JobSpec spec) {
    PolicySet live = policies.current();
    Faults faults = new Faults();
    Optional<JobSpec> checked = JobSpecChecks.check(spec, live, "", faults);
    faults.refuse(ProblemType.INVALID_JOB);
    return new Checked(checked.orElseThrow(), live.queues().get(spec.queue()), live.version());
  }

  private Uni<Submitted> store(Caller caller, Checked checked, String hash, Optional<String> key) {
    JobSpec spec = checked.spec();
    NewJob job =
        new NewJob(
            ids.next(),
            spec.order(),
            JobSpecJson.write(spec),
            hash,
            spec.labels(),
            key,
            checked.policyVersion(),
            caller.name());
    return submissions
        .submit(List.of(job))
        .chain(
            outcomes ->
                switch (outcomes.get(0)) {
                  case Submissions.Outcome.Accepted accepted ->
                      Uni.createFrom().item(new Submitted(accepted(job), true));
                  case Submissions.Outcome.Repeated repeated ->
                      queries
                          .find(repeated.job())
                          .map(row -> row.orElseThrow(() -> JobReading.missing(repeated.job())))
                          .map(row -> new Submitted(JobAnswer.summary(row), false));
                  case Submissions.Outcome.KeyConflict conflict -> throw conflict(conflict);
                });
  }

  static Refused conflict(Submissions.Outcome.KeyConflict conflict) {
    return new Refused(
        ProblemType.IDEMPOTENCY_CONFLICT,
        "the key was used for job " + conflict.job() + " with another body");
  }

  private static JobAnswer accepted(NewJob job) {
    return new JobAnswer(
        job.id().value(),
        job.order().name(),
        job.order().queue().value(),
        job.order().priorityClass(),
        "QUEUED",
        "SUBMITTED",
        Optional.empty(),
        job.actor(),
        Optional.empty(),
        job.policyVersion(),
        job.labels(),
        0,
        Optional.empty(),
        Optional.empty());
  }

  private static boolean mayBeRepeat(Throwable failure) {
    return failure instanceof RetryLater
        || (failure instanceof Refused refused && refused.type() == ProblemType.INVALID_JOB);
  }

  private Uni<Submitted> repeatOr(
      JobSpec spec, String hash, Optional<String> key, Throwable refusal) {
    if (key.isEmpty()) {
      return Uni.createFrom().failure(refusal);
    }
    return queries
        .byKey(spec.queue(), key.get())
        .map(
            row -> {
              if (row.filter(found -> found.bodyHash.equals(hash)).isPresent()) {
                return new Submitted(JobAnswer.summary(row.get()), false);
              }
              throw refusal instanceof RuntimeException known
                  ? known
                  : new IllegalStateException(refusal);
            });
  }
}
