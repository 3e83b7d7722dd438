package io.spillway.scheduler.story;

import io.spillway.scheduler.input.AgentInput.ReportedNode;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.model.JobOrder;
import io.spillway.scheduler.model.JobShape;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.NodeShape;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.model.PoolName;
import io.spillway.scheduler.model.QueueName;
import io.spillway.scheduler.model.Rdma;
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

/**
 * The land in which stories play: cluster {@code ohio} with cheap and dear spot zones and
 * on-demand, and cluster {@code metal} with a sunk pool of four nodes. Each node has eight H100.
 */
public record Land(
    List<Rung> ladder, QueuePolicy.Retry retry, QueuePolicy.OnClusterLost onLost, String version) {
  public static final QueueName QUEUE = new QueueName("research");
  public static final ClusterName OHIO = new ClusterName("ohio");
  public static final ClusterName METAL = new ClusterName("metal");
  public static final PoolName POOL = new PoolName("bare");
  public static final String TYPE = "p5.48xlarge";
  public static final NodeShape NODE =
      new NodeShape(new GpuModel("nvidia-h100-80gb"), 8, 192, 2_048);
  public static final OfferingId CHEAP =
      new OfferingId(OHIO, "a", TYPE, CapacityType.SPOT, Optional.empty());
  public static final OfferingId DEAR =
      new OfferingId(OHIO, "b", TYPE, CapacityType.SPOT, Optional.empty());
  public static final OfferingId ON_DEMAND =
      new OfferingId(OHIO, "a", TYPE, CapacityType.ON_DEMAND, Optional.empty());
  public static final OfferingId BARE =
      new OfferingId(METAL, "m", TYPE, CapacityType.RESERVED, Optional.of(POOL));

  /** Spot first, then the pool as soon as spot yields nothing. */
  public static Land usual() {
    return new Land(
        List.of(spot(Optional.empty()), pool()),
        new QueuePolicy.Retry(2, 3, Duration.ofMinutes(1)),
        QueuePolicy.OnClusterLost.WAIT,
        "usual");
  }

  public Land ladder(Rung... rungs) {
    return new Land(List.of(rungs), retry, onLost, version);
  }

  public Land retry(QueuePolicy.Retry other) {
    return new Land(ladder, other, onLost, version);
  }

  public Land replacing() {
    return new Land(ladder, retry, QueuePolicy.OnClusterLost.REPLACE, version);
  }

  public Land version(String name) {
    return new Land(ladder, retry, onLost, name);
  }

  public static Rung spot(Optional<Rung.Until> until) {
    return rung("spot", List.of(CapacityType.SPOT), List.of(), until);
  }

  public static Rung pool() {
    return rung("pool", List.of(), List.of(POOL), Optional.empty());
  }

  public static Rung.Until interruptions(int count) {
    return new Rung.Until(
        Optional.empty(), OptionalInt.of(count), OptionalInt.empty(), Optional.empty());
  }

  public static Rung.Until refusals(int count) {
    return new Rung.Until(
        Optional.empty(), OptionalInt.empty(), OptionalInt.of(count), Optional.empty());
  }

  public static Rung.Until waited(Duration time) {
    return new Rung.Until(
        Optional.of(time), OptionalInt.empty(), OptionalInt.empty(), Optional.empty());
  }

  private static Rung rung(
      String name, List<CapacityType> types, List<PoolName> pools, Optional<Rung.Until> until) {
    return new Rung(name, types, List.of(), List.of(), List.of(), pools, Optional.empty(), until);
  }

  /** The policies of the land. */
  public PolicySet policies() {
    QueuePolicy queue =
        new QueuePolicy(
            QUEUE,
            "normal",
            List.of("low", "normal", "urgent"),
            QueuePolicy.Limits.NONE,
            ladder,
            retry,
            onLost);
    Map<ClusterName, ClusterPolicy> clusters = new TreeMap<>();
    clusters.put(OHIO, cluster(OHIO, "aws", List.of(entry())));
    clusters.put(METAL, cluster(METAL, "oci", List.of()));
    return new PolicySet(
        version,
        Map.of(QUEUE, queue),
        Map.of("low", 0, "normal", 100, "urgent", 1000),
        clusters,
        Map.of(POOL, poolPolicy()),
        List.of());
  }

  private static ClusterPolicy cluster(
      ClusterName name, String provider, List<ClusterPolicy.Capacity> capacity) {
    return new ClusterPolicy(
        name,
        provider,
        "prod",
        "here",
        "spillway-{queue}",
        Duration.ofMinutes(30),
        capacity,
        ClusterPolicy.Access.NONE);
  }

  private static ClusterPolicy.Capacity entry() {
    return new ClusterPolicy.Capacity(
        TYPE,
        List.of(CapacityType.SPOT, CapacityType.ON_DEMAND),
        List.of("a", "b"),
        32,
        Duration.ofMinutes(15),
        Optional.empty());
  }

  private static PoolPolicy poolPolicy() {
    return new PoolPolicy(
        POOL,
        METAL,
        TYPE,
        "m",
        CapacityType.RESERVED,
        Optional.of("cr-1"),
        4,
        Map.of(),
        Optional.empty(),
        Optional.empty(),
        new Usd(80_000_000),
        PoolPolicy.Accounting.SUNK,
        Duration.ofMinutes(10),
        Optional.empty());
  }

  /** The market key of one of the land's elastic offerings. */
  public static MarketKey key(OfferingId offering) {
    return new MarketKey(
        offering.cluster().equals(OHIO) ? "aws" : "oci",
        "prod",
        "here",
        offering.zone(),
        offering.instanceType(),
        offering.capacityType(),
        offering.pool().map(pool -> "cr-1"));
  }

  /** What a probe sees: the offering is there at that price. */
  public static Observation seen(OfferingId offering, String price, Instant at) {
    return new Observation(
        key(offering),
        NODE,
        Optional.of(UsdPerGpuHour.parse(price)),
        Optional.of(UsdPerGpuHour.parse("6.88")),
        Observation.Availability.AVAILABLE,
        Trust.OFFERED,
        at,
        at,
        "story");
  }

  public static ReportedNode node(String instance, OfferingId of) {
    return new ReportedNode(
        "node-" + instance,
        instance,
        of.zone(),
        of.instanceType(),
        of.capacityType(),
        NODE,
        Optional.empty(),
        true,
        List.of());
  }

  /** A gang of whole nodes that saves its work every ten minutes. */
  public static JobOrder gang(int nodes) {
    return new JobOrder(
        "train",
        QUEUE,
        "normal",
        true,
        new JobShape(
            nodes,
            8,
            List.of(NODE.gpu()),
            0,
            0,
            Rdma.NONE,
            JobShape.Needs.NONE,
            JobShape.Constraints.NONE),
        Optional.of(Duration.ofMinutes(10)),
        Optional.empty(),
        Optional.empty());
  }

  public static JobOrder limited(
      JobOrder order, Optional<Duration> timeout, Optional<Duration> queueTtl) {
    return new JobOrder(
        order.name(),
        order.queue(),
        order.priorityClass(),
        order.preemptible(),
        order.shape(),
        order.checkpointInterval(),
        timeout,
        queueTtl);
  }
}
