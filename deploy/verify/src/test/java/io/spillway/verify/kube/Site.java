package io.spillway.verify.kube;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.spillway.verify.kube.PodFact.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One cluster of Spillway's as it would stand in the world: its API server and machines, the agent
 * in it with the rights of its chart, and the two ways on which it can be cut off. Not thread-safe.
 */
public final class Site implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final List<String> WORKLOADS =
      List.of(
          "/apis/batch/v1/jobs",
          "/apis/jobset.x-k8s.io/v1alpha2/jobsets",
          "/apis/kubeflow.org/v2beta1/mpijobs");

  private static final List<String> OBJECTS =
      List.of(
          "/apis/batch/v1/namespaces/%s/jobs",
          "/apis/jobset.x-k8s.io/v1alpha2/namespaces/%s/jobsets",
          "/apis/kubeflow.org/v2beta1/namespaces/%s/mpijobs",
          "/api/v1/namespaces/%s/pods",
          "/api/v1/namespaces/%s/services");

  private final String name;
  private final KubeCluster cluster;
  private final TestKubelet kubelet;
  private final Wire wire;
  private final Line line;
  private final Path directory;
  private final AgentChart chart;
  private final AgentProcess.Setup setup;
  private final AgentProcess agent;

  private Site(
      String name,
      KubeCluster cluster,
      ControlPlane plane,
      List<String> namespaces,
      String gate,
      String token)
      throws IOException, InterruptedException {
    this.name = name;
    this.cluster = cluster;
    this.directory = Files.createTempDirectory(cluster.directory(), name);
    this.kubelet = new TestKubelet(name, cluster.admin());
    this.wire = cluster.wire();
    this.line = new Line(plane.port());
    this.chart = AgentChart.install(cluster, name, namespaces, gate, directory);
    this.setup =
        new AgentProcess.Setup(
            name,
            line.port(),
            Files.writeString(directory.resolve("token"), token),
            cluster.kubeconfig(wire, chart.token()),
            chart.namespace(),
            chart.gate());
    this.agent = AgentProcess.start(setup, name, directory);
  }

  /** Installs the agent in a cluster, starts it, and waits until the control plane hears it. */
  public static Site attach(String name, KubeCluster cluster, ControlPlane plane)
      throws IOException, InterruptedException {
    return attach(name, cluster, plane, AgentChart.QUEUES);
  }

  static Site attach(String name, KubeCluster cluster, ControlPlane plane, List<String> namespaces)
      throws IOException, InterruptedException {
    return attach(name, cluster, plane, namespaces, AgentChart.GATE_VALUES);
  }

  /** As {@link #attach}, with more in the gate's values. */
  static Site attach(
      String name, KubeCluster cluster, ControlPlane plane, List<String> namespaces, String gate)
      throws IOException, InterruptedException {
    forget(cluster.admin(), "agent-" + name, namespaces);
    Site site = new Site(name, cluster, plane, namespaces, gate, plane.world().token(name));
    plane.awaitConnected(name);
    return site;
  }

  /** As {@link #attach}, to a cluster whose objects are to stay. */
  static Site keeping(String name, KubeCluster cluster, ControlPlane plane)
      throws IOException, InterruptedException {
    Site site =
        new Site(
            name,
            cluster,
            plane,
            AgentChart.QUEUES,
            AgentChart.GATE_VALUES,
            plane.world().token(name));
    plane.awaitConnected(name);
    return site;
  }

  /** An earlier test's agent remembers another control plane, and its jobs are nobody's now. */
  private static void forget(KubeApi admin, String agent, List<String> namespaces)
      throws IOException, InterruptedException {
    admin.delete("/api/v1/namespaces/" + agent + "/configmaps").orFail();
    for (String namespace : namespaces) {
      for (String objects : OBJECTS) {
        KubeApi.Answer answer =
            admin.delete(
                objects.formatted(namespace)
                    + "?labelSelector=spillway.io/attempt&propagationPolicy=Background");
        // Not every cluster has heard of JobSets.
        if (answer.status() != 404) {
          answer.orFail();
        }
      }
    }
  }

  public String name() {
    return name;
  }

  public KubeCluster cluster() {
    return cluster;
  }

  public KubeApi admin() {
    return cluster.admin();
  }

  /** What was installed there. */
  AgentChart chart() {
    return chart;
  }

  public TestKubelet kubelet() {
    return kubelet;
  }

  /** Between the agent and the API server. */
  public Wire wire() {
    return wire;
  }

  /** Between the agent and the control plane. */
  public Line line() {
    return line;
  }

  public AgentProcess agent() {
    return agent;
  }

  /** A second replica with the same rights. */
  AgentProcess another(String identity) throws IOException {
    return AgentProcess.start(setup, identity, directory);
  }

  /** The agents' token is another one now, as after a change of its Secret. */
  void token(String next) throws IOException {
    Files.writeString(setup.token(), next);
  }

  /** Somebody deletes what an attempt consists of. */
  void deleteWorkload(String attempt) throws IOException, InterruptedException {
    for (String kind : WORKLOADS) {
      for (JsonNode workload :
          admin()
              .list(
                  kind
                      + "?labelSelector=spillway.io/role=workload,spillway.io/attempt="
                      + attempt)) {
        JsonNode metadata = workload.path("metadata");
        admin()
            .delete(
                kind.replaceFirst(
                        "/([a-z]+)$", "/namespaces/" + metadata.path("namespace").asText() + "/$1/")
                    + metadata.path("name").asText()
                    + "?propagationPolicy=Background")
            .orFail();
      }
    }
  }

  /** Pods of an attempt that the API server has. */
  List<JsonNode> pods(String attempt) throws IOException, InterruptedException {
    return admin().list("/api/v1/pods?labelSelector=spillway.io/attempt=" + attempt);
  }

  /** What happened on machines to the pods of an attempt. */
  List<PodFact> facts(String attempt) {
    return kubelet.facts().stream().filter(fact -> fact.attempt().equals(attempt)).toList();
  }

  /** Waits until so many pods of it have begun. */
  void awaitBegun(String attempt, int pods) {
    await(pods + " pods of " + attempt + " run")
        .atMost(PATIENCE)
        .until(
            () ->
                facts(attempt).stream().filter(fact -> fact.kind() == Kind.BEGAN).count() >= pods);
  }

  /** The end of its last pod, if all are over. */
  static Optional<Long> over(List<PodFact> facts) {
    long begun = facts.stream().filter(fact -> fact.kind() == Kind.BEGAN).count();
    List<PodFact> ends = facts.stream().filter(fact -> fact.kind() == Kind.OVER).toList();
    return ends.size() < begun
        ? Optional.empty()
        : ends.stream().map(PodFact::nanos).max(Long::compare);
  }

  /** Takes its machines away too: another test's pods would wait on them for ever. */
  @Override
  public void close() {
    agent.close();
    line.close();
    wire.close();
    try {
      kubelet.removeAll();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    kubelet.close();
  }
}
