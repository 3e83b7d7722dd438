package io.spillway.scheduler.placement;

import io.spillway.scheduler.cycle.CoreSettings;
import io.spillway.scheduler.cycle.Cycle;
import io.spillway.scheduler.cycle.SchedulerCore;
import io.spillway.scheduler.event.AttemptEvent;
import io.spillway.scheduler.event.ClusterEvent;
import io.spillway.scheduler.event.ControlEvent;
import io.spillway.scheduler.event.Event;
import io.spillway.scheduler.event.JobEvent;
import io.spillway.scheduler.event.MarketEvent;
import io.spillway.scheduler.explain.Explanation;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.AttemptState;
import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.lifecycle.JobState;
import io.spillway.scheduler.lifecycle.Outcome;
import io.spillway.scheduler.lifecycle.Reason;
import io.spillway.scheduler.lifecycle.Standing;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.BlockScope;
import io.spillway.scheduler.model.FailureClass;
import io.spillway.scheduler.model.JobId;
import io.spillway.scheduler.model.JobOrder;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.plan.Plan;
import io.spillway.scheduler.policy.PolicySet;
import io.spillway.scheduler.state.Draft;
import io.spillway.scheduler.state.ParkedClass;
import io.spillway.scheduler.state.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A state, a clock and a core for tests of placement: events are applied as if inputs had been
 * interpreted, then the core decides, then its plan is applied, as the loop does.
 */
final class World {
  static final Instant START = Instant.parse("2026-11-30T00:00:00Z");

  final State state = new State();
  final SchedulerCore core = new SchedulerCore(CoreSettings.DEFAULT);
  private final Map<String, JobId> jobs = new LinkedHashMap<>();
  private Instant now = START;
  private long cycles;
  private Plan plan = new Plan(List.of(), List.of(), Optional.empty());

  Instant now() {
    return now;
  }

  World later(Duration time) {
    now = now.plus(time);
    return this;
  }

  /** One cycle: what happened, the decision, its commit. */
  World cycle(Event... happened) {
    return cycle(Arrays.asList(happened));
  }

  World cycle(List<Event> happened) {
    Draft draft = state.draft();
    draft.apply(happened);
    plan = core.decide(draft.view(), new Cycle(++cycles, now, cycles, 1));
    draft.apply(plan.events());
    draft.adopt();
    return this;
  }

  Plan plan() {
    return plan;
  }

  /** Adopts policies and lets every cluster's agent be there. */
  World policies(PolicySet policies) {
    List<Event> events = new ArrayList<>();
    events.add(new ControlEvent.PolicyAdopted(policies, now));
    policies
        .clusters()
        .keySet()
        .forEach(
            cluster -> {
              events.add(new ClusterEvent.ClusterRegistered(cluster, now));
              events.add(new ClusterEvent.AgentConnected(cluster, 1, 1, now));
            });
    return cycle(events);
  }

  Event submitted(String name, JobOrder order) {
    JobId id = jobs.computeIfAbsent(name, key -> Given.jobId(jobs.size() + 1));
    return new JobEvent.JobTaken(id, order, now);
  }

  World submit(String name, JobOrder order) {
    return cycle(submitted(name, order));
  }

  JobId id(String name) {
    return jobs.get(name);
  }

  Job job(String name) {
    return state.job(id(name)).orElseThrow();
  }

  Optional<Attempt> attempt(String name) {
    Job job = job(name);
    return job.attempts() == 0
        ? Optional.empty()
        : state.attempt(new AttemptId(job.id(), job.attempts()));
  }

  /** Where the job is, by its newest attempt; empty while it waits. */
  Optional<OfferingId> place(String name) {
    return job(name).state() instanceof JobState.Queued
        ? Optional.empty()
        : attempt(name)
            .filter(it -> !(it.state() instanceof AttemptState.Ended))
            .map(it -> it.placement().offering());
  }

  String placeText(String name) {
    return place(name).map(OfferingId::text).orElse("waits");
  }

  List<Event> runs(String name) {
    Attempt attempt = attempt(name).orElseThrow();
    OfferingId there = attempt.placement().offering();
    return List.of(
        new AttemptEvent.AttemptStarting(attempt.id(), there, now, now.plusSeconds(900)),
        new AttemptEvent.AttemptRunning(attempt.id(), there, now, List.of()),
        new JobEvent.JobRunning(attempt.id().job(), attempt.id(), now));
  }

  List<Event> succeeds(String name) {
    Attempt attempt = attempt(name).orElseThrow();
    return List.of(
        ended(attempt, Outcome.SUCCEEDED, Reason.EXITED_ZERO),
        new JobEvent.JobSucceeded(attempt.id().job(), now, attempt.id()));
  }

  /**
   * Its launch is refused: excluded there for a time, and the offering is blocked for everybody.
   */
  List<Event> refused(String name, Standing standing, Duration block) {
    Attempt attempt = attempt(name).orElseThrow();
    return List.of(
        ended(attempt, Outcome.REFUSED, Reason.CAPACITY_REFUSED),
        block(attempt.placement().offering(), block),
        new JobEvent.JobQueued(
            attempt.id().job(), now, Reason.CAPACITY_REFUSED, standing, Optional.empty()));
  }

  Event block(OfferingId offering, Duration time) {
    return block(BlockScope.of(state.catalogue().key(offering).orElseThrow()), time);
  }

  Event block(BlockScope scope, Duration time) {
    return new MarketEvent.BlockPlaced(
        scope, FailureClass.NO_CAPACITY, "no capacity", now, now.plus(time), 0);
  }

  /** A notice came: the attempt ends until then, and the job wants another place. */
  List<Event> drains(String name, Standing standing) {
    Attempt attempt = attempt(name).orElseThrow();
    return List.of(
        new AttemptEvent.AttemptEnding(attempt.id(), now, now.plusSeconds(110), Reason.INTERRUPTED),
        new JobEvent.JobDraining(
            attempt.id().job(), attempt.id(), now, Reason.INTERRUPTED, standing));
  }

  AttemptEvent.AttemptEnded ended(Attempt attempt, Outcome outcome, Reason reason) {
    return new AttemptEvent.AttemptEnded(
        attempt.id(),
        attempt.placement().offering(),
        now,
        outcome,
        reason,
        Optional.empty(),
        Duration.ZERO,
        "");
  }

  Optional<ParkedClass> parked(String name) {
    return state.parked(Assessment.classOf(job(name)));
  }

  Explanation explain(String name) {
    return core.explain(state, id(name), now).orElseThrow();
  }
}
