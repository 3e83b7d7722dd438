package io.spillway.scheduler.state;

import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.AttemptState;
import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.lifecycle.JobState;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.BlockScope;
import io.spillway.scheduler.model.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Index of everything that time alone will change, by due instant, so that no cycle scans jobs.
 * Derived; never part of the digest. Clusters' silence is not here: there are few clusters.
 */
public final class Timers {

  /** What is due. */
  public enum Kind {
    /** A job that never ran waited too long; subject: {@link JobId}. */
    QUEUE_TTL,
    /** A job's back-off is over; subject: {@link JobId}. */
    BACKOFF,
    /** An attempt's launch, start or end has a deadline; subject: {@link AttemptId}. */
    ATTEMPT_DEADLINE,
    /** A job ran too long over all attempts; subject: {@link AttemptId} of the running one. */
    TIMEOUT,
    /** A notice is forgotten; subject: its id. */
    NOTICE,
    /** A block is forgotten; subject: {@link BlockScope}. */
    BLOCK_FORGOTTEN,
    /** A parked class is looked at again; subject: its text. */
    CLASS
  }

  /** One due instant. */
  public record Timer(Instant due, Kind kind, Object subject) {}

  private static final Comparator<Timer> ORDER =
      Comparator.comparing(Timer::due)
          .thenComparing(Timer::kind)
          .thenComparing(timer -> timer.subject().toString());

  private final NavigableSet<Timer> timers = new TreeSet<>(ORDER);

  Timers() {}

  /** The earliest due instant. */
  public Optional<Instant> next() {
    return timers.isEmpty() ? Optional.empty() : Optional.of(timers.first().due());
  }

  /** The first that are due and may be worked off, earliest first. */
  public List<Timer> due(Instant now, int atMost, Predicate<Timer> ripe) {
    List<Timer> due = new ArrayList<>();
    for (Timer timer : timers) {
      if (timer.due().isAfter(now) || due.size() == atMost) {
        break;
      }
      if (ripe.test(timer)) {
        due.add(timer);
      }
    }
    return due;
  }

  boolean sameAs(Timers other) {
    return timers.equals(other.timers);
  }

  void job(JobId id, Job before, Job after) {
    replace(before == null ? List.of() : of(before), after == null ? List.of() : of(after));
  }

  void attempt(AttemptId id, Attempt before, Attempt after) {
    replace(before == null ? List.of() : of(before), after == null ? List.of() : of(after));
  }

  void notice(String id, Memo.Notice before, Memo.Notice after) {
    replace(before == null ? List.of() : of(before), after == null ? List.of() : of(after));
  }

  void block(BlockScope scope, Block before, Block after) {
    replace(before == null ? List.of() : of(before), after == null ? List.of() : of(after));
  }

  void parked(String text, ParkedClass before, ParkedClass after) {
    replace(before == null ? List.of() : of(before), after == null ? List.of() : of(after));
  }

  private void replace(List<Timer> before, List<Timer> after) {
    before.forEach(timers::remove);
    timers.addAll(after);
  }

  private static List<Timer> of(Job job) {
    List<Timer> timers = new ArrayList<>(2);
    boolean waits = job.state() instanceof JobState.Queued || job.state() instanceof JobState.Held;
    if (waits && job.ran().isZero()) {
      job.order()
          .queueTtl()
          .ifPresent(
              ttl -> timers.add(new Timer(job.submittedAt().plus(ttl), Kind.QUEUE_TTL, job.id())));
    }
    if (job.state() instanceof JobState.Queued queued) {
      queued
          .notBefore()
          .ifPresent(instant -> timers.add(new Timer(instant, Kind.BACKOFF, job.id())));
    }
    if (job.state() instanceof JobState.Running running) {
      job.order()
          .timeout()
          .map(timeout -> timeout.minus(job.ran()))
          .map(left -> left.isNegative() ? Duration.ZERO : left)
          .ifPresent(
              left ->
                  timers.add(
                      new Timer(running.since().plus(left), Kind.TIMEOUT, running.attempt())));
    }
    return timers;
  }

  private static List<Timer> of(Attempt attempt) {
    Optional<Instant> deadline =
        switch (attempt.state()) {
          case AttemptState.Launching launching -> Optional.of(launching.deadline());
          case AttemptState.Starting starting -> Optional.of(starting.deadline());
          case AttemptState.Ending ending -> Optional.of(ending.deadline());
          case AttemptState.Intended i -> Optional.empty();
          case AttemptState.Unknown u -> Optional.empty();
          case AttemptState.Running r -> Optional.empty();
          case AttemptState.Ended e -> Optional.empty();
        };
    return deadline
        .map(due -> List.of(new Timer(due, Kind.ATTEMPT_DEADLINE, attempt.id())))
        .orElse(List.of());
  }

  private static List<Timer> of(Memo.Notice notice) {
    return List.of(new Timer(notice.until(), Kind.NOTICE, notice.notice().noticeId()));
  }

  private static List<Timer> of(Block block) {
    return List.of(new Timer(block.forgottenAt(), Kind.BLOCK_FORGOTTEN, block.scope()));
  }

  private static List<Timer> of(ParkedClass parked) {
    return parked
        .until()
        .map(until -> List.of(new Timer(until, Kind.CLASS, parked.shapeClass())))
        .orElse(List.of());
  }
}
