package io.spillway.agent.world;

import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.spillway.agent.Agent;
import io.spillway.agent.gate.Gate;
import io.spillway.agent.gate.GateRules;
import io.spillway.agent.time.Timeline;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** One agent, a mock cluster, and a control plane by hand; what else a cluster does, tests do. */
public final class AgentWorld implements AutoCloseable {
  public static final String NAMESPACE = "spillway-research";
  public static final String A1 = "01JD0000000000000000000001-1";
  public static final String A2 = "01JD0000000000000000000001-2";

  public final VirtualTimeline time = new VirtualTimeline();
  public final Plane plane = new Plane();
  private final MockCluster cluster = new MockCluster();
  public final KubernetesClient client = cluster.client();
  private int replicas;
  private Agent agent;
  private Optional<Agent> standby = Optional.empty();
  private AtomicBoolean dead = new AtomicBoolean();

  public AgentWorld() {
    node("node-a", "i-0a");
    node("node-b", "i-0b");
    begins();
  }

  /** Another process of the agent, in place of the last. */
  public void restarts() {
    agent.stop();
    begins();
  }

  private void begins() {
    plane.cut(false);
    agent = replica();
    time.until("the agent is connected", plane::connected);
  }

  /** A second replica, which is not the one that {@link #agent} names. */
  public void standby() {
    Agent leader = agent;
    AtomicBoolean leaderDead = dead;
    standby = Optional.of(replica());
    agent = leader;
    dead = leaderDead;
  }

  /** Killed: it lets go of nothing, and is heard of no more. Another begins at once. */
  public void killed() {
    dead.set(true);
    plane.cut(true);
    plane.cut(false);
    agent = replica();
    time.until(
        "the lease has run out and the other is connected",
        () -> {
          time.advance(java.time.Duration.ofSeconds(1));
          return plane.connected();
        });
  }

  private Agent replica() {
    AtomicBoolean mine = new AtomicBoolean();
    dead = mine;
    Agent replica =
        new Agent(
            new Mortal(time, mine),
            cluster.client(),
            new Agent.Self(
                "eks-ohio",
                "spillway",
                "replica-" + ++replicas,
                "test",
                java.time.Duration.ofMinutes(10)),
            new Gate("eks-ohio", GateRules.DEFAULTS),
            plane,
            () -> Optional.of("token"));
    replica.start();
    return replica;
  }

  /** The timeline of a process that may be killed: from then on nothing of it runs. */
  private record Mortal(Timeline time, AtomicBoolean dead) implements Timeline {
    @Override
    public java.time.Instant now() {
      return time.now();
    }

    @Override
    public long millis() {
      return time.millis();
    }

    @Override
    public void execute(Runnable task) {
      time.execute(unlessDead(task));
    }

    @Override
    public Timer after(java.time.Duration delay, Runnable task) {
      return time.after(delay, unlessDead(task));
    }

    private Runnable unlessDead(Runnable task) {
      return () -> {
        if (!dead.get()) {
          task.run();
        }
      };
    }
  }

  public MockCluster cluster() {
    return cluster;
  }

  public Agent agent() {
    return agent;
  }

  /** What the agent keeps of its own in the cluster, fates left out. */
  public Map<String, String> memory() {
    return client
        .configMaps()
        .inNamespace("spillway")
        .withName("spillway-agent-eks-ohio")
        .get()
        .getData();
  }

  public void node(String name, String instance) {
    Node node =
        new NodeBuilder()
            .withNewMetadata()
            .withName(name)
            .addToLabels("node.kubernetes.io/instance-type", "p5.48xlarge")
            .addToLabels("topology.k8s.aws/zone-id", "use2-az1")
            .addToLabels("karpenter.sh/capacity-type", "spot")
            .endMetadata()
            .withNewSpec()
            .withProviderID("aws:///us-east-2a/" + instance)
            .endSpec()
            .withNewStatus()
            .addToAllocatable("nvidia.com/gpu", new Quantity("8"))
            .addToAllocatable("cpu", new Quantity("192"))
            .addToAllocatable("memory", new Quantity("2048Gi"))
            .addToAllocatable("vpc.amazonaws.com/efa", new Quantity("32"))
            .addNewCondition()
            .withType("Ready")
            .withStatus("True")
            .endCondition()
            .endStatus()
            .build();
    client.resource(node).create();
  }

  public void nodeDies(String name) {
    client
        .nodes()
        .withName(name)
        .edit(
            node ->
                new NodeBuilder(node)
                    .editStatus()
                    .editFirstCondition()
                    .withStatus("Unknown")
                    .endCondition()
                    .endStatus()
                    .build());
  }

  public Optional<Job> job(String attempt) {
    return Optional.ofNullable(
        client.batch().v1().jobs().inNamespace(NAMESPACE).withName(Manifests.name(attempt)).get());
  }

  /** What the Job controller and a kubelet would do: the member runs. */
  public void runs(String attempt, int rank, String node) {
    client
        .resource(Members.running(pod(attempt, rank), NAMESPACE, attempt, rank, node).build())
        .create();
  }

  /** Somebody's own pod, running, that claims to be of an attempt. */
  public void forged(String namespace, String attempt) {
    client
        .resource(
            new PodBuilder()
                .withNewMetadata()
                .withName("forged-" + attempt.toLowerCase(java.util.Locale.ROOT))
                .withNamespace(namespace)
                .withLabels(
                    Map.of("spillway.io/attempt", attempt, "spillway.io/cluster", "eks-ohio"))
                .endMetadata()
                .withNewSpec()
                .withNodeName("node-b")
                .endSpec()
                .withNewStatus()
                .withPhase("Running")
                .endStatus()
                .build())
        .create();
  }

  public static String pod(String attempt, int rank) {
    return Manifests.name(attempt) + "-" + rank;
  }

  public void exits(String attempt, int rank, int code, String message) {
    exits(attempt, rank, code, message, "2026-12-01T01:00:0" + rank + "Z");
  }

  public void exits(String attempt, int rank, int code, String message, String at) {
    edit(
        pod(attempt, rank),
        pod ->
            new PodBuilder(pod)
                .editStatus()
                .withPhase(code == 0 ? "Succeeded" : "Failed")
                .editFirstContainerStatus()
                .withNewState()
                .withTerminated(
                    new ContainerStateTerminated(
                        null,
                        code,
                        at,
                        message,
                        code == 0 ? "Completed" : "Error",
                        0,
                        "2026-12-01T00:00:00Z"))
                .endState()
                .endContainerStatus()
                .endStatus()
                .build());
  }

  public void disrupted(String attempt, int rank, String reason) {
    edit(
        pod(attempt, rank),
        pod ->
            new PodBuilder(pod)
                .editStatus()
                .addNewCondition()
                .withType("DisruptionTarget")
                .withStatus("True")
                .withReason(reason)
                .withMessage("told so")
                .withLastTransitionTime("2026-12-01T00:59:30Z")
                .endCondition()
                .endStatus()
                .build());
  }

  /** As if its deletion took time: a finalizer keeps it. */
  public void lingers(String attempt, int rank) {
    edit(
        pod(attempt, rank),
        pod ->
            new PodBuilder(pod).editMetadata().addToFinalizers("test/stay").endMetadata().build());
  }

  public void edit(String pod, java.util.function.UnaryOperator<Pod> change) {
    client.pods().inNamespace(NAMESPACE).withName(pod).edit(change);
  }

  public void removed(String attempt, int rank) {
    client.pods().inNamespace(NAMESPACE).withName(pod(attempt, rank)).delete();
  }

  /** A condition of the Job, as its controller writes it. */
  public void job(String attempt, String condition, String reason) {
    client
        .batch()
        .v1()
        .jobs()
        .inNamespace(NAMESPACE)
        .withName(Manifests.name(attempt))
        .edit(
            job ->
                new JobBuilder(job)
                    .editOrNewStatus()
                    .addNewCondition()
                    .withType(condition)
                    .withStatus("True")
                    .withReason(reason)
                    .endCondition()
                    .endStatus()
                    .build());
  }

  @Override
  public void close() {
    standby.ifPresent(Agent::stop);
    agent.stop();
    time.idle(java.time.Duration.ofMillis(50));
    client.close();
    cluster.close();
  }
}
