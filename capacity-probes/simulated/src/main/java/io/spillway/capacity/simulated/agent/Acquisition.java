package io.spillway.capacity.simulated.agent;

import io.spillway.capacity.simulated.cloud.Cloud;
import io.spillway.capacity.simulated.cloud.Customer;
import io.spillway.capacity.simulated.cloud.Instance;
import io.spillway.capacity.simulated.cloud.Launch;
import io.spillway.capacity.simulated.cloud.Refusal;
import io.spillway.capacity.simulated.market.Line;
import io.spillway.capacity.simulated.market.Market;
import io.spillway.capacity.simulated.time.Timeline;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.NodeShape;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The cluster's scheduler and autoscaler: gets workloads a place, all members or none. On a pool
 * they wait for room, elsewhere nodes are started for them. Only from the timeline.
 */
final class Acquisition implements Customer {
  private static final Duration REPAIR = Duration.ofMinutes(1);

  private final Timeline timeline;
  private final Market market;
  private final Cloud cloud;
  private final ClusterSpec spec;
  private final NodeBook book;
  private final Listener listener;
  private final Deque<Workload> waiting = new ArrayDeque<>();
  private final Map<Workload, Integer> launching = new LinkedHashMap<>();

  /** Told what becomes of workloads and nodes. */
  interface Listener {
    /** All members have a place. */
    void ready(Workload workload);

    void refused(Workload workload, Refusal refusal);

    /** Something went wrong that ends nothing. */
    void symptom(Workload workload, Refusal refusal);

    void changed(Node node);

    void removed(Node node);

    /** A node is gone; whose member was there loses it. */
    void lost(Node node, boolean announced);
  }

  Acquisition(Timeline timeline, Market market, Cloud cloud, ClusterSpec spec, Listener listener) {
    this.timeline = timeline;
    this.market = market;
    this.cloud = cloud;
    this.spec = spec;
    this.book = new NodeBook();
    this.listener = listener;
    cloud.join(spec.name(), this);
    spec.pools().forEach(this::addPool);
  }

  NodeBook book() {
    return book;
  }

  private void addPool(ClusterSpec.PoolSpec pool) {
    for (int i = 0; i < pool.nodes(); i++) {
      addPoolNode(pool, pool.name() + '-' + i);
    }
  }

  private void addPoolNode(ClusterSpec.PoolSpec pool, String name) {
    Line line =
        new Line(
            spec.account().provider(),
            spec.region(),
            pool.zone(),
            pool.instanceType(),
            CapacityType.parse(pool.capacityType()));
    Instance instance = cloud.reserved(spec.name(), spec.account(), line, name);
    Node node =
        new Node(
            name,
            instance,
            shape(line),
            pool.name(),
            new Node.Fabric(pool.fabricType(), pool.fabricName()));
    book.add(node);
    listener.changed(node);
  }

  private NodeShape shape(Line line) {
    return market
        .shape(line.provider(), line.instanceType())
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "nothing is known of instance type "
                        + line.instanceType()
                        + " of "
                        + line.provider()));
  }

  /** Gets the workload a place; the listener hears what became of it. */
  void acquire(Workload workload) {
    if (workload.order.pool().isEmpty()) {
      acquireElastic(workload);
    } else if (book.claimWhole(workload)) {
      listener.ready(workload);
    } else {
      waiting.add(workload);
      timeline.after(
          Duration.ofMillis(cloud.behaviour().delays().pending()), () -> giveUp(workload));
    }
  }

  private void giveUp(Workload workload) {
    if (waiting.remove(workload)) {
      int nodes = book.count(node -> node.pool.equals(workload.order.pool()));
      listener.refused(
          workload,
          new Refusal(
              "FailedScheduling",
              "0/" + nodes + " nodes are available: " + nodes + " Insufficient nvidia.com/gpu."));
    }
  }

  private void acquireElastic(Workload workload) {
    book.claim(workload);
    if (workload.complete()) {
      listener.ready(workload);
      return;
    }
    Order order = workload.order;
    Line line =
        new Line(
            spec.account().provider(),
            spec.region(),
            order.zone(),
            order.instanceType(),
            CapacityType.parse(order.capacityType()));
    Optional<NodeShape> shape = market.shape(line.provider(), line.instanceType());
    Optional<ClusterSpec.Entry> entry = entry(line);
    if (shape.isEmpty() || entry.isEmpty() || shape.get().gpus() < order.gpusPerNode()) {
      listener.refused(
          workload,
          new Refusal(
              "NotTriggerScaleUp",
              "pod didn't trigger scale-up: 1 node(s) didn't match Pod's node affinity/selector"));
      return;
    }
    int perNode = shape.get().gpus() / order.gpusPerNode();
    int needed = Math.ceilDiv(workload.missing(), perNode);
    if (inUse(entry.get()) + needed > entry.get().maxNodes()) {
      listener.refused(
          workload,
          new Refusal(
              "NotTriggerScaleUp", "pod didn't trigger scale-up: 1 max node group size reached"));
      return;
    }
    launching.put(workload, needed);
    cloud.launch(
        new Launch(spec.name(), spec.account(), line, needed), new Outcome(workload, shape.get()));
  }

  private int inUse(ClusterSpec.Entry entry) {
    int coming = 0;
    for (Map.Entry<Workload, Integer> each : launching.entrySet()) {
      if (each.getKey().order.instanceType().equals(entry.instanceType())) {
        coming += each.getValue();
      }
    }
    return coming
        + book.count(
            node ->
                node.pool.isEmpty()
                    && node.instance.line().instanceType().equals(entry.instanceType()));
  }

  private Optional<ClusterSpec.Entry> entry(Line line) {
    return spec.capacity().stream()
        .filter(entry -> entry.instanceType().equals(line.instanceType()))
        .filter(entry -> entry.zones().contains(line.zone()))
        .filter(entry -> entry.capacityTypes().contains(line.capacityType().text()))
        .findFirst();
  }

  /** Frees the workload's places, wakes who waits for them and gives idle nodes back in time. */
  void release(Workload workload) {
    waiting.remove(workload);
    launching.remove(workload);
    book.letGo(workload).forEach(this::idle);
    // A later one that fits may pass an earlier one that does not, as in Kubernetes.
    for (Workload next : List.copyOf(waiting)) {
      if (book.claimWhole(next)) {
        waiting.remove(next);
        listener.ready(next);
      }
    }
  }

  private void idle(Node node) {
    if (!node.pool.isEmpty()) {
      return;
    }
    long claims = node.claims();
    timeline.after(
        Duration.ofMillis(cloud.behaviour().delays().idle()),
        () -> {
          if (node.idle() && node.claims() == claims && removed(node)) {
            cloud.giveBack(node.instance);
          }
        });
  }

  private boolean removed(Node node) {
    if (book.find(node.instance.id()).isEmpty()) {
      return false;
    }
    book.remove(node);
    listener.removed(node);
    return true;
  }

  private Node join(Instance instance, NodeShape shape) {
    ClusterSpec.Entry entry = entry(instance.line()).orElseThrow();
    String id = instance.id();
    Node node =
        new Node(
            spec.name() + '-' + id.substring(Math.max(0, id.length() - 10)),
            instance,
            shape,
            "",
            new Node.Fabric(entry.fabricType(), entry.fabricName()));
    book.add(node);
    listener.changed(node);
    return node;
  }

  /** Takes a node over that this process had started before it was restarted. */
  Optional<Node> adopt(Instance instance) {
    Optional<Node> known = book.find(instance.id());
    if (known.isPresent() || entry(instance.line()).isEmpty()) {
      return known;
    }
    cloud.adopt(instance);
    return Optional.of(join(instance, shape(instance.line())));
  }

  @Override
  public void noticed(Instance instance, Instant deadline) {
    book.find(instance.id())
        .ifPresent(
            node -> {
              node.cordon();
              listener.changed(node);
            });
  }

  @Override
  public void gone(Instance instance, boolean announced) {
    book.find(instance.id())
        .ifPresent(
            node -> {
              removed(node);
              listener.lost(node, announced);
              repairPool(node);
            });
  }

  @Override
  public void broke(Instance instance) {
    gone(instance, false);
  }

  /** A reservation's broken machine is replaced. */
  private void repairPool(Node node) {
    spec.pools().stream()
        .filter(pool -> pool.name().equals(node.pool))
        .findFirst()
        .ifPresent(pool -> timeline.after(REPAIR, () -> addPoolNode(pool, node.name)));
  }

  /** What the cloud says of one launch. */
  private final class Outcome implements Launch.Outcome {
    private final Workload workload;
    private final NodeShape shape;

    private Outcome(Workload workload, NodeShape shape) {
      this.workload = workload;
      this.shape = shape;
    }

    @Override
    public void ready(List<Instance> instances) {
      launching.remove(workload);
      List<Node> joined = new ArrayList<>();
      instances.stream()
          .filter(instance -> cloud.instance(instance.id()).isPresent())
          .forEach(instance -> joined.add(join(instance, shape)));
      if (workload.in(Workload.State.HOLDING, Workload.State.APPLIED) && !workload.complete()) {
        book.claim(workload);
        if (workload.complete()) {
          listener.ready(workload);
        } else {
          acquireElastic(workload);
        }
      }
      joined.stream().filter(Node::idle).forEach(Acquisition.this::idle);
    }

    @Override
    public void refused(Refusal refusal) {
      if (launching.remove(workload) != null) {
        listener.refused(workload, refusal);
      }
    }

    @Override
    public void timedOut(Refusal refusal) {
      listener.symptom(workload, refusal);
    }
  }
}
