package io.spillway.verify.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.spillway.verify.kube.KubeWorld.Kubernetes;
import io.spillway.verify.kube.PodFact.Kind;
import io.spillway.verify.kube.Wire.Asked;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What becomes of a job on a real cluster, told by the API, the cluster and its machines. */
@Kubernetes
class StoriesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String OHIO = "eks-ohio";
  private static final List<String> jobs = new ArrayList<>();
  private static Machines machines;
  private static ControlPlane plane;
  private static Site site;

  @BeforeAll
  static void start(KubeWorld world) throws Exception {
    Path data = Files.createTempDirectory("spillway-stories");
    Path policies = Path.of(StoriesTest.class.getResource("/kube/policies").toURI());
    plane = ControlPlane.start(ControlPlane.plan(data, policies, Set.of(OHIO, "oke-frankfurt")));
    site = Site.attach(OHIO, world.cluster(), plane);
    machines = Machines.of(site.kubelet(), "stories");
    machines.add(4, Machines::spot);
    machines.add(4, Machines::onDemand);
    plane.awaitNodes(OHIO, 8);
  }

  @AfterAll
  static void stop() throws Exception {
    machines.removeAll();
    site.close();
    plane.close();
    assertThat(alwaysRefused()).as("what RBAC refused in all these stories").isEmpty();
  }

  /**
   * An API server that has just started refuses what it will allow once it knows its roles. Config
   * maps are looked for once at the agent's start, to be left out where it may not look.
   */
  private static Set<ApiUse> alwaysRefused() {
    Set<ApiUse> refused = new HashSet<>();
    Set<ApiUse> granted = new HashSet<>();
    for (Asked asked : site.wire().asked()) {
      ApiUse.of(asked).ifPresent((asked.status() == 403 ? refused : granted)::add);
    }
    refused.removeAll(granted);
    refused.remove(new ApiUse("list", "", "configmaps", ""));
    return refused;
  }

  /** What a failed story leaves running would keep the machines from the next. */
  @AfterEach
  void tidy() throws Exception {
    site.wire().mend();
    for (String job : jobs) {
      if (!Set.of("SUCCEEDED", "FAILED", "CANCELLED").contains(plane.state(job))) {
        plane.post("/api/v1/jobs/" + job + ":cancel");
        plane.awaitState(job, "CANCELLED", "SUCCEEDED", "FAILED");
      }
    }
    jobs.clear();
  }

  private static String submit(ObjectNode spec) throws Exception {
    String job = plane.submit(spec);
    jobs.add(job);
    return job;
  }

  /** Submits a gang of two and waits until both run; answers the job. */
  private static String runningGang(String name) throws Exception {
    String job = submit(ControlPlane.job(name, 2, "600"));
    plane.awaitState(job, "RUNNING");
    return job;
  }

  private static String attempt(String job, int number) throws Exception {
    return plane.attempts(job).get(number - 1).path("id").asText();
  }

  /** Ends what runs of a job, well. */
  private static void finish(String job) throws Exception {
    site.kubelet().exit(plane.lastAttempt(job).path("id").asText(), 0, "");
    plane.awaitState(job, "SUCCEEDED");
  }

  /** The next attempt did not begin before the last pod of the one before was over. */
  private static void oneAfterTheOther(String job) throws Exception {
    List<JsonNode> attempts = plane.attempts(job);
    for (int i = 1; i < attempts.size(); i++) {
      List<PodFact> before = site.facts(attempts.get(i - 1).path("id").asText());
      List<PodFact> after = site.facts(attempts.get(i).path("id").asText());
      assertThat(Site.over(before)).as("attempt %d is over", i).isPresent();
      assertThat(after.getFirst().nanos()).isGreaterThan(Site.over(before).orElseThrow());
    }
  }

  private static void gone(String attempt) {
    await("nothing of " + attempt + " is left that runs")
        .atMost(PATIENCE)
        .until(
            () ->
                site.pods(attempt).stream()
                    .allMatch(
                        pod ->
                            Set.of("Succeeded", "Failed")
                                .contains(pod.path("status").path("phase").asText())));
  }

  @Test
  void a_gang_runs_from_apply_to_success() throws Exception {
    String job = submit(ControlPlane.job("good", 2, "1"));
    plane.awaitState(job, "SUCCEEDED");

    assertThat(plane.attempts(job)).hasSize(1);
    JsonNode attempt = plane.attempts(job).getFirst();
    assertThat(attempt.path("outcome").asText()).isEqualTo("SUCCEEDED");
    assertThat(attempt.path("instances")).hasSize(2);
    assertThat(site.facts(attempt.path("id").asText()))
        .extracting(PodFact::kind)
        .containsExactlyInAnyOrder(Kind.BEGAN, Kind.BEGAN, Kind.OVER, Kind.OVER);
  }

  @Test
  void a_users_exit_code_is_the_users_failure() throws Exception {
    var spec = ControlPlane.job("bad", 2, "0.5");
    ((ObjectNode) spec.path("env")).put("SIM_EXIT_CODE", "3");
    String job = submit(spec);
    plane.awaitState(job, "FAILED");

    assertThat(plane.attempts(job))
        .allSatisfy(
            attempt -> {
              assertThat(attempt.path("outcome").asText()).isEqualTo("FAILED");
              assertThat(attempt.path("reason").asText()).isEqualTo("EXITED_NONZERO");
            });
    assertThat(plane.get("/api/v1/jobs/" + job).path("reason").asText())
        .isEqualTo("USER_FAILURES_SPENT");
  }

  @Test
  void a_gang_whose_node_is_lost_is_started_again_as_a_whole() throws Exception {
    String job = runningGang("loses");
    String first = attempt(job, 1);
    machines.lose(site.pods(first).getFirst());

    plane.awaitAttempt(job, 2, "RUNNING");
    // Fenced: the dead node's pod has not said its last word within the time that is given for it.
    assertThat(plane.attempts(job).getFirst().path("outcome").asText())
        .isIn("INFRASTRUCTURE", "INTERRUPTED", "FENCED");
    oneAfterTheOther(job);
    finish(job);
  }

  @Test
  void an_evicted_gang_is_started_again_and_is_not_the_users_failure() throws Exception {
    String job = runningGang("evicted");
    JsonNode pod = site.pods(attempt(job, 1)).getFirst().path("metadata");
    String path =
        "/api/v1/namespaces/"
            + pod.path("namespace").asText()
            + "/pods/"
            + pod.path("name").asText()
            + "/eviction";
    site.admin()
        .post(
            path,
            new ObjectMapper()
                .createObjectNode()
                .put("apiVersion", "policy/v1")
                .put("kind", "Eviction")
                .set("metadata", pod.deepCopy()))
        .orFail();

    plane.awaitAttempt(job, 2, "RUNNING");
    assertThat(plane.attempts(job).getFirst().path("outcome").asText())
        .isIn("INFRASTRUCTURE", "INTERRUPTED");
    oneAfterTheOther(job);
    finish(job);
  }

  @Test
  void what_is_deleted_behind_our_back_is_started_again() throws Exception {
    String job = runningGang("deleted");
    String first = attempt(job, 1);
    site.deleteWorkload(first);

    plane.awaitAttempt(job, 2, "RUNNING");
    assertThat(plane.attempts(job).getFirst().path("outcome").asText()).isEqualTo("INFRASTRUCTURE");
    oneAfterTheOther(job);
    finish(job);
  }

  @Test
  void a_cancelled_gang_ends_and_leaves_nothing() throws Exception {
    String job = runningGang("cancelled");
    String attempt = attempt(job, 1);
    plane.post("/api/v1/jobs/" + job + ":cancel");

    plane.awaitState(job, "CANCELLED");
    gone(attempt);
    assertThat(site.facts(attempt))
        .filteredOn(fact -> fact.kind() == Kind.OVER)
        .extracting(fact -> fact.exitCode().orElse(-1))
        .containsOnly(143);
  }

  @Test
  void a_restart_of_the_api_server_is_no_reason_to_touch_a_gang() throws Exception {
    String job = runningGang("restart");
    site.cluster().killApiServer();
    site.cluster().restartApiServer();

    finish(job);
    assertThat(plane.attempts(job)).hasSize(1);
  }

  @Test
  void an_end_is_not_missed_when_the_watch_has_expired() throws Exception {
    String job = runningGang("expired");
    String before =
        site.admin()
            .get("/api/v1/pods?limit=1")
            .orFail()
            .path("metadata")
            .path("resourceVersion")
            .asText();
    site.wire().cut();
    site.kubelet().exit(attempt(job, 1), 0, "");
    await("the cluster knows")
        .atMost(PATIENCE)
        .until(
            () ->
                site.pods(attempt(job, 1)).stream()
                    .allMatch(
                        pod -> pod.path("status").path("phase").asText().equals("Succeeded")));
    // A server that starts anew remembers no older change: who asks for one is told 410.
    site.cluster().killApiServer();
    site.cluster().restartApiServer();
    String answer =
        site.admin()
            .get("/api/v1/pods?watch=1&timeoutSeconds=1&resourceVersion=" + before)
            .body()
            .toString();
    assertThat(answer).contains("410");
    site.wire().mend();

    plane.awaitState(job, "SUCCEEDED");
    assertThat(plane.attempts(job)).hasSize(1);
  }

  @Test
  void a_revoked_token_shuts_the_agent_out_and_stops_nothing() throws Exception {
    String job = runningGang("revoked");
    String token = plane.world().token(OHIO);
    await("the agent is shut out")
        .atMost(PATIENCE)
        .until(() -> !plane.clusterState(OHIO).equals("CONNECTED"));
    assertThat(Site.over(site.facts(attempt(job, 1)))).isEmpty();

    site.token(token);
    plane.awaitConnected(OHIO);
    finish(job);
    assertThat(plane.attempts(job)).hasSize(1);
  }

  @Test
  void a_second_replica_takes_over_when_the_first_is_killed() throws Exception {
    String job = runningGang("replicas");
    try (AgentProcess second = site.another("second")) {
      site.agent().kill();
      site.kubelet().exit(attempt(job, 1), 0, "");
      plane.awaitState(job, "SUCCEEDED");
      assertThat(second.alive()).isTrue();
    } finally {
      site.agent().restart();
    }
    plane.awaitConnected(OHIO);
    assertThat(plane.attempts(job)).hasSize(1);
  }
}
