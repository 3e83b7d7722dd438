package io.spillway.server.simulation;

import io.spillway.scheduler.input.AgentInput;
import io.spillway.scheduler.input.CommandInput;
import io.spillway.scheduler.input.Input;
import io.spillway.scheduler.input.MarketInput.ObservationChanged;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.state.Memo;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** One seed's run: a few hundred steps under faults, then quiet, then the last judgement. */
final class Simulation {
  private static final int STEPS = 110;
  private static final int QUIET_STEPS = 400;

  private final long seed;
  private final int steps;
  private final Random random;
  private final Coverage coverage;
  private final SimClock clock = new SimClock(SimUsers.start());
  private final SimStore store;
  private final Oracle oracle;
  private final SimUsers users;
  private final SimFate fate;
  private final List<SimReplica> replicas = new ArrayList<>();
  private final List<SimCluster> clusters = new ArrayList<>();
  private long epoch;
  private boolean faults = true;

  Simulation(long seed, Set<PlantedBug> bugs, Coverage coverage) {
    this(seed, STEPS, bugs, coverage);
  }

  /** A run of that many steps before the quiet. */
  Simulation(long seed, int steps, Set<PlantedBug> bugs, Coverage coverage) {
    this.seed = seed;
    this.steps = steps;
    this.random = new Random(seed);
    this.coverage = coverage;
    this.store = new SimStore(random, bugs);
    this.oracle = new Oracle(coverage);
    oracle.watch(store);
    this.users = new SimUsers(random, bugs, oracle);
    for (int i = 0; i < 2; i++) {
      replicas.add(new SimReplica(store, clock.replica(), random));
    }
    for (String name : List.of("eks", "oke")) {
      clusters.add(new SimCluster(name, random, bugs, oracle));
    }
    this.fate = new SimFate(random, oracle, clusters, input -> tell("market", input));
  }

  SimStore store() {
    return store;
  }

  /** Throws with the seed and the last events if a promise breaks. */
  void run() {
    coverage.nextSeed();
    try {
      begin();
      for (int step = 0; step < steps; step++) {
        step(step);
      }
      quieten();
      oracle.quiesced(clusters);
    } catch (AssertionError | RuntimeException broken) {
      throw new AssertionError(
          "seed "
              + seed
              + ": "
              + broken.getMessage()
              + "\n(replay: -Dsimulation.seed="
              + seed
              + ")"
              + (Boolean.getBoolean("simulation.trace") ? "\n" + oracle.trace() : ""),
          broken);
    }
  }

  String trace() {
    return oracle.trace();
  }

  private void begin() {
    tell("users", new CommandInput.PolicyOffered(SimMarket.policies(1)));
    for (SimCluster cluster : clusters) {
      tell("users", new CommandInput.ClusterRegistered(cluster.name));
      cluster.connect();
    }
    SimMarket.all(random, clock.instant()).forEach(o -> tell("market", new ObservationChanged(o)));
    elect(0);
  }

  private void step(int step) {
    clock.advance(Duration.ofMillis(random.nextInt(random.nextInt(12) == 0 ? 40_000 : 3_000)));
    if (step < steps * 2 / 3 && random.nextInt(3) == 0) {
      users.submit(input -> tell("users", input));
    }
    if (random.nextInt(4) == 0) {
      users.changeMinds(input -> tell("users", input), oracle.shadow());
    }
    fate.strike(clock.instant());
    clouds();
    faults();
    schedule();
    oracle.follow();
  }

  // --- agents and gateways

  private void clouds() {
    Instant now = clock.instant();
    boolean recovery = oracle.shadow().system().recovery().isPresent();
    for (SimCluster cluster : clusters) {
      cluster.tick(now);
      if (cluster.forgets(now)) {
        met(Fault.AGENT_FORGOT, cluster);
      }
      if (!cluster.connected) {
        continue;
      }
      for (Attempt attempt : List.copyOf(store.attemptRows().values())) {
        boolean ours = attempt.placement().offering().cluster().equals(cluster.name);
        if (ours && (!faults || random.nextInt(3) > 0)) {
          cluster.obey(attempt, now, recovery);
        }
      }
      strays(cluster, now);
      deliver(cluster);
    }
  }

  private void strays(SimCluster cluster, Instant now) {
    for (Memo.Stray stray : oracle.shadow().strays(cluster.name)) {
      if (stray.stopping()) {
        cluster.stopStray(stray.attempt(), now);
      }
    }
  }

  private void deliver(SimCluster cluster) {
    Deque<AgentInput> unsent = cluster.unsent();
    int count = random.nextInt(4) + (!faults || unsent.size() > 20 ? 20 : 0);
    for (int i = 0; i < count && !unsent.isEmpty(); i++) {
      if (faults && random.nextInt(12) == 0) {
        met(Fault.INPUT_LATE, cluster);
        return;
      }
      AgentInput input = unsent.pollFirst();
      if (faults && random.nextInt(15) == 0 && input instanceof AgentInput.AttemptReported) {
        met(Fault.INPUT_REORDERED, cluster);
        unsent.addLast(input);
        continue;
      }
      tell("agent-" + cluster.name, input);
      if (faults && random.nextInt(12) == 0) {
        met(Fault.INPUT_TWICE, cluster);
        tell("agent-" + cluster.name, input);
      }
    }
  }

  // --- faults

  private void faults() {
    for (SimCluster cluster : clusters) {
      if (cluster.connected ? random.nextInt(40) == 0 : random.nextInt(8) == 0) {
        if (cluster.connected) {
          met(Fault.AGENT_PARTITIONED, cluster);
          tell("agent-" + cluster.name, cluster.disconnect());
        } else {
          cluster.connect();
        }
      }
      if (random.nextInt(30) == 0) {
        met(Fault.AGENT_RESTARTED, cluster);
        if (!cluster.unsent().isEmpty()) {
          met(Fault.INPUT_LOST, cluster);
        }
        boolean was = cluster.connected;
        cluster.restartAgent();
        if (was) {
          tell("agent-" + cluster.name, cluster.disconnect());
          cluster.connect();
        }
      }
    }
    if (random.nextInt(30) == 0) {
      met(Fault.CLOCK_JUMPED);
      replicas.get(random.nextInt(2)).clock().skew(Duration.ofSeconds(random.nextInt(1_201) - 600));
    }
  }

  /** A replica whose clock is off may not lead: at the next renewal of the lease it loses it. */
  private boolean mayLead(SimReplica replica) {
    return replica.clock().skew().abs().compareTo(Duration.ofSeconds(2)) <= 0;
  }

  private void schedule() {
    int leader = replicas.get(0).leads() ? 0 : 1;
    int standby = 1 - leader;
    if (random.nextInt(25) == 0 || !mayLead(replicas.get(leader))) {
      if (random.nextInt(2) == 0) {
        // the last cycle before the lease is renewed
        replicas.get(leader).cycle();
        oracle.follow();
      }
      met(Fault.LEADER_CHANGED);
      replicas.get(leader).loseLease();
      long old = epoch;
      elect(standby);
      if (random.nextBoolean()) {
        met(Fault.OLD_LEADER_COMMITS);
        replicas.get(standby).cycle();
        oracle.follow();
        replicas.get(leader).cycleLate(old);
      }
      return;
    }
    if (random.nextInt(30) == 0) {
      met(Fault.RESTARTED);
      replicas.get(standby).restart();
    }
    if (random.nextInt(8) == 0) {
      boolean after = random.nextBoolean();
      met(after ? Fault.COMMIT_UNKNOWN : Fault.COMMIT_FAILED);
      store.outage = Optional.of(after ? SimStore.Outage.LOST_AFTER : SimStore.Outage.LOST_BEFORE);
    }
    replicas.get(leader).renew();
    replicas.get(leader).cycle();
    if (random.nextInt(6) == 0) {
      replicas.get(leader).remember();
    }
    if (random.nextInt(3) == 0) {
      replicas.get(standby).follow();
    }
  }

  private void elect(int replica) {
    replicas.get(replica).clock().skew(Duration.ZERO);
    replicas.get(replica).renew();
    epoch = store.takeEpoch();
    replicas.get(replica).lead(epoch);
  }

  private void quieten() {
    faults = false;
    clusters.forEach(cluster -> cluster.calm(clock.instant()));
    users.calm(input -> tell("users", input));
    replicas.forEach(replica -> replica.clock().skew(Duration.ZERO));
    SimMarket.all(random, clock.instant()).forEach(o -> tell("market", new ObservationChanged(o)));
    int leader = replicas.get(0).leads() ? 0 : 1;
    for (int i = 0; i < QUIET_STEPS && !(i > 12 && quiet()); i++) {
      clock.advance(Duration.ofSeconds(i < 12 ? 10 : 20));
      for (SimCluster cluster : clusters) {
        if (!cluster.connected) {
          cluster.connect();
        }
      }
      clouds();
      replicas.get(leader).cycle();
      oracle.follow();
    }
    replicas.get(1 - leader).restart();
  }

  private boolean quiet() {
    return store.drained()
        && clusters.stream().allMatch(SimCluster::isQuiet)
        && store.attemptRows().values().stream().noneMatch(a -> a.state().isLive());
  }

  private void met(Fault fault, SimCluster cluster) {
    oracle.shadow().attempts().stream()
        .filter(attempt -> attempt.placement().offering().cluster().equals(cluster.name))
        .forEach(attempt -> coverage.fault(fault, attempt.state().label()));
  }

  private void met(Fault fault) {
    oracle.shadow().attempts().forEach(attempt -> coverage.fault(fault, attempt.state().label()));
  }

  private void tell(String writer, Input input) {
    store.append(writer, input, clock.instant());
  }
}
