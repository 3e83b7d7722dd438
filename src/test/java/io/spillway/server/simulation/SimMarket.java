package io.spillway.server.simulation;

import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.NodeShape;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.model.PoolName;
import io.spillway.scheduler.model.QueueName;
import io.spillway.scheduler.model.Trust;
import io.spillway.scheduler.model.Usd;
import io.spillway.scheduler.model.UsdPerGpuHour;
import io.spillway.scheduler.policy.ClusterPolicy;
import io.spillway.scheduler.policy.PolicySet;
import io.spillway.scheduler.policy.PoolPolicy;
import io.spillway.scheduler.policy.QueuePolicy;
import io.spillway.scheduler.policy.Rung;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** A small market: spot and on-demand in one cloud, a reserved pool in another; three queues. */
final class SimMarket {
  static final String TYPE = "p5.48xlarge";
  static final String BARE_METAL = "BM.GPU.H100.8";
  static final List<String> ZONES = List.of("use2-az1", "use2-az2");
  static final List<String> QUEUES = List.of("research", "nlp", "strict");
  private static final NodeShape NODE =
      new NodeShape(new GpuModel("nvidia-h100-80gb"), 8, 192, 2_048);

  private SimMarket() {}

  static PolicySet policies(int version) {
    Rung spot =
        new Rung(
            "cheap-spot",
            List.of(CapacityType.SPOT),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            Optional.of(UsdPerGpuHour.parse("5")),
            Optional.of(
                new Rung.Until(
                    Optional.of(Duration.ofMinutes(2)),
                    OptionalInt.of(1),
                    OptionalInt.of(2),
                    Optional.of(Duration.ofSeconds(30)))));
    Rung reserved =
        new Rung(
            "reserved",
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(new PoolName("bare-metal")),
            Optional.empty(),
            Optional.empty());
    Rung last = rung("last-resort", CapacityType.ON_DEMAND);
    Map<QueueName, QueuePolicy> queues = new TreeMap<>();
    for (String queue : QUEUES) {
      List<Rung> ladder =
          switch (queue) {
            case "strict" -> List.of(last);
            case "nlp" -> List.of(reserved, last);
            default -> List.of(spot, reserved, last);
          };
      queues.put(new QueueName(queue), queue(queue, ladder));
    }
    ClusterName eks = new ClusterName("eks");
    ClusterName oke = new ClusterName("oke");
    return new PolicySet(
        "v" + version,
        queues,
        Map.of("low", 0, "normal", 100, "urgent", 1_000),
        Map.of(
            eks, cluster(eks, "aws", "us-east-2", List.of(capacity(6 + version % 3))),
            oke, cluster(oke, "oci", "eu-frankfurt-1", List.of())),
        Map.of(new PoolName("bare-metal"), pool(oke)),
        List.of());
  }

  private static QueuePolicy queue(String name, List<Rung> ladder) {
    return new QueuePolicy(
        new QueueName(name),
        "normal",
        List.of("low", "normal", "urgent"),
        QueuePolicy.Limits.NONE,
        ladder,
        new QueuePolicy.Retry(1, name.equals("nlp") ? 0 : 5, Duration.ofSeconds(10)),
        name.equals("nlp") ? QueuePolicy.OnClusterLost.REPLACE : QueuePolicy.OnClusterLost.WAIT);
  }

  private static Rung rung(String name, CapacityType type) {
    return new Rung(
        name,
        List.of(type),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        Optional.empty(),
        Optional.empty());
  }

  private static ClusterPolicy cluster(
      ClusterName name, String provider, String region, List<ClusterPolicy.Capacity> capacity) {
    return new ClusterPolicy(
        name,
        provider,
        "prod",
        region,
        "spillway-{queue}",
        Duration.ofMinutes(5),
        capacity,
        ClusterPolicy.Access.NONE);
  }

  private static ClusterPolicy.Capacity capacity(int maxNodes) {
    return new ClusterPolicy.Capacity(
        TYPE,
        List.of(CapacityType.SPOT, CapacityType.ON_DEMAND),
        ZONES,
        maxNodes,
        Duration.ofSeconds(60),
        Optional.empty());
  }

  private static PoolPolicy pool(ClusterName cluster) {
    return new PoolPolicy(
        new PoolName("bare-metal"),
        cluster,
        BARE_METAL,
        "eu-frankfurt-1-ad-1",
        CapacityType.RESERVED,
        Optional.empty(),
        3,
        Map.of(),
        Optional.empty(),
        Optional.empty(),
        new Usd(80_000_000),
        PoolPolicy.Accounting.SUNK,
        Duration.ofSeconds(90),
        Optional.empty());
  }

  /** The market key of an offering of this market. */
  static Optional<MarketKey> key(OfferingId offering) {
    boolean aws = offering.cluster().value().equals("eks");
    return Optional.of(
        new MarketKey(
            aws ? "aws" : "oci",
            "prod",
            aws ? "us-east-2" : "eu-frankfurt-1",
            offering.zone(),
            offering.instanceType(),
            offering.capacityType(),
            Optional.empty()));
  }

  /** Every key, at a price of its own. */
  static List<Observation> all(RandomGenerator random, Instant at) {
    return ZONES.stream()
        .flatMap(
            zone ->
                List.of(CapacityType.SPOT, CapacityType.ON_DEMAND).stream()
                    .map(type -> observed(awsKey(zone, type), random, at)))
        .toList();
  }

  static MarketKey awsKey(String zone, CapacityType type) {
    return new MarketKey("aws", "prod", "us-east-2", zone, TYPE, type, Optional.empty());
  }

  static Observation observed(MarketKey key, RandomGenerator random, Instant at) {
    boolean spot = key.capacityType() == CapacityType.SPOT;
    String price = spot ? (random.nextInt(40) == 0 ? "0.0001" : "2." + random.nextInt(10)) : "6.88";
    return new Observation(
        key,
        NODE,
        random.nextInt(30) == 0 ? Optional.empty() : Optional.of(UsdPerGpuHour.parse(price)),
        Optional.of(UsdPerGpuHour.parse("6.88")),
        random.nextInt(6) == 0
            ? Observation.Availability.UNAVAILABLE
            : Observation.Availability.AVAILABLE,
        Trust.OFFERED,
        at,
        at,
        "sim");
  }

  static NodeShape node() {
    return NODE;
  }
}
