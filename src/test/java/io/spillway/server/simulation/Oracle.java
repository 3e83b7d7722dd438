package io.spillway.server.simulation;

import io.spillway.scheduler.cycle.CoreSettings;
import io.spillway.scheduler.cycle.SchedulerCore;
import io.spillway.scheduler.event.AttemptEvent;
import io.spillway.scheduler.event.AttemptEvent.AttemptIntended;
import io.spillway.scheduler.event.Event;
import io.spillway.scheduler.event.JobEvent;
import io.spillway.scheduler.explain.Explanation;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.AttemptState;
import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.lifecycle.JobState;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.JobId;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.plan.Evaluation.Candidate;
import io.spillway.scheduler.state.Invariants;
import io.spillway.scheduler.state.State;
import io.spillway.server.loop.Journal.Entry;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Follows the journal with a state of its own and the clouds' truth, and fails at the first event
 * that breaks a promise. It knows what users asked for by its own notes, not by the scheduler's.
 */
final class Oracle {
  /** A recount costs the whole state; the digest is compared at every row. */
  private static final int RECOUNT_EVERY = 5;

  private final SchedulerCore core = new SchedulerCore(CoreSettings.DEFAULT);
  private final State shadow = new State();
  private final Coverage coverage;
  private final Map<JobId, String> accepted = new TreeMap<>();
  private final Map<JobId, String> ended = new HashMap<>();
  private final Map<JobId, Run> running = new HashMap<>();
  private final Deque<String> trace = new ArrayDeque<>();
  private SimStore store;
  private long head;

  Oracle(Coverage coverage) {
    this.coverage = coverage;
  }

  void watch(SimStore watched) {
    store = watched;
  }

  State shadow() {
    return shadow;
  }

  void accepted(JobId job, String priorityClass) {
    accepted.put(job, priorityClass);
  }

  // --- the journal

  void follow() {
    List<Entry> entries = store.journal();
    for (Entry entry : entries.subList((int) head, entries.size())) {
      require(entry.seq() == head + 1, "row " + entry.seq() + " follows row " + head);
      for (Event event : entry.events()) {
        note(entry, event);
        before(event, entry.cycle().now());
        shadow.apply(event);
        after(event);
      }
      if (entry.seq() % RECOUNT_EVERY == 0) {
        List<String> broken = Invariants.check(shadow);
        require(broken.isEmpty(), String.join("; ", broken));
      }
      require(
          shadow.digest() == entry.digest(), "the digest of row " + entry.seq() + " is not ours");
      head = entry.seq();
      if (entry.seq() % RECOUNT_EVERY == 1) {
        nothingAdmissibleWaits(entry.cycle().now());
      }
    }
  }

  private void before(Event event, Instant now) {
    if (event instanceof AttemptIntended intended) {
      noInversion(intended, now);
    }
    job(event).flatMap(shadow::job).ifPresent(job -> coverage.from(job.id(), job.state().label()));
    attempt(event)
        .flatMap(shadow::attempt)
        .ifPresent(attempt -> coverage.from(attempt.id(), attempt.state().label()));
  }

  private void after(Event event) {
    if (event instanceof JobEvent e && !(e instanceof JobEvent.CommandRefused)) {
      require(!ended.containsKey(e.job()), e.job() + " had " + ended.get(e.job()) + ": " + event);
      require(accepted.containsKey(e.job()), e.job() + " was never accepted");
    }
    if (event instanceof JobEvent.PriorityChanged e) {
      accepted.put(e.job(), e.priorityClass());
    }
    String terminal =
        switch (event) {
          case JobEvent.JobSucceeded e -> "SUCCEEDED";
          case JobEvent.JobCancelled e -> "CANCELLED";
          case JobEvent.JobFailed e -> "FAILED";
          default -> null;
        };
    if (terminal != null) {
      ended.put(((JobEvent) event).job(), terminal);
      coverage.to(((JobEvent) event).job(), terminal);
    }
    job(event).flatMap(shadow::job).ifPresent(job -> coverage.to(job.id(), job.state().label()));
    attempt(event).ifPresent(id -> atMostOneLives(id.job()));
    attempt(event)
        .ifPresent(
            id -> coverage.to(id, shadow.attempt(id).map(a -> a.state().label()).orElse("ENDED")));
  }

  private void atMostOneLives(JobId job) {
    long live = shadow.attemptsOf(job).stream().filter(a -> a.state().isLive()).count();
    require(live <= 1, job + " has " + live + " live attempts");
  }

  private void noInversion(AttemptIntended intended, Instant now) {
    Optional<Integer> value = value(intended.attempt().job());
    if (value.isEmpty()) {
      return;
    }
    OfferingId offering = intended.placement().offering();
    shadow.waiting().classes().stream()
        .map(waiting -> waiting.jobs().first())
        .filter(job -> value(job.id()).orElse(0) > value.get())
        .filter(job -> !shadow.queuePaused(job.order().queue()))
        .filter(job -> !job.id().equals(intended.attempt().job()))
        .limit(2)
        .forEach(
            job ->
                require(
                    !admissible(job, now).contains(offering),
                    intended.attempt()
                        + " went before "
                        + job.id()
                        + " on "
                        + offering
                        + " although "
                        + core.explain(shadow, job.id(), now)));
  }

  private void nothingAdmissibleWaits(Instant now) {
    if (shadow.system().paused() || shadow.system().recovery().isPresent()) {
      return;
    }
    shadow.waiting().classes().stream()
        .map(waiting -> waiting.jobs().first())
        .filter(job -> !shadow.queuePaused(job.order().queue()))
        .limit(3)
        .forEach(
            job -> {
              List<OfferingId> free = admissible(job, now);
              require(free.isEmpty(), job.id() + " waits although it could start on " + free);
            });
  }

  private List<OfferingId> admissible(Job job, Instant now) {
    return core
        .explain(shadow, job.id(), now)
        .map(Explanation::candidates)
        .orElse(List.of())
        .stream()
        .filter(candidate -> candidate.rank() > 0 && candidate.refusal().isEmpty())
        .map(Candidate::offering)
        .toList();
  }

  private Optional<Integer> value(JobId job) {
    return Optional.ofNullable(accepted.get(job))
        .map(name -> shadow.policies().priorityClasses().get(name));
  }

  // --- the clouds' truth

  void started(ClusterName cluster, Run run, Instant now) {
    note(now + " " + cluster + " starts " + run.attempt);
    Attempt row = store.attemptRows().get(run.attempt);
    require(row != null, run.attempt + " runs without intent");
    require(row.state().isLive(), run.attempt + " starts while it is " + row.state().label());
    begins(run);
  }

  /**
   * An agent that forgot its refusal lets in what it refused. Until it answered a stop nobody can
   * help that; so nothing may have been taken for over by then, and nothing else have begun.
   */
  void startedLate(ClusterName cluster, Run run, Instant now) {
    note(now + " " + cluster + " starts what it refused " + run.attempt);
    AttemptState state = store.attemptRows().get(run.attempt).state();
    boolean owed = state instanceof AttemptState.Ended ended && !ended.settled();
    require(state.isLive() || owed, run.attempt + " starts though it counts as over: " + state);
    begins(run);
  }

  private void begins(Run run) {
    Run other = running.get(run.attempt.job());
    require(
        other == null || !other.exists(),
        run.attempt + " starts while " + (other == null ? "" : other.attempt) + " still runs");
    running.put(run.attempt.job(), run);
  }

  void ended(Run run, List<Integer> codes, Instant now) {
    note(now + " ended " + run.attempt + " codes " + codes);
  }

  /** A stray is a workload that the rows do not account for; nothing that is live may be hit. */
  void strayStopped(Run run) {
    Attempt row = store.attemptRows().get(run.attempt);
    require(
        row == null || !row.state().isLive() || row.state() instanceof AttemptState.Ending,
        run.attempt + " was stopped as a stray while it is live");
  }

  // --- the end

  void quiesced(List<SimCluster> clusters) {
    for (JobId job : accepted.keySet()) {
      Job row = store.jobRows().get(job);
      require(row != null, job + " was accepted and is unknown");
      boolean settled =
          row.state().isTerminal()
              || row.state() instanceof JobState.Queued
              || row.state() instanceof JobState.Held;
      require(settled, job + " is still " + row.state() + " after everything went quiet");
    }
    for (SimCluster cluster : clusters) {
      for (Run run : cluster.runs.values()) {
        Attempt row = store.attemptRows().get(run.attempt);
        require(
            !run.exists() || (row != null && row.state().isLive()),
            run.attempt + " runs and nobody knows");
      }
    }
    boolean live = store.attemptRows().values().stream().anyMatch(a -> a.state().isLive());
    require(
        live
            || shadow.usage().offerings().stream()
                .allMatch(o -> shadow.usage().members(o).isEmpty()),
        "nothing runs, and room is still taken on " + shadow.usage().offerings());
    require(shadow.system().drift() == 0, "the audit found differences");
  }

  // --- notes

  private static Optional<JobId> job(Event event) {
    return event instanceof JobEvent e ? Optional.of(e.job()) : Optional.empty();
  }

  private static Optional<AttemptId> attempt(Event event) {
    return event instanceof AttemptEvent e ? Optional.of(e.attempt()) : Optional.empty();
  }

  private void note(Entry entry, Event event) {
    note(entry.cycle().now() + " #" + entry.seq() + " " + event);
  }

  void note(String line) {
    trace.addLast(line);
    if (trace.size() > 400) {
      trace.removeFirst();
    }
  }

  String trace() {
    return String.join("\n", trace);
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }
}
