package io.spillway.scheduler.placement;

import io.spillway.scheduler.input.AgentInput.ReportedNode;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.Fabric;
import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.model.JobId;
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
import io.spillway.scheduler.policy.PriceOverride;
import io.spillway.scheduler.policy.QueuePolicy;
import io.spillway.scheduler.policy.Rung;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/** Values in the domain's words. */
final class Given {
  static final GpuModel H100 = new GpuModel("nvidia-h100-80gb");
  static final GpuModel B200 = new GpuModel("nvidia-b200-180gb");
  static final NodeShape H100_NODE = new NodeShape(H100, 8, 192, 2_048);
  static final String TYPE = "p5.48xlarge";
  static final QueueName RESEARCH = new QueueName("research");

  private Given() {}

  static JobId jobId(int number) {
    return new JobId(String.format("01%024d", number));
  }

  static JobShape shape(int nodes, int gpusPerNode) {
    return new JobShape(
        nodes,
        gpusPerNode,
        List.of(H100),
        0,
        0,
        Rdma.NONE,
        JobShape.Needs.NONE,
        JobShape.Constraints.NONE);
  }

  static JobOrder job(QueueName queue, String priorityClass, JobShape shape) {
    return new JobOrder(
        "job",
        queue,
        priorityClass,
        true,
        shape,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** One node of eight H100 in queue research. */
  static JobOrder job() {
    return job(RESEARCH, "normal", shape(1, 8));
  }

  static JobOrder job(String priorityClass) {
    return job(RESEARCH, priorityClass, shape(1, 8));
  }

  static JobOrder job(JobShape shape) {
    return job(RESEARCH, "normal", shape);
  }

  static Rung rung(String name, CapacityType... types) {
    return new Rung(
        name,
        Arrays.asList(types),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        Optional.empty(),
        Optional.empty());
  }

  static Rung pools(String name, String... pools) {
    return new Rung(
        name,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        Arrays.stream(pools).map(PoolName::new).toList(),
        Optional.empty(),
        Optional.empty());
  }

  static Rung until(Rung rung, Rung.Until until) {
    return new Rung(
        rung.name(),
        rung.capacityTypes(),
        rung.providers(),
        rung.regions(),
        rung.clusters(),
        rung.pools(),
        rung.maxPricePerGpuHour(),
        Optional.of(until));
  }

  static Rung atMost(Rung rung, String price) {
    return new Rung(
        rung.name(),
        rung.capacityTypes(),
        rung.providers(),
        rung.regions(),
        rung.clusters(),
        rung.pools(),
        Optional.of(UsdPerGpuHour.parse(price)),
        rung.until());
  }

  static Rung.Until waited(Duration time) {
    return new Rung.Until(
        Optional.of(time), OptionalInt.empty(), OptionalInt.empty(), Optional.empty());
  }

  static Rung.Until exhausted(Duration time) {
    return new Rung.Until(
        Optional.empty(), OptionalInt.empty(), OptionalInt.empty(), Optional.of(time));
  }

  static Rung.Until interruptions(int count) {
    return new Rung.Until(
        Optional.empty(), OptionalInt.of(count), OptionalInt.empty(), Optional.empty());
  }

  static Rung.Until refusals(int count) {
    return new Rung.Until(
        Optional.empty(), OptionalInt.empty(), OptionalInt.of(count), Optional.empty());
  }

  static QueuePolicy queue(QueueName name, Rung... ladder) {
    return new QueuePolicy(
        name,
        "normal",
        List.of("low", "normal", "urgent"),
        QueuePolicy.Limits.NONE,
        Arrays.asList(ladder),
        QueuePolicy.Retry.DEFAULT,
        QueuePolicy.OnClusterLost.WAIT);
  }

  static ClusterPolicy cluster(String name, ClusterPolicy.Capacity... capacity) {
    return new ClusterPolicy(
        new ClusterName(name),
        "aws",
        "prod",
        "us-east-2",
        "spillway-{queue}",
        Duration.ofMinutes(30),
        Arrays.asList(capacity),
        ClusterPolicy.Access.NONE);
  }

  static ClusterPolicy.Capacity capacity(int maxNodes, List<String> zones, CapacityType... types) {
    return new ClusterPolicy.Capacity(
        TYPE, Arrays.asList(types), zones, maxNodes, Duration.ofMinutes(15), Optional.empty());
  }

  static ClusterPolicy.Capacity withFabric(ClusterPolicy.Capacity entry) {
    return new ClusterPolicy.Capacity(
        entry.instanceType(),
        entry.capacityTypes(),
        entry.zones(),
        entry.maxNodes(),
        entry.launchDeadline(),
        Optional.of(new Fabric("efa", "pg-1")));
  }

  static PoolPolicy pool(String name, String cluster, int nodes) {
    return new PoolPolicy(
        new PoolName(name),
        new ClusterName(cluster),
        TYPE,
        "pool-zone",
        CapacityType.RESERVED,
        Optional.of("cr-" + name),
        nodes,
        Map.of(),
        Optional.empty(),
        Optional.empty(),
        new Usd(80_000_000),
        PoolPolicy.Accounting.SUNK,
        Duration.ofMinutes(10),
        Optional.empty());
  }

  static PolicySet policies(
      List<QueuePolicy> queues, List<ClusterPolicy> clusters, List<PoolPolicy> pools) {
    return policies(queues, clusters, pools, List.of());
  }

  static PolicySet policies(
      List<QueuePolicy> queues,
      List<ClusterPolicy> clusters,
      List<PoolPolicy> pools,
      List<PriceOverride> overrides) {
    Map<QueueName, QueuePolicy> byQueue = new TreeMap<>();
    queues.forEach(queue -> byQueue.put(queue.name(), queue));
    Map<ClusterName, ClusterPolicy> byCluster = new TreeMap<>();
    clusters.forEach(cluster -> byCluster.put(cluster.name(), cluster));
    Map<PoolName, PoolPolicy> byPool = new TreeMap<>();
    pools.forEach(pool -> byPool.put(pool.name(), pool));
    return new PolicySet(
        "test",
        byQueue,
        Map.of("low", 0, "normal", 100, "urgent", 1000),
        byCluster,
        byPool,
        overrides);
  }

  static OfferingId offering(String cluster, String zone, CapacityType type) {
    return new OfferingId(new ClusterName(cluster), zone, TYPE, type, Optional.empty());
  }

  static OfferingId poolOffering(String pool, String cluster) {
    return new OfferingId(
        new ClusterName(cluster),
        "pool-zone",
        TYPE,
        CapacityType.RESERVED,
        Optional.of(new PoolName(pool)));
  }

  static MarketKey key(String zone, CapacityType type) {
    return new MarketKey("aws", "prod", "us-east-2", zone, TYPE, type, Optional.empty());
  }

  static Observation priced(MarketKey key, String price, Instant at) {
    return new Observation(
        key,
        H100_NODE,
        Optional.of(UsdPerGpuHour.parse(price)),
        Optional.of(UsdPerGpuHour.parse("6.88")),
        Observation.Availability.AVAILABLE,
        Trust.OFFERED,
        at,
        at,
        "test");
  }

  static ReportedNode node(String name, boolean ready) {
    return new ReportedNode(
        name,
        "i-" + name,
        "pool-zone",
        TYPE,
        CapacityType.RESERVED,
        H100_NODE,
        Optional.empty(),
        ready,
        List.of());
  }
}
