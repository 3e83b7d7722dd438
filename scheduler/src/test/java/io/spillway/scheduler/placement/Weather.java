package io.spillway.scheduler.placement;

import static io.spillway.scheduler.model.CapacityType.ON_DEMAND;
import static io.spillway.scheduler.model.CapacityType.SPOT;

import io.spillway.scheduler.event.AttemptEvent;
import io.spillway.scheduler.event.ClusterEvent;
import io.spillway.scheduler.event.ControlEvent;
import io.spillway.scheduler.event.Event;
import io.spillway.scheduler.event.JobEvent;
import io.spillway.scheduler.event.MarketEvent;
import io.spillway.scheduler.input.AgentInput.ReportedNode;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.AttemptState;
import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.lifecycle.JobState;
import io.spillway.scheduler.lifecycle.Outcome;
import io.spillway.scheduler.lifecycle.Reason;
import io.spillway.scheduler.lifecycle.Standing;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.model.BlockScope;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.JobShape;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.model.PoolName;
import io.spillway.scheduler.model.QueueName;
import io.spillway.scheduler.model.Rdma;
import io.spillway.scheduler.model.Trust;
import io.spillway.scheduler.model.UsdPerGpuHour;
import io.spillway.scheduler.policy.PolicySet;
import io.spillway.scheduler.policy.Rung;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;

/** Seeded events of every kind that can change what may be placed where. */
final class Weather {
  private static final QueueName BATCH = new QueueName("batch");
  private static final List<String> ZONES = List.of("a", "b", "c");
  private static final List<String> CLUSTERS = List.of("east", "west");

  private final World world;
  private final Random random;
  private int submitted;

  Weather(World world, long seed) {
    this.world = world;
    this.random = new Random(seed);
  }

  PolicySet policies() {
    Rung.Until until =
        new Rung.Until(
            maybe(Duration.ofMinutes(5 + random.nextInt(10))),
            random.nextBoolean() ? OptionalInt.of(1) : OptionalInt.empty(),
            random.nextBoolean() ? OptionalInt.of(2) : OptionalInt.empty(),
            maybe(Duration.ofMinutes(random.nextInt(4))));
    Rung spot = Given.atMost(Given.rung("spot", SPOT), random.nextBoolean() ? "3.00" : "9.00");
    return Given.policies(
        List.of(
            Given.queue(
                Given.RESEARCH,
                random.nextInt(3) == 0 ? spot : Given.until(spot, until),
                Given.pools("reserved", "owned"),
                Given.rung("last-resort", ON_DEMAND)),
            Given.queue(BATCH, Given.rung("any", SPOT, ON_DEMAND))),
        List.of(
            Given.cluster("east", Given.capacity(3, ZONES, SPOT, ON_DEMAND)),
            Given.cluster("west", Given.withFabric(Given.capacity(2, List.of("b", "c"), SPOT)))),
        List.of(Given.pool("owned", "west", 2)));
  }

  List<Event> next() {
    List<Event> events = new ArrayList<>();
    int count = random.nextInt(3);
    for (int i = 0; i < count; i++) {
      events.addAll(one(events));
    }
    if (random.nextInt(3) == 0) {
      world.later(Duration.ofSeconds(random.nextInt(400)));
      return events.isEmpty() ? events : restamped();
    }
    return events;
  }

  /** Time moved: what was drawn before carries an older time, so something new is drawn. */
  private List<Event> restamped() {
    return one(List.of());
  }

  private List<Event> one(List<Event> before) {
    // Two events on one job in one cycle would need the state between them.
    boolean jobTouched =
        before.stream().anyMatch(it -> it instanceof JobEvent || it instanceof AttemptEvent);
    return switch (random.nextInt(jobTouched ? 8 : 16)) {
      case 0, 1 -> List.of(observation());
      case 2 -> List.of(block());
      case 3 -> cluster();
      case 4 -> List.of(pause());
      case 5 -> List.of(nodes());
      case 6 -> List.of(new ControlEvent.PoolCordoned(new PoolName("owned"), random.nextBoolean()));
      case 7 ->
          random.nextInt(6) == 0
              ? List.of(new ControlEvent.PolicyAdopted(policies(), world.now()))
              : lifted();
      case 8, 9, 10, 11 -> List.of(submit());
      default -> attempt();
    };
  }

  private Event submit() {
    String priority = List.of("low", "normal", "urgent").get(random.nextInt(3));
    JobShape.Constraints constraints =
        random.nextInt(4) == 0
            ? new JobShape.Constraints(
                List.of(),
                List.of(),
                List.of(new ClusterName("west")),
                List.of(),
                maybe(UsdPerGpuHour.parse("4.00")))
            : JobShape.Constraints.NONE;
    JobShape shape =
        new JobShape(
            1 + random.nextInt(random.nextInt(8) == 0 ? 6 : 2),
            random.nextBoolean() ? 8 : 4,
            List.of(Given.H100),
            0,
            0,
            List.of(Rdma.NONE, Rdma.PREFERRED, Rdma.REQUIRED).get(random.nextInt(3)),
            JobShape.Needs.NONE,
            constraints);
    return world.submitted(
        "job" + submitted++,
        Given.job(random.nextBoolean() ? Given.RESEARCH : BATCH, priority, shape));
  }

  private Event observation() {
    CapacityType type = random.nextInt(3) == 0 ? ON_DEMAND : SPOT;
    String price = type == SPOT ? "" + (1 + random.nextInt(8)) + ".50" : "6.50";
    if (random.nextInt(12) == 0) {
      price = "0.01";
    }
    MarketKey key = Given.key(ZONES.get(random.nextInt(3)), type);
    return new MarketEvent.ObservationAdopted(
        new Observation(
            key,
            Given.H100_NODE,
            random.nextInt(12) == 0 ? Optional.empty() : Optional.of(UsdPerGpuHour.parse(price)),
            Optional.empty(),
            random.nextInt(5) == 0
                ? Observation.Availability.UNAVAILABLE
                : Observation.Availability.AVAILABLE,
            random.nextInt(12) == 0 ? Trust.FALLBACK : Trust.OFFERED,
            world.now().minusSeconds(random.nextInt(4_000)),
            world.now(),
            "weather"));
  }

  private Event block() {
    BlockScope scope = BlockScope.of(Given.key(ZONES.get(random.nextInt(3)), SPOT));
    if (random.nextInt(3) == 0) {
      scope =
          new BlockScope(
              "aws",
              "prod",
              Optional.of("us-east-2"),
              Optional.empty(),
              Optional.empty(),
              maybe(ON_DEMAND),
              Optional.empty(),
              random.nextBoolean() ? BlockScope.Reserved.INCLUDED : BlockScope.Reserved.LEFT_OUT);
    }
    return world.block(scope, Duration.ofSeconds(60 + random.nextInt(600)));
  }

  private List<Event> lifted() {
    BlockScope scope = BlockScope.of(Given.key(ZONES.get(random.nextInt(3)), SPOT));
    return world.state.blockOf(scope).isPresent()
        ? List.of(new MarketEvent.BlockLifted(scope, world.now()))
        : List.of();
  }

  private List<Event> cluster() {
    ClusterName name = new ClusterName(CLUSTERS.get(random.nextInt(2)));
    return switch (random.nextInt(4)) {
      case 0 -> List.of(new ClusterEvent.ClusterCutOff(name, world.now()));
      case 1 -> List.of(new ClusterEvent.ClusterCordoned(name, random.nextInt(3) == 0));
      default -> List.of(new ClusterEvent.ClusterRestored(name, world.now()));
    };
  }

  private Event pause() {
    return random.nextInt(4) == 0
        ? new ControlEvent.SystemPaused(random.nextInt(4) == 0)
        : new ControlEvent.QueuePaused(
            random.nextBoolean() ? Given.RESEARCH : BATCH, random.nextInt(3) == 0);
  }

  private Event nodes() {
    List<ReportedNode> nodes = new ArrayList<>();
    int count = random.nextInt(4);
    for (int i = 0; i < count; i++) {
      boolean pooled = random.nextBoolean();
      nodes.add(
          new ReportedNode(
              "node" + i,
              "i-" + i,
              pooled ? "pool-zone" : "d",
              Given.TYPE,
              pooled ? CapacityType.RESERVED : ON_DEMAND,
              Given.H100_NODE,
              Optional.empty(),
              random.nextInt(4) > 0,
              List.of()));
    }
    return new ClusterEvent.NodesChanged(new ClusterName("west"), true, nodes, List.of());
  }

  private List<Event> attempt() {
    List<Job> jobs = world.state.jobs().stream().sorted(Comparator.comparing(Job::id)).toList();
    if (jobs.isEmpty()) {
      return List.of();
    }
    Job job = jobs.get(random.nextInt(jobs.size()));
    return switch (job.state()) {
      case JobState.Queued q -> queued(job);
      case JobState.Launching l -> launching(job);
      case JobState.Running r -> random.nextBoolean() ? ends(job, Outcome.SUCCEEDED) : drains(job);
      case JobState.Draining d -> ends(job, Outcome.INTERRUPTED);
      default -> List.of();
    };
  }

  private List<Event> queued(Job job) {
    return switch (random.nextInt(4)) {
      case 0 -> List.of(new JobEvent.JobCancelled(job.id(), world.now()));
      case 1 -> List.of(new JobEvent.PriorityChanged(job.id(), "urgent"));
      default -> List.of();
    };
  }

  private List<Event> launching(Job job) {
    Attempt attempt = newest(job);
    OfferingId there = attempt.placement().offering();
    if (random.nextInt(3) > 0) {
      return List.of(
          new AttemptEvent.AttemptStarting(
              attempt.id(), there, world.now(), world.now().plusSeconds(900)),
          new AttemptEvent.AttemptRunning(attempt.id(), there, world.now(), List.of()),
          new JobEvent.JobRunning(job.id(), attempt.id(), world.now()));
    }
    Standing standing = suffered(job, there, 0, 1);
    return List.of(
        world.ended(attempt, Outcome.REFUSED, Reason.CAPACITY_REFUSED),
        world.block(there, Duration.ofMinutes(2)),
        new JobEvent.JobQueued(
            job.id(), world.now(), Reason.CAPACITY_REFUSED, standing, Optional.empty()));
  }

  private List<Event> drains(Job job) {
    Attempt attempt = newest(job);
    return List.of(
        new AttemptEvent.AttemptEnding(
            attempt.id(), world.now(), world.now().plusSeconds(110), Reason.INTERRUPTED),
        new JobEvent.JobDraining(
            job.id(),
            attempt.id(),
            world.now(),
            Reason.INTERRUPTED,
            suffered(job, attempt.placement().offering(), 1, 0)));
  }

  private List<Event> ends(Job job, Outcome outcome) {
    List<Event> events = new ArrayList<>();
    Attempt running =
        world.state.attemptsOf(job.id()).stream()
            .filter(it -> it.state().isLive())
            .findFirst()
            .orElseThrow();
    events.add(world.ended(running, outcome, Reason.INTERRUPTED));
    Optional<Attempt> held =
        world.state.attemptsOf(job.id()).stream()
            .filter(it -> it.state() instanceof AttemptState.Intended)
            .findFirst();
    if (outcome == Outcome.SUCCEEDED) {
      events.add(new JobEvent.JobSucceeded(job.id(), world.now(), running.id()));
    } else if (held.isPresent()) {
      events.add(
          new AttemptEvent.AttemptLaunching(
              held.get().id(),
              held.get().placement().offering(),
              world.now(),
              world.now().plusSeconds(900)));
      events.add(new JobEvent.JobLaunching(job.id(), held.get().id()));
    } else {
      events.add(
          new JobEvent.JobQueued(
              job.id(), world.now(), Reason.INTERRUPTED, job.standing(), Optional.empty()));
    }
    return events;
  }

  private Standing suffered(Job job, OfferingId offering, int interruptions, int refusals) {
    Standing now = job.standing();
    List<Standing.Exclusion> excluded = new ArrayList<>(now.excluded());
    excluded.add(Standing.Exclusion.of(offering, world.now().plusSeconds(300)));
    return new Standing(
        now.firstRung(),
        now.interruptions() + interruptions,
        now.refusals() + refusals,
        now.userFailures(),
        now.infrastructureFailures(),
        now.totalInterruptions() + interruptions,
        excluded);
  }

  private Attempt newest(Job job) {
    return world.state.attemptsOf(job.id()).getLast();
  }

  private <T> Optional<T> maybe(T value) {
    return random.nextBoolean() ? Optional.of(value) : Optional.empty();
  }
}
