package io.spillway.verify.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.spillway.verify.kube.KubeApi.Answer;
import io.spillway.verify.kube.PodFact.Kind;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Stands for the kubelets of all nodes that it made. A pod that the scheduler bound to one of them
 * begins to run at once, runs for the {@code SIM_RUN_SECONDS} of its environment (for ever
 * without), ends with {@code SIM_EXIT_CODE}, and ends with 143 when it is deleted. Workers and
 * placeholders run until they are deleted. Of a node that was lost nothing more is heard.
 * Thread-safe.
 */
public final class TestKubelet implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Logger LOG = Logger.getLogger(TestKubelet.class.getName());
  private static final String LEASES =
      "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
  private static final Duration BEAT = Duration.ofSeconds(2);
  private static final int BEATS_OF_STATUS = 3;
  private static final int TERMINATED = 143;
  private static final Set<String> ENDLESS = Set.of("worker", "placeholder");

  private final String cluster;
  private final KubeApi api;
  private final Map<String, TestNode> nodes = new ConcurrentHashMap<>();
  private final Set<String> lost = ConcurrentHashMap.newKeySet();
  private final Map<String, Running> pods = new ConcurrentHashMap<>();
  private final List<PodFact> facts = new CopyOnWriteArrayList<>();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final List<Thread> threads;
  private volatile Duration startDelay = Duration.ZERO;

  /** A pod that this kubelet took on; ended once. */
  private static final class Running {
    private final JsonNode pod;
    private final Instant began = Instant.now();
    private boolean over;

    Running(JsonNode pod) {
      this.pod = pod;
    }

    synchronized boolean end() {
      boolean first = !over;
      over = true;
      return first;
    }
  }

  /**
   * Begins to follow pods.
   *
   * @param cluster how its facts name it
   */
  public TestKubelet(String cluster, KubeApi api) {
    this.cluster = cluster;
    this.api = api;
    this.threads =
        List.of(
            Thread.ofVirtual().name("kubelet-pods").start(this::followPods),
            Thread.ofVirtual().name("kubelet-leases").start(this::beat));
  }

  /** All that happened on the machines, in its order. */
  public List<PodFact> facts() {
    return List.copyOf(facts);
  }

  /** How long a bound pod takes until it runs, from now on. */
  public void startDelay(Duration delay) {
    startDelay = delay;
  }

  /** Brings up a node and waits for nothing. */
  public void add(TestNode node) throws IOException, InterruptedException {
    lost.remove(node.name());
    nodes.put(node.name(), node);
    lease(node.name());
    api.apply(node.object()).orFail();
    api.strategicMerge("/api/v1/nodes/" + node.name() + "/status", node.status()).orFail();
  }

  /** A node says something of its health. */
  public void condition(String node, String type, String status, String reason)
      throws IOException, InterruptedException {
    ObjectNode patch = JSON.createObjectNode();
    patch
        .putObject("status")
        .putArray("conditions")
        .add(TestNode.condition(type, status, reason, reason));
    api.strategicMerge("/api/v1/nodes/" + node + "/status", patch).orFail();
  }

  /** The machine is gone; the cluster is not told. What ran on it is over. */
  public void lose(String node) {
    lost.add(node);
    pods.values().stream()
        .filter(running -> nodeOf(running.pod).equals(node))
        .filter(Running::end)
        .forEach(running -> note(running.pod, Kind.OVER, Optional.empty()));
  }

  /** The machine is gone, and the cloud's controller takes its object away. */
  public void remove(String node) throws IOException, InterruptedException {
    lose(node);
    nodes.remove(node);
    api.delete("/api/v1/nodes/" + node).orFail();
  }

  /** All machines that are left are gone. */
  void removeAll() throws IOException, InterruptedException {
    for (String node : List.copyOf(nodes.keySet())) {
      lose(node);
      nodes.remove(node);
      api.delete("/api/v1/nodes/" + node);
    }
  }

  /** Ends the running pods of an attempt with an exit code. */
  public void exit(String attempt, int code, String message) {
    pods.values().stream()
        .filter(running -> label(running.pod, "attempt").equals(attempt))
        .forEach(running -> end(running, code, message));
  }

  private void followPods() {
    try {
      api.follow("/api/v1/pods", this::heard, closing);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void heard(JsonNode event) {
    JsonNode pod = event.path("object");
    String type = event.path("type").asText();
    if (!pod.path("kind").asText("Pod").equals("Pod") || nodeOf(pod).isEmpty()) {
      return;
    }
    String uid = pod.path("metadata").path("uid").asText();
    if (type.equals("DELETED")) {
      Optional.ofNullable(pods.remove(uid))
          .filter(Running::end)
          .ifPresent(running -> note(pod, Kind.OVER, Optional.of(TERMINATED)));
      return;
    }
    if (!nodes.containsKey(nodeOf(pod)) || lost.contains(nodeOf(pod))) {
      return;
    }
    boolean deleted = pod.path("metadata").hasNonNull("deletionTimestamp");
    boolean ended =
        Set.of("Succeeded", "Failed").contains(pod.path("status").path("phase").asText());
    if (deleted) {
      Thread.ofVirtual().start(() -> terminate(pod, uid, ended));
    } else if (!ended && pods.putIfAbsent(uid, new Running(pod)) == null) {
      Thread.ofVirtual().start(() -> run(pods.get(uid)));
    }
  }

  private void run(Running running) {
    JsonNode pod = running.pod;
    if (pod == null || !pass(startDelay) || !patch(pod, PodStatus.running(pod))) {
      return;
    }
    note(pod, Kind.BEGAN, Optional.empty());
    Optional<String> seconds = environment(pod, "SIM_RUN_SECONDS");
    if (seconds.isEmpty() || ENDLESS.contains(label(pod, "part"))) {
      return;
    }
    if (pass(Duration.ofMillis((long) (1_000 * Double.parseDouble(seconds.get()))))) {
      end(running, environment(pod, "SIM_EXIT_CODE").map(Integer::parseInt).orElse(0), "");
    }
  }

  private void end(Running running, int code, String message) {
    if (lost.contains(nodeOf(running.pod)) || !running.end()) {
      return;
    }
    // Over before it is said: who reads the API may act on it at once.
    note(running.pod, Kind.OVER, Optional.of(code));
    patch(running.pod, PodStatus.over(running.pod, running.began, code, message));
  }

  private void terminate(JsonNode pod, String uid, boolean ended) {
    Running running = pods.computeIfAbsent(uid, key -> new Running(pod));
    if (!ended) {
      end(running, TERMINATED, "");
    }
    ObjectNode now = JSON.createObjectNode().put("gracePeriodSeconds", 0);
    now.putObject("preconditions").put("uid", uid);
    insist(() -> api.delete(path(pod), now));
  }

  private boolean patch(JsonNode pod, ObjectNode status) {
    // A patch that names another pod's uid is refused: a pod of the same name may have come.
    status.putObject("metadata").put("uid", pod.path("metadata").path("uid").asText());
    return insist(() -> api.strategicMerge(path(pod) + "/status", status));
  }

  /** A call of the API, with its checked failures. */
  private interface Call {
    Answer make() throws IOException, InterruptedException;
  }

  /** Repeats a call until the server answers; a kubelet has all the time of the world. */
  private boolean insist(Call call) {
    while (!Thread.currentThread().isInterrupted()) {
      try {
        Answer answer = call.make();
        if (answer.ok() || answer.status() == 404 || answer.status() == 409) {
          return answer.ok();
        }
        LOG.log(Level.FINE, "the API server says {0}", answer.message());
      } catch (IOException e) {
        LOG.log(Level.FINE, "the API server is away", e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
      if (!pass(Duration.ofMillis(200))) {
        return false;
      }
    }
    return false;
  }

  /** Of all nodes at once, as each would by itself: late beats are taken for dead machines. */
  private void beat() {
    int round = 0;
    while (pass(BEAT)) {
      boolean whole = ++round % BEATS_OF_STATUS == 0;
      for (TestNode node : nodes.values()) {
        if (!lost.contains(node.name())) {
          Thread.ofVirtual().name("kubelet-beat").start(() -> beat(node, whole));
        }
      }
    }
  }

  /** A node that was taken for dead says itself that it is not. */
  private void beat(TestNode node, boolean whole) {
    try {
      lease(node.name());
      if (whole) {
        api.strategicMerge("/api/v1/nodes/" + node.name() + "/status", node.status());
      }
    } catch (IOException e) {
      LOG.log(Level.FINE, "no lease for " + node.name(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void lease(String node) throws IOException, InterruptedException {
    ObjectNode lease =
        JSON.createObjectNode().put("apiVersion", "coordination.k8s.io/v1").put("kind", "Lease");
    lease.putObject("metadata").put("name", node).put("namespace", "kube-node-lease");
    // Kubernetes wants microseconds, always.
    String now = Instant.now().truncatedTo(java.time.temporal.ChronoUnit.SECONDS).toString();
    lease
        .putObject("spec")
        .put("holderIdentity", node)
        .put("leaseDurationSeconds", 40)
        .put("renewTime", now.replace("Z", ".000000Z"));
    Answer answer = api.merge(LEASES + '/' + node, lease);
    if (answer.status() == 404) {
      api.post(LEASES, lease);
    }
  }

  private void note(JsonNode pod, Kind kind, Optional<Integer> code) {
    String attempt = label(pod, "attempt");
    if (attempt.isEmpty() || label(pod, "part").equals("placeholder")) {
      return;
    }
    JsonNode labels = pod.path("metadata").path("labels");
    String index = labels.path("batch.kubernetes.io/job-completion-index").asText();
    String replica = labels.path("training.kubeflow.org/replica-index").asText();
    facts.add(
        new PodFact(
            System.nanoTime(),
            Instant.now(),
            cluster,
            pod.path("metadata").path("namespace").asText(),
            attempt,
            labels.path("spillway.io/epoch").asLong(),
            pod.path("metadata").path("name").asText(),
            label(pod, "part") + (index.isEmpty() ? replica : index),
            kind,
            code));
  }

  private static Optional<String> environment(JsonNode pod, String name) {
    for (JsonNode variable : pod.path("spec").path("containers").path(0).path("env")) {
      if (variable.path("name").asText().equals(name)) {
        return Optional.of(variable.path("value").asText());
      }
    }
    return Optional.empty();
  }

  private static String label(JsonNode pod, String name) {
    return pod.path("metadata").path("labels").path("spillway.io/" + name).asText();
  }

  private static String nodeOf(JsonNode pod) {
    return pod.path("spec").path("nodeName").asText();
  }

  private static String path(JsonNode pod) {
    JsonNode metadata = pod.path("metadata");
    return "/api/v1/namespaces/"
        + metadata.path("namespace").asText()
        + "/pods/"
        + metadata.path("name").asText();
  }

  /** Lets that time pass; false if there is nothing to wait for any more. */
  private boolean pass(Duration time) {
    try {
      return !closing.await(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Says nothing more of any pod or node. */
  @Override
  public void close() {
    closing.countDown();
    threads.forEach(Thread::interrupt);
  }
}
