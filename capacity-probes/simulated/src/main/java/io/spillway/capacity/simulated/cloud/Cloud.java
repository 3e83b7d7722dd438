package io.spillway.capacity.simulated.cloud;

import io.spillway.capacity.simulated.cloud.Behaviour.Faults;
import io.spillway.capacity.simulated.cloud.Behaviour.RefusalMode;
import io.spillway.capacity.simulated.market.Line;
import io.spillway.capacity.simulated.market.Market;
import io.spillway.capacity.simulated.time.Timeline;
import io.spillway.scheduler.model.CapacityType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * All providers at once. Grants nodes as far as the market has them, takes back what it no longer
 * has, and does wrong what {@link Behaviour} and {@link Injections} say. Only from the timeline.
 */
public final class Cloud {
  private static final Duration TICK = Duration.ofSeconds(1);
  private static final Duration AFTER_RECOMMENDATION = Duration.ofSeconds(10);
  private static final int SLOW_FACTOR = 10;
  private static final List<RefusalMode> PLAIN_MODES =
      List.of(RefusalMode.AT_ONCE, RefusalMode.LATER, RefusalMode.SILENT);
  private static final double TICKS_PER_HOUR = 3_600;

  private final Timeline timeline;
  private final Market market;
  private final RandomGenerator random;
  private final ProviderEvents events;
  private final Injections injections;
  private final InstanceIds ids;
  private final Fleet fleet;
  private final Map<String, Customer> customers = new HashMap<>();
  private final Map<String, List<Long>> recentLaunches = new HashMap<>();
  private Behaviour behaviour;

  public Cloud(Timeline timeline, Market market, Behaviour behaviour, EventSink sink, long seed) {
    this.timeline = timeline;
    this.market = market;
    this.behaviour = behaviour;
    this.random = new SplittableRandom(seed);
    // Ids are not of the seed: a restarted process must not give an old instance's id again.
    RandomGenerator unique = new java.security.SecureRandom();
    this.events = new ProviderEvents(sink, unique);
    this.ids = new InstanceIds(unique);
    this.injections = new Injections(timeline);
    this.fleet = new Fleet(market);
    timeline.every(TICK, this::tick);
  }

  public Behaviour behaviour() {
    return behaviour;
  }

  public void behave(Behaviour changed) {
    behaviour = changed;
  }

  public Injections injections() {
    return injections;
  }

  public void join(String cluster, Customer customer) {
    customers.put(cluster, customer);
  }

  /** Draws a value between the bounds. */
  public Duration draw(long leastMillis, long mostMillis) {
    return Duration.ofMillis(
        mostMillis <= leastMillis ? leastMillis : random.nextLong(leastMillis, mostMillis + 1));
  }

  public void launch(Launch launch, Launch.Outcome outcome) {
    Optional<Refusal> refusal = refusal(launch);
    Optional<Injections.Forced> forced =
        refusal.isPresent() ? Optional.empty() : injections.takeRefusal(launch.line());
    if (forced.isPresent()) {
      refuse(launch, forced.get().of(launch.line()), forced.get().mode(), outcome);
    } else if (refusal.isPresent()) {
      refuse(launch, refusal.get(), behaviour.faults().refusalMode(), outcome);
    } else if (market.free(launch.line()) < launch.nodes()
        || random.nextDouble() < behaviour.faults().refusals()) {
      Refusal none = Refusal.noCapacity(launch.line());
      refuse(launch, none, behaviour.faults().refusalMode(), outcome);
    } else {
      grant(launch, outcome);
    }
  }

  private Optional<Refusal> refusal(Launch launch) {
    Line line = launch.line();
    Faults faults = behaviour.faults();
    if (injections.outageOf(launch.account().name()).isPresent()) {
      return Optional.of(Refusal.outage(line));
    }
    if (faults.launchesPerSecond() > 0) {
      List<Long> recent =
          recentLaunches.computeIfAbsent(
              launch.account().id() + '/' + line.region(), key -> new ArrayList<>());
      long now = timeline.monotonicMillis();
      recent.removeIf(at -> at < now - 1_000);
      recent.add(now);
      if (recent.size() > faults.launchesPerSecond()) {
        return Optional.of(Refusal.throttled(line));
      }
    }
    boolean overQuota =
        faults.quotaNodes() > 0
            && fleet.inRegion(launch.account().id(), line.region()) + launch.nodes()
                > faults.quotaNodes();
    return overQuota ? Optional.of(Refusal.quota(line)) : Optional.empty();
  }

  private void refuse(Launch launch, Refusal refusal, RefusalMode mode, Launch.Outcome outcome) {
    Instant at = timeline.now();
    timeline.after(
        Duration.ofMillis(behaviour.delays().events()),
        () -> events.refused(launch.line(), launch.account().id(), refusal, at));
    switch (resolved(mode, launch.line())) {
      case LATER -> timeline.after(bootTime(), () -> outcome.refused(refusal));
      case SILENT -> {}
      default -> timeline.execute(() -> outcome.refused(refusal));
    }
  }

  private RefusalMode resolved(RefusalMode mode, Line line) {
    RefusalMode drawn =
        mode == RefusalMode.MIXED ? PLAIN_MODES.get(random.nextInt(PLAIN_MODES.size())) : mode;
    // Who has no API log cannot be silent for ever: the cluster notices after a while.
    return drawn == RefusalMode.SILENT && !line.provider().equals("aws")
        ? RefusalMode.LATER
        : drawn;
  }

  private void grant(Launch launch, Launch.Outcome outcome) {
    List<Instance> instances = new ArrayList<>();
    Duration slowest = Duration.ZERO;
    for (int i = 0; i < launch.nodes(); i++) {
      Instance instance =
          new Instance(
              ids.next(launch.line()), launch.line(), launch.account().id(), launch.cluster());
      fleet.add(instance);
      instances.add(instance);
      Duration boot = bootTime();
      slowest = boot.compareTo(slowest) > 0 ? boot : slowest;
    }
    if (random.nextDouble() < behaviour.faults().timeouts()) {
      timeline.execute(() -> outcome.timedOut(Refusal.timedOut()));
    }
    timeline.after(slowest, () -> outcome.ready(instances));
  }

  private Duration bootTime() {
    Duration boot = draw(behaviour.delays().bootLeast(), behaviour.delays().bootMost());
    return random.nextDouble() < behaviour.faults().slowStarts()
        ? boot.multipliedBy(SLOW_FACTOR)
        : boot;
  }

  /** A machine of a reservation, which is there already and keeps its id over restarts. */
  public Instance reserved(String cluster, Account account, Line line, String node) {
    Instance instance =
        new Instance(InstanceIds.of(line, cluster + '/' + node), line, account.id(), cluster);
    fleet.add(instance);
    return instance;
  }

  /** Takes over an instance that this process granted before it was restarted. */
  public void adopt(Instance instance) {
    fleet.add(instance);
  }

  /** The customer gives it back. */
  public void giveBack(Instance instance) {
    if (fleet.remove(instance)) {
      events.gone(instance, timeline.now());
    }
  }

  public Collection<Instance> instances() {
    return fleet.all();
  }

  public Optional<Instance> instance(String id) {
    return fleet.find(id);
  }

  public boolean isDoomed(String id) {
    return fleet.isDoomed(id);
  }

  /** Recommends to leave the instance; nothing happens to it by that. */
  public void warn(Instance instance) {
    events.risk(instance, timeline.now());
  }

  /** Announces that the instance is taken back after that time, and takes it. */
  public void interrupt(Instance instance, Duration lead) {
    if (fleet.doom(instance)) {
      announce(instance, lead);
    }
  }

  private void announce(Instance instance, Duration lead) {
    Instant now = timeline.now();
    events.interruption(instance, now, now.plus(lead));
    customer(instance).ifPresent(c -> c.noticed(instance, now.plus(lead)));
    timeline.after(lead, () -> take(instance, true));
  }

  /** Takes the instance without a word before. */
  public void lose(Instance instance) {
    take(instance, false);
  }

  /** The machine breaks; nobody but the cluster notices. */
  public void breakDown(Instance instance) {
    if (fleet.remove(instance)) {
      customer(instance).ifPresent(c -> c.broke(instance));
    }
  }

  private void take(Instance instance, boolean announced) {
    if (fleet.remove(instance)) {
      events.gone(instance, timeline.now());
      customer(instance).ifPresent(c -> c.gone(instance, announced));
    }
  }

  private Optional<Customer> customer(Instance instance) {
    return Optional.ofNullable(customers.get(instance.cluster()));
  }

  private void tick() {
    for (Line line : fleet.lines()) {
      List<Instance> safe = fleet.safe(line);
      if (line.capacityType() == CapacityType.SPOT) {
        for (int over = safe.size() - market.capacity(line); over > 0; over--) {
          takeBack(safe.remove(random.nextInt(safe.size())));
        }
      }
      double failing = behaviour.faults().nodeFailures() / TICKS_PER_HOUR;
      safe.stream().filter(i -> random.nextDouble() < failing).toList().forEach(this::breakDown);
    }
  }

  private void takeBack(Instance instance) {
    Duration lead = ProviderEvents.leadTime(instance.line().provider());
    if (lead.isZero() || random.nextDouble() < behaviour.faults().losses()) {
      lose(instance);
    } else if (random.nextDouble() < behaviour.faults().rebalances() && fleet.doom(instance)) {
      warn(instance);
      timeline.after(AFTER_RECOMMENDATION, () -> announce(instance, lead));
    } else {
      interrupt(instance, lead);
    }
  }

  /** The lead time of that instance's provider. */
  public static Duration leadTime(Instance instance) {
    return ProviderEvents.leadTime(instance.line().provider());
  }
}
