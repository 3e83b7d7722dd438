package io.spillway.verify.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.spillway.verify.kube.KubeWorld.Kubernetes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * RBAC allows no more than is needed: jobs of every kind live and end, and the API servers' audit
 * logs must then name every right of the chart, each allowed by that very role. What no story can
 * use stands in a list, with its reason. What is forbidden: {@link AgentRightsTest}.
 */
@Kubernetes
class RightsAreUsedTest {
  private static final YAMLMapper YAML = new YAMLMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String OHIO = "eks-ohio";
  private static final String FRANKFURT = "oke-frankfurt";

  /** As the pages for clusters with identities and buckets say; the account is no other test's. */
  private static final String GATE =
      AgentChart.GATE_VALUES
          + ", serviceAccounts: [of-this-test], moreKinds: [ServiceAccount, PersistentVolume]";

  private static ControlPlane plane;

  @Test
  void every_right_is_used_by_some_story_or_has_its_reason(KubeWorld.Pair worlds) throws Exception {
    Path policies = Path.of(KubeWorld.class.getResource("/kube/rights").toURI());
    Path data = Files.createTempDirectory("spillway-rights");
    Set<RoleRight> granted = new HashSet<>();
    Set<RoleRight> used = new HashSet<>();
    worlds.first().cluster().admin().apply(YAML.readTree(BUCKET_DRIVER)).orFail();
    ManifestsAreAcceptedTest.defineRequests(worlds.first().cluster().admin());
    try (ControlPlane started =
            ControlPlane.start(ControlPlane.plan(data, policies, Set.of(OHIO, FRANKFURT)));
        Site ohio = Site.attach(OHIO, worlds.first().cluster(), started, AgentChart.QUEUES, GATE);
        Site frankfurt =
            Site.attach(FRANKFURT, worlds.second().cluster(), started, AgentChart.QUEUES, GATE)) {
      plane = started;
      Machines.of(ohio.kubelet(), "rights").add(4, Machines::spot);
      Machines.of(ohio.kubelet(), "rights-steady").add(4, Machines::onDemand);
      Machines.of(frankfurt.kubelet(), "rights").addBareMetal(2);
      plane.awaitNodes(OHIO, 8);
      plane.awaitNodes(FRANKFURT, 2);

      String gang = plane.submit(job("gang", "pytorch-ddp", FRANKFURT, "1"));
      String set = plane.submit(job("set", "pytorch-ddp", OHIO, "600"));
      String mpi = plane.submit(job("mpi", "mpi", OHIO, "600"));
      readsAndIsCancelled(set);
      readsAndIsCancelled(mpi);
      plane.awaitState(gang, "SUCCEEDED");
      mountsABucketUnderAnIdentity();
      isHeldWhenItsMachineWillGo();
      asksWhyNodesDoNotCome(ohio);

      for (Site site : List.of(ohio, frankfurt)) {
        granted.addAll(site.chart().rights());
        used.addAll(
            AuditLog.used(site.cluster(), site.chart().namespace(), site.chart().account()));
      }
    }
    Set<String> rare = rareDays().keySet();
    Set<String> unused = lines(granted);
    assertThat(unused).as("the list names rights of the chart").containsAll(rare);
    unused.removeAll(lines(used));
    assertThat(unused).as("rights without a use").isEqualTo(rare);
  }

  /** In the order of the list's words; a role's name ends in what it is for. */
  private static Set<String> lines(Set<RoleRight> rights) {
    return rights.stream()
        .map(
            right ->
                String.join(
                    " ",
                    right.verb(),
                    right.group().isEmpty() ? "core" : right.group(),
                    right.resource(),
                    right.role().replaceFirst(".*-", "")))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Map<String, String> rareDays() throws IOException {
    try (InputStream in =
        RightsAreUsedTest.class.getResourceAsStream("/kube/rights-of-rare-days.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(line -> line.split(" ", 5))
          .collect(
              Collectors.toMap(
                  words -> String.join(" ", words[0], words[1], words[2], words[3]),
                  words -> words[4]));
    }
  }

  private static ObjectNode job(String name, String framework, String cluster, String seconds) {
    ObjectNode job = ControlPlane.job(name, framework.equals("single") ? 1 : 2, seconds);
    job.put("framework", framework);
    if (framework.equals("mpi")) {
      job.put("launcher", "mpi");
    }
    job.putObject("constraints").putArray("clusters").add(cluster);
    return job;
  }

  private static void readsAndIsCancelled(String job) throws Exception {
    plane.awaitState(job, "RUNNING");
    plane.askForLog(job);
    plane.post("/api/v1/jobs/" + job + ":cancel");
    plane.awaitState(job, "CANCELLED");
  }

  private static void mountsABucketUnderAnIdentity() throws Exception {
    ObjectNode spec = job("bucket", "single", OHIO, "1");
    spec.put("identity", "trainer");
    spec.putArray("storage").addObject().put("mountPath", "/data").put("volume", "lake");
    plane.awaitState(plane.submit(spec), "SUCCEEDED");
  }

  /** A notice drains it, and the next attempt asks for its nodes meanwhile. */
  private static void isHeldWhenItsMachineWillGo() throws Exception {
    String job = plane.submit(job("held", "single", OHIO, "600"));
    plane.awaitState(job, "RUNNING");
    ObjectNode event =
        new Notice("aws", "aws-verify", "us-east-2")
            .interruption(plane.lastAttempt(job).path("instances"), Duration.ofSeconds(40));
    plane.post("/api/v1/events", event);
    plane.awaitAttempt(job, 2, "RUNNING");
    plane.post("/api/v1/jobs/" + job + ":cancel");
    plane.awaitState(job, "CANCELLED");
  }

  /** What autoscalers say of pods and pools makes the agent ask them for more. */
  private static void asksWhyNodesDoNotCome(Site ohio) throws Exception {
    String job = plane.submit(job("waits", "single", OHIO, "600"));
    plane.awaitState(job, "RUNNING");
    JsonNode pod = ohio.pods(plane.lastAttempt(job).path("id").asText()).getFirst();
    event(
        ohio,
        pod.path("metadata"),
        "Pod",
        "NotTriggerScaleUp",
        "2 in backoff after failed scale-up");
    ObjectNode pool = new ObjectMapper().createObjectNode().put("name", "h100-pool");
    event(ohio, pool, "NodePool", "CWInsufficientCapacity", "no capacity");
    await("the agent asks for the pool and for the autoscaler's status")
        .atMost(PATIENCE)
        .until(
            () ->
                ohio.wire().asked().stream()
                        .filter(
                            asked ->
                                asked.path().contains("/nodepools/h100-pool")
                                    || asked.path().contains("/cluster-autoscaler-status"))
                        .count()
                    >= 2);
    plane.post("/api/v1/jobs/" + job + ":cancel");
    plane.awaitState(job, "CANCELLED");
  }

  private static void event(Site site, JsonNode about, String kind, String reason, String message)
      throws IOException, InterruptedException {
    String namespace = about.path("namespace").asText("default");
    ObjectNode event = new ObjectMapper().createObjectNode();
    event.put("apiVersion", "v1").put("kind", "Event").put("type", "Warning");
    event.putObject("metadata").put("generateName", "told-").put("namespace", namespace);
    ObjectNode object = event.putObject("involvedObject").put("kind", kind);
    object.put("name", about.path("name").asText());
    if (about.has("namespace")) {
      object.put("namespace", namespace);
    }
    event.put("reason", reason).put("message", message);
    site.admin().post("/api/v1/namespaces/" + namespace + "/events", event).orFail();
  }

  private static final String BUCKET_DRIVER =
      """
      apiVersion: storage.k8s.io/v1
      kind: CSIDriver
      metadata: {name: s3.csi.aws.com}
      spec: {attachRequired: false, podInfoOnMount: true}
      """;
}
