package io.spillway.scheduler.story;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.scheduler.cycle.CoreSettings;
import io.spillway.scheduler.cycle.Cycle;
import io.spillway.scheduler.cycle.SchedulerCore;
import io.spillway.scheduler.event.Event;
import io.spillway.scheduler.input.AgentInput;
import io.spillway.scheduler.input.CommandInput;
import io.spillway.scheduler.input.Input;
import io.spillway.scheduler.input.Inputs;
import io.spillway.scheduler.input.MarketInput;
import io.spillway.scheduler.input.Received;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.JobId;
import io.spillway.scheduler.model.JobOrder;
import io.spillway.scheduler.plan.Plan;
import io.spillway.scheduler.state.Draft;
import io.spillway.scheduler.state.Invariants;
import io.spillway.scheduler.state.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** A scheduler in a land, with virtual time: what the loop is, without store and threads. */
public final class World {
  public static final Instant START = Instant.parse("2026-11-30T00:00:00Z");

  private final SchedulerCore core = new SchedulerCore(CoreSettings.DEFAULT);
  private final Map<String, JobId> names = new LinkedHashMap<>();
  private final Map<JobId, Job> left = new LinkedHashMap<>();
  private final Map<AttemptId, Attempt> leftAttempts = new LinkedHashMap<>();
  private State state = new State();
  private Instant now = START;
  private long cycles;
  private long epoch = 1;
  private long seq;
  private Plan plan = new Plan(List.of(), List.of(), Optional.empty());

  /**
   * The land's policies, both agents connected, prices seen: cheap 2.00, dear 2.50, on-demand 6.
   */
  public static World of(Land land) {
    World world = new World();
    world.round(
        new CommandInput.PolicyOffered(land.policies()),
        new CommandInput.ClusterRegistered(Land.OHIO),
        new CommandInput.ClusterRegistered(Land.METAL),
        new AgentInput.SessionOpened(Land.OHIO, 1, 1),
        new AgentInput.SessionOpened(Land.METAL, 1, 1));
    world.round(world.prices());
    world.round(
        new AgentInput.NodesReported(
            Land.METAL,
            true,
            IntStream.rangeClosed(1, 4).mapToObj(i -> Land.node("m-" + i, Land.BARE)).toList(),
            List.of()));
    return world;
  }

  /** Fresh observations of every elastic offering. */
  public Input[] prices() {
    return new Input[] {
      new MarketInput.ObservationChanged(Land.seen(Land.CHEAP, "2.00", now)),
      new MarketInput.ObservationChanged(Land.seen(Land.DEAR, "2.50", now)),
      new MarketInput.ObservationChanged(Land.seen(Land.ON_DEMAND, "6.00", now))
    };
  }

  /** One cycle, as the loop runs it. */
  public Round round(Input... inputs) {
    return round(Arrays.asList(inputs));
  }

  public Round round(List<Input> inputs) {
    List<Received> received = new ArrayList<>();
    inputs.forEach(input -> received.add(new Received("story", ++seq, "story", now, input)));
    Cycle cycle = new Cycle(++cycles, now, cycles, epoch);
    Draft draft = state.draft();
    core.interpret(new Inputs(received), draft, cycle);
    long before = draft.digest();
    plan = core.decide(draft.view(), cycle);
    assertThat(draft.digest()).as("decide leaves its view as it was").isEqualTo(before);
    draft.apply(plan.events());
    List<Event> events = List.copyOf(draft.events());
    long digest = draft.digest();
    draft.changedJobs().forEach(job -> left.put(job.id(), job));
    draft.changedAttempts().forEach(attempt -> leftAttempts.put(attempt.id(), attempt));
    draft.adopt();
    assertThat(state.digest()).as("what was journalled").isEqualTo(digest);
    check();
    return new Round(this, events);
  }

  private void check() {
    assertThat(Invariants.check(state)).isEmpty();
    State again = State.restore(state.rows(), state.memo(), List.of());
    assertThat(again.digest()).as("digest after a restart").isEqualTo(state.digest());
    assertThat(Invariants.check(again)).isEmpty();
  }

  /** Lets time pass; nothing runs until the next round. */
  public World later(Duration time) {
    now = now.plus(time);
    return this;
  }

  /** Lets time pass with a round every minute, as a leader does, and one at its end. */
  public Round wait(Duration time) {
    Instant end = now.plus(time);
    while (now.plusSeconds(60).isBefore(end)) {
      now = now.plusSeconds(60);
      round();
    }
    now = end;
    return round();
  }

  /** The leader dies; another restores the state from what was stored. */
  public World restart() {
    state = State.restore(state.rows(), state.memo(), List.of());
    epoch++;
    return this;
  }

  public Input submit(String name, JobOrder order) {
    JobId id =
        names.computeIfAbsent(name, n -> new JobId(String.format("01%024d", names.size() + 1)));
    return new CommandInput.JobSubmitted(id, order);
  }

  public Input command(String name, CommandInput.JobVerb verb) {
    return new CommandInput.JobCommanded(id(name), verb);
  }

  public JobId id(String name) {
    return names.get(name);
  }

  /** The job as it is, or as it was when it left. */
  public Job job(String name) {
    return state.job(id(name)).orElseGet(() -> left.get(id(name)));
  }

  public Attempt attempt(String name, int number) {
    AttemptId id = new AttemptId(id(name), number);
    return state.attempt(id).orElseGet(() -> leftAttempts.get(id));
  }

  /** The newest attempt. */
  public Attempt attempt(String name) {
    return attempt(name, job(name).attempts());
  }

  public State state() {
    return state;
  }

  public SchedulerCore core() {
    return core;
  }

  public Plan plan() {
    return plan;
  }

  public Instant now() {
    return now;
  }

  public ClusterName clusterOf(String name) {
    return attempt(name).placement().offering().cluster();
  }

  /** Reports of the agent of whatever cluster the job's newest attempt is in. */
  public Agent agent() {
    return new Agent(this, 1);
  }
}
