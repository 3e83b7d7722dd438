package io.spillway.capacity.simulated;

import io.spillway.capacity.simulated.agent.AgentMemory;
import io.spillway.capacity.simulated.agent.ClusterSpec;
import io.spillway.capacity.simulated.agent.Gateways;
import io.spillway.capacity.simulated.agent.Restored;
import io.spillway.capacity.simulated.agent.SimulatedCluster;
import io.spillway.capacity.simulated.cloud.Cloud;
import io.spillway.capacity.simulated.cloud.EventSink;
import io.spillway.capacity.simulated.cloud.KafkaEvents;
import io.spillway.capacity.simulated.ledger.Ledger;
import io.spillway.capacity.simulated.ledger.LedgerFile;
import io.spillway.capacity.simulated.ledger.NoLedger;
import io.spillway.capacity.simulated.market.Catalogue;
import io.spillway.capacity.simulated.market.Listing;
import io.spillway.capacity.simulated.market.Market;
import io.spillway.capacity.simulated.market.Traces;
import io.spillway.capacity.simulated.time.Timeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The simulated world, put together. Except for its making and closing only from the timeline. */
public final class Clouds implements AutoCloseable {
  private final Timeline timeline;
  private final Market market;
  private final Cloud cloud;
  private final EventSink events;
  private final Ledger ledger;
  private final AgentMemory memory;
  private final Gateways gateways;
  private final Map<String, SimulatedCluster> clusters = new LinkedHashMap<>();

  /**
   * @throws IOException if ledger, memory or traces cannot be read
   */
  public Clouds(Timeline timeline, CloudsSettings settings, EventSink events) throws IOException {
    this.timeline = timeline;
    this.events = events;
    this.market = new Market(timeline, settings.market());
    Catalogue.all().forEach(market::sell);
    Optional<Path> traces = settings.traces();
    if (traces.isPresent()) {
      market.replay(Traces.load(traces.get()));
    }
    this.cloud =
        new Cloud(timeline, market, settings.behaviour(), events, settings.market().seed());
    Files.createDirectories(settings.directory());
    Path file = settings.directory().resolve("ledger.jsonl");
    Map<String, Restored> before = new LinkedHashMap<>();
    if (settings.ledger()) {
      LedgerFile.read(
          file, line -> before.computeIfAbsent(line.cluster(), c -> new Restored()).read(line));
    }
    this.ledger = settings.ledger() ? new LedgerFile(file, timeline) : new NoLedger(timeline);
    this.memory = new AgentMemory(settings.directory().resolve("agents.json"));
    this.gateways = new Gateways(settings.gateways());
    timeline.execute(() -> memory.agents().values().forEach(known -> open(known.spec(), before)));
    timeline.every(Duration.ofSeconds(1), memory::saveIfChanged);
  }

  /** Events go to Kafka, or nowhere when there is none. */
  static EventSink events(String kafka) {
    return kafka.isEmpty() ? (topic, key, json) -> {} : new KafkaEvents(kafka);
  }

  /**
   * A cluster and its agent come into being; for a known cluster only its token changes, which its
   * agent shows at the next stream.
   *
   * @throws IllegalArgumentException if an instance type is not in the catalogue
   */
  public void join(ClusterSpec spec, String token) {
    sell(spec);
    memory.enrol(spec, token);
    if (!clusters.containsKey(spec.name())) {
      open(spec, Map.of());
    }
  }

  private void sell(ClusterSpec spec, String zone, String instanceType) {
    String provider = spec.account().provider();
    boolean sold =
        market.lines(provider).stream()
            .anyMatch(l -> l.zone().equals(zone) && l.instanceType().equals(instanceType));
    if (!sold) {
      Listing listing =
          Catalogue.find(provider, spec.region(), zone, instanceType)
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "cluster "
                              + spec.name()
                              + ": instance type "
                              + instanceType
                              + " of "
                              + provider
                              + " is not in the simulated catalogue"));
      market.sell(listing);
    }
  }

  private void sell(ClusterSpec spec) {
    for (ClusterSpec.Entry entry : spec.capacity()) {
      for (String zone : entry.zones()) {
        sell(spec, zone, entry.instanceType());
      }
    }
    spec.pools().forEach(pool -> sell(spec, pool.zone(), pool.instanceType()));
  }

  private void open(ClusterSpec spec, Map<String, Restored> before) {
    sell(spec);
    clusters.put(
        spec.name(),
        new SimulatedCluster(
            spec,
            new SimulatedCluster.Surroundings(timeline, market, cloud, ledger, memory, gateways),
            before.getOrDefault(spec.name(), new Restored())));
  }

  public Timeline timeline() {
    return timeline;
  }

  public Market market() {
    return market;
  }

  public Cloud cloud() {
    return cloud;
  }

  public Gateways gateways() {
    return gateways;
  }

  public Collection<SimulatedCluster> clusters() {
    return List.copyOf(clusters.values());
  }

  public Optional<SimulatedCluster> cluster(String name) {
    return Optional.ofNullable(clusters.get(name));
  }

  @Override
  public void close() {
    timeline.execute(() -> clusters.values().forEach(SimulatedCluster::close));
    try {
      ledger.close();
      events.close();
    } catch (Exception e) {
      throw new IllegalStateException("the simulated clouds did not end orderly", e);
    }
    gateways.close();
  }
}
