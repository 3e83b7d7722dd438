package io.spillway.capacity.simulated.control;

import io.spillway.capacity.simulated.Clouds;
import io.spillway.capacity.simulated.agent.SimulatedCluster;
import io.spillway.capacity.simulated.cloud.Behaviour.RefusalMode;
import io.spillway.capacity.simulated.cloud.Cloud;
import io.spillway.capacity.simulated.cloud.Injections;
import io.spillway.capacity.simulated.cloud.Instance;
import io.spillway.capacity.simulated.market.Line;
import io.spillway.scheduler.model.UsdPerGpuHour;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Calls that force something upon the clouds. Only from the timeline. */
final class Forces {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Clouds clouds;

  Forces(Clouds clouds) {
    this.clouds = clouds;
  }

  /** What a provider does to an instance. */
  enum Blow {
    NOTICE,
    RISK,
    LOSS,
    BREAK
  }

  /** The answer, or empty if there is no such call. */
  Optional<Map<String, Object>> apply(String path, Parameters query) {
    return switch (path) {
      case "/interrupt" -> Optional.of(interrupt(query));
      case "/capacity" -> {
        List<Line> lines = lines(query);
        int nodes = query.count("nodes", 0);
        Duration time = query.seconds("seconds", MINUTE);
        lines.forEach(line -> clouds.market().force(line, nodes, time));
        yield Optional.of(told(lines));
      }
      case "/price" -> {
        List<Line> lines = lines(query);
        UsdPerGpuHour price = UsdPerGpuHour.parse(query.required("usdPerGpuHour"));
        Duration time = query.seconds("seconds", MINUTE);
        lines.forEach(line -> clouds.market().forcePrice(line, price, time));
        yield Optional.of(told(lines));
      }
      case "/refuse" -> {
        clouds
            .cloud()
            .injections()
            .refuse(
                query::match,
                query.choice("kind", Injections.Kind.class, Injections.Kind.NO_CAPACITY),
                query.choice("mode", RefusalMode.class, RefusalMode.AT_ONCE),
                query.count("times", 1),
                query.seconds("seconds", MINUTE));
        yield Optional.of(told(lines(query)));
      }
      case "/outage" -> {
        String account = query.required("account");
        clouds
            .cloud()
            .injections()
            .outage(
                account,
                query.choice(
                    "kind", Injections.OutageKind.class, Injections.OutageKind.UNAVAILABLE),
                query.seconds("seconds", MINUTE));
        yield Optional.of(Map.of("account", account));
      }
      case "/partition" -> {
        SimulatedCluster cluster =
            clouds
                .cluster(query.required("cluster"))
                .orElseThrow(() -> new IllegalArgumentException("no such cluster"));
        cluster.partition(query.seconds("seconds", MINUTE));
        yield Optional.of(Map.of("cluster", cluster.spec().name()));
      }
      default -> Optional.empty();
    };
  }

  private List<Line> lines(Parameters query) {
    return clouds.market().lines().stream().filter(query::match).toList();
  }

  private static Map<String, Object> told(List<Line> lines) {
    return Map.of("lines", lines.stream().map(Line::text).toList());
  }

  private Map<String, Object> interrupt(Parameters query) {
    Set<String> ofAttempt = query.text("attempt").map(this::instancesOf).orElse(Set.of());
    List<Instance> meant =
        clouds.cloud().instances().stream()
            .filter(i -> query.match(i.line()) && query.same("cluster", i.cluster()))
            .filter(i -> query.same("instance", i.id()))
            .filter(i -> ofAttempt.isEmpty() || ofAttempt.contains(i.id()))
            .filter(i -> !clouds.cloud().isDoomed(i.id()))
            .limit(query.count("count", 1))
            .toList();
    if (query.text("attempt").isPresent() && ofAttempt.isEmpty()) {
      throw new IllegalArgumentException("no such attempt has instances");
    }
    Blow blow = query.choice("kind", Blow.class, Blow.NOTICE);
    Cloud cloud = clouds.cloud();
    for (Instance instance : meant) {
      switch (blow) {
        case NOTICE -> take(cloud, instance, lead(query, instance));
        case RISK -> cloud.warn(instance);
        case LOSS -> cloud.lose(instance);
        case BREAK -> cloud.breakDown(instance);
      }
    }
    long seconds =
        blow == Blow.NOTICE && !meant.isEmpty() ? lead(query, meant.getFirst()).toSeconds() : 0;
    return Map.of("instances", meant.stream().map(Instance::id).toList(), "leadSeconds", seconds);
  }

  private static Duration lead(Parameters query, Instance instance) {
    return query.seconds("leadSeconds", Cloud.leadTime(instance));
  }

  /** A provider that gives no time says nothing before. */
  private static void take(Cloud cloud, Instance instance, Duration lead) {
    if (lead.isZero()) {
      cloud.lose(instance);
    } else {
      cloud.interrupt(instance, lead);
    }
  }

  private Set<String> instancesOf(String attempt) {
    return clouds.clusters().stream()
        .flatMap(cluster -> cluster.status().workloads().stream())
        .filter(w -> w.attempt().equals(attempt))
        .flatMap(w -> w.instances().stream())
        .collect(Collectors.toSet());
  }
}
