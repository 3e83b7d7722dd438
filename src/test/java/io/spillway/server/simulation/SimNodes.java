package io.spillway.server.simulation;

import io.spillway.scheduler.input.AgentInput.NodesReported;
import io.spillway.scheduler.input.AgentInput.ReportedNode;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.ClusterName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** A cluster's machines: three of metal that it reports, or a fresh one for every start. */
final class SimNodes {
  private static final int METAL = 3;
  private static final String ID = "ocid1.instance.";

  private final ClusterName cluster;
  private final RandomGenerator random;
  private final boolean elastic;
  private final Map<String, Instant> dead = new TreeMap<>();
  private final Map<String, Instant> doomed = new TreeMap<>();
  private int started;

  SimNodes(ClusterName cluster, RandomGenerator random) {
    this.cluster = cluster;
    this.random = random;
    this.elastic = cluster.value().equals("eks");
  }

  private static String providerId(String node) {
    return ID + node;
  }

  /** Machines for a gang, the emptiest first; empty if there are not enough. */
  Optional<List<String>> take(int count, Collection<Run> runs) {
    List<String> machines = new ArrayList<>();
    if (elastic) {
      for (int i = 0; i < count; i++) {
        machines.add("i-" + ++started);
      }
      return Optional.of(machines);
    }
    for (int i = 0; i < METAL; i++) {
      if (!dead.containsKey("bm-" + i)) {
        machines.add(providerId("bm-" + i));
      }
    }
    machines.sort(
        Comparator.comparingLong(
            machine ->
                runs.stream()
                    .filter(run -> run.exists() && run.instances.contains(machine))
                    .count()));
    return machines.size() < count
        ? Optional.empty()
        : Optional.of(List.copyOf(machines.subList(0, count)));
  }

  NodesReported all() {
    List<ReportedNode> nodes = new ArrayList<>();
    for (int i = 0; !elastic && i < METAL; i++) {
      if (!dead.containsKey("bm-" + i)) {
        nodes.add(node("bm-" + i));
      }
    }
    return new NodesReported(cluster, true, nodes, List.of());
  }

  /** The provider takes the machine then. Of elastic ones that is the end. */
  void doom(String machine, Instant at) {
    doomed.merge(machine, at, (a, b) -> a.isBefore(b) ? a : b);
  }

  /** Machines whose time has come by now. */
  List<String> taken(Instant now) {
    List<String> taken =
        doomed.entrySet().stream()
            .filter(entry -> !entry.getValue().isAfter(now))
            .map(Map.Entry::getKey)
            .toList();
    doomed.keySet().removeAll(taken);
    return taken;
  }

  /** The machine does not exist; one of metal will be back after some minutes. */
  Optional<NodesReported> die(String machine, Instant now) {
    if (elastic) {
      return Optional.empty();
    }
    String node = machine.substring(ID.length());
    dead.put(node, now.plusSeconds(100 + random.nextInt(100)));
    return Optional.of(new NodesReported(cluster, false, List.of(), List.of(node)));
  }

  /** Those that are back. */
  Optional<NodesReported> back(Instant now) {
    List<String> back =
        dead.entrySet().stream()
            .filter(entry -> !entry.getValue().isAfter(now))
            .map(Map.Entry::getKey)
            .toList();
    dead.keySet().removeAll(back);
    return back.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new NodesReported(
                cluster, false, back.stream().map(SimNodes::node).toList(), List.of()));
  }

  Optional<String> any() {
    String node = "bm-" + random.nextInt(METAL);
    return elastic || dead.containsKey(node) ? Optional.empty() : Optional.of(providerId(node));
  }

  private static ReportedNode node(String name) {
    return new ReportedNode(
        name,
        providerId(name),
        "eu-frankfurt-1-ad-1",
        SimMarket.BARE_METAL,
        CapacityType.RESERVED,
        SimMarket.node(),
        Optional.empty(),
        true,
        List.of());
  }
}
