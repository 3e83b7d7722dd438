package io.spillway.capacity.simulated.cloud;

import io.spillway.capacity.simulated.market.Line;
import io.spillway.capacity.simulated.market.Market;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** All instances that customers hold, and which of them are already announced to go. */
final class Fleet {
  private final Market market;
  private final Map<String, Instance> byId = new LinkedHashMap<>();
  private final Map<Line, Set<String>> byLine = new LinkedHashMap<>();
  private final Set<String> doomed = new LinkedHashSet<>();

  Fleet(Market market) {
    this.market = market;
  }

  void add(Instance instance) {
    byId.put(instance.id(), instance);
    byLine.computeIfAbsent(instance.line(), line -> new LinkedHashSet<>()).add(instance.id());
    market.hold(instance.line(), 1);
  }

  /** False if it was gone already. */
  boolean remove(Instance instance) {
    if (byId.remove(instance.id()) == null) {
      return false;
    }
    byLine.get(instance.line()).remove(instance.id());
    doomed.remove(instance.id());
    market.hold(instance.line(), -1);
    return true;
  }

  /** False if it was doomed already or is gone. */
  boolean doom(Instance instance) {
    return byId.containsKey(instance.id()) && doomed.add(instance.id());
  }

  boolean isDoomed(String id) {
    return doomed.contains(id);
  }

  Optional<Instance> find(String id) {
    return Optional.ofNullable(byId.get(id));
  }

  Collection<Instance> all() {
    return List.copyOf(byId.values());
  }

  long inRegion(String accountId, String region) {
    return byId.values().stream()
        .filter(i -> i.accountId().equals(accountId) && i.line().region().equals(region))
        .count();
  }

  /** Those of a line that nobody announced yet. */
  List<Instance> safe(Line line) {
    List<Instance> safe = new ArrayList<>();
    for (String id : byLine.getOrDefault(line, Set.of())) {
      if (!doomed.contains(id)) {
        safe.add(byId.get(id));
      }
    }
    return safe;
  }

  Set<Line> lines() {
    return Set.copyOf(byLine.keySet());
  }
}
