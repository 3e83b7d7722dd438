package io.spillway.server.world;

import io.spillway.scheduler.input.AgentInput.ReportedNode;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.model.NodeShape;
import io.spillway.scheduler.model.PoolName;
import io.spillway.scheduler.model.QueueName;
import io.spillway.scheduler.model.Usd;
import io.spillway.scheduler.policy.ClusterPolicy;
import io.spillway.scheduler.policy.PolicySet;
import io.spillway.scheduler.policy.PoolPolicy;
import io.spillway.scheduler.policy.QueuePolicy;
import io.spillway.scheduler.policy.Rung;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** One queue, one cluster, one pool: enough for a job to be placed without any market. */
public final class DemoPolicies {
  public static final QueueName QUEUE = new QueueName("research");
  public static final ClusterName CLUSTER = new ClusterName("sim");
  private static final PoolName POOL = new PoolName("pool");
  private static final String TYPE = "gpu.8xlarge";
  private static final String ZONE = "zone-a";
  private static final int GPUS = 8;

  private DemoPolicies() {}

  /** With that many nodes of eight H100 each. */
  public static PolicySet of(int nodes) {
    Rung rung =
        new Rung(
            "pool",
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(POOL),
            Optional.empty(),
            Optional.empty());
    QueuePolicy queue =
        new QueuePolicy(
            QUEUE,
            "normal",
            List.of("low", "normal", "urgent"),
            QueuePolicy.Limits.NONE,
            List.of(rung),
            new QueuePolicy.Retry(0, 1_000, Duration.ofMillis(1)),
            QueuePolicy.OnClusterLost.WAIT);
    ClusterPolicy cluster =
        new ClusterPolicy(
            CLUSTER,
            "sim",
            "prod",
            "region-a",
            "spillway-{queue}",
            Duration.ofMinutes(30),
            List.of(),
            ClusterPolicy.Access.NONE);
    PoolPolicy pool =
        new PoolPolicy(
            POOL,
            CLUSTER,
            TYPE,
            ZONE,
            CapacityType.RESERVED,
            Optional.empty(),
            nodes,
            Map.of(QUEUE, nodes),
            Optional.empty(),
            Optional.empty(),
            new Usd(80_000_000),
            PoolPolicy.Accounting.SUNK,
            Duration.ofMinutes(5),
            Optional.empty());
    return new PolicySet(
        "demo-" + nodes,
        Map.of(QUEUE, queue),
        Map.of("low", 0, "normal", 100, "urgent", 1000),
        Map.of(CLUSTER, cluster),
        Map.of(POOL, pool),
        List.of());
  }

  /** The pool's nodes as an agent reports them. */
  public static List<ReportedNode> nodes(int nodes) {
    return IntStream.range(0, nodes)
        .mapToObj(
            i ->
                new ReportedNode(
                    "node-" + i,
                    "i-" + i,
                    ZONE,
                    TYPE,
                    CapacityType.RESERVED,
                    new NodeShape(new GpuModel("nvidia-h100-80gb"), GPUS, 96, 900),
                    Optional.empty(),
                    true,
                    List.of()))
        .toList();
  }
}
