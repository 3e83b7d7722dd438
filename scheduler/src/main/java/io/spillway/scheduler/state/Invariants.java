package io.spillway.scheduler.state;

import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.AttemptState;
import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.lifecycle.JobState;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.JobId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What must hold of every state, by counting anew. Costs the whole state: for the minute's audit
 * and for tests after every event.
 */
public final class Invariants {
  private final State state;
  private final Tables tables;
  private final List<String> broken = new ArrayList<>();

  private Invariants(State state, Tables tables) {
    this.state = state;
    this.tables = tables;
  }

  /** What does not hold, in words; empty is right. */
  public static List<String> check(State state) {
    return state.inconsistencies();
  }

  static List<String> check(State state, Tables tables) {
    Invariants invariants = new Invariants(state, tables);
    invariants.jobs();
    invariants.attempts();
    invariants.indexes();
    return List.copyOf(invariants.broken);
  }

  private void jobs() {
    for (Job job : tables.jobs.values()) {
      require(!job.state().isTerminal(), job.id() + " is terminal and still in memory");
      switch (job.state()) {
        case JobState.Launching s -> current(job, s.attempt(), Phase.NOT_RUNNING);
        case JobState.Running s -> current(job, s.attempt(), Phase.RUNNING);
        case JobState.Draining s -> {
          current(job, s.attempt(), Phase.ENDING);
          s.next().ifPresent(next -> replacement(job, s.attempt(), next));
        }
        case JobState.Cancelling s -> current(job, s.attempt(), Phase.ENDING);
        default -> none(job);
      }
    }
  }

  private enum Phase {
    NOT_RUNNING,
    RUNNING,
    ENDING
  }

  private void current(Job job, AttemptId id, Phase phase) {
    boolean fits =
        tables
            .attempts
            .get(id)
            .map(Attempt::state)
            .map(
                s ->
                    switch (phase) {
                      case NOT_RUNNING ->
                          s instanceof AttemptState.Launching
                              || s instanceof AttemptState.Unknown
                              || s instanceof AttemptState.Starting;
                      case RUNNING -> s instanceof AttemptState.Running;
                      case ENDING -> s instanceof AttemptState.Ending;
                    })
            .orElse(false);
    require(
        fits,
        job.id()
            + " is "
            + job.state().label()
            + " on "
            + id
            + " which is "
            + tables.attempts.get(id).map(a -> a.state().label()).orElse("nowhere"));
  }

  private void replacement(Job job, AttemptId current, AttemptId next) {
    boolean held =
        tables
            .attempts
            .get(next)
            .filter(
                a ->
                    a.state() instanceof AttemptState.Intended intended
                        && intended.after().equals(Optional.of(current)))
            .isPresent();
    require(held, job.id() + " holds " + next + " which is not intended after " + current);
  }

  private void none(Job job) {
    for (Attempt attempt : state.attemptsOf(job.id())) {
      require(
          attempt.state() instanceof AttemptState.Ended,
          job.id() + " is " + job.state().label() + " while " + attempt.id() + " has not ended");
    }
  }

  private void attempts() {
    Map<JobId, Integer> live = new HashMap<>();
    for (Attempt attempt : tables.attempts.values()) {
      AttemptId id = attempt.id();
      Optional<Job> job = tables.jobs.get(id.job());
      require(
          job.isPresent() || Usage.occupies(attempt), id + " is settled and its job is not here");
      job.ifPresent(
          j -> require(id.number() <= j.attempts(), id + " has a number its job never gave"));
      if (attempt.state() instanceof AttemptState.Intended intended) {
        require(intended.after().isPresent(), id + " is intended and neither waits nor starts");
      }
      if (attempt.state().isLive()) {
        live.merge(id.job(), 1, Integer::sum);
      }
    }
    live.forEach((job, count) -> require(count == 1, job + " has " + count + " live attempts"));
  }

  /** Every index must equal one built anew. */
  private void indexes() {
    Tables fresh = new Tables();
    tables.jobs.values().forEach(job -> fresh.jobs.put(job.id(), job));
    tables.attempts.values().forEach(attempt -> fresh.attempts.put(attempt.id(), attempt));
    tables.notices.values().forEach(n -> fresh.notices.put(n.notice().noticeId(), n));
    tables.blocks.values().forEach(b -> fresh.blocks.put(b.scope(), b));
    tables.parked.values().forEach(p -> fresh.parked.put(p.shapeClass(), p));
    require(tables.usage.sameAs(fresh.usage), "usage differs from a recount");
    require(tables.waiting.sameAs(fresh.waiting), "waiting jobs differ from a recount");
    require(tables.timers.sameAs(fresh.timers), "timers differ from a recount");
    require(tables.wakes.sameAs(fresh.wakes), "wake causes differ from a recount");
  }

  private void require(boolean holds, String otherwise) {
    if (!holds) {
      broken.add(otherwise);
    }
  }
}
