package io.spillway.verify.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.verify.kube.KubeWorld.Kubernetes;
import io.spillway.verify.kube.PodFact.Kind;
import io.spillway.verify.kube.Wire.Asked;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The agent is killed before each request by which it changes something, and after each before it
 * hears the answer: at the first moment in one life of a job, at the second in the next, until a
 * job has no further moment.
 */
@Kubernetes
class AgentKilledAtEachStepTest {
  private static final String OHIO = "eks-ohio";
  private static final int MOST = 24;
  private static ControlPlane plane;
  private static Site site;
  private static Machines machines;

  @BeforeAll
  static void start(KubeWorld world) throws Exception {
    Path data = Files.createTempDirectory("spillway-steps");
    Path policies = Path.of(KubeWorld.class.getResource("/kube/policies").toURI());
    plane =
        ControlPlane.start(
            ControlPlane.plan(data, policies, Set.of(OHIO, "oke-frankfurt"))
                .withServerProperty("spillway.gateway.resend-after", "1s"));
    site = Site.attach(OHIO, world.cluster(), plane);
    machines = Machines.of(site.kubelet(), "steps");
    machines.add(2, Machines::spot);
    plane.awaitNodes(OHIO, 2);
  }

  @AfterAll
  static void stop() throws Exception {
    machines.removeAll();
    site.close();
    plane.close();
  }

  /** Kills the agent at the n-th moment, and starts it again. */
  private static final class Death implements Wire.Watcher {
    private final AtomicInteger left;
    private volatile String moment = "";

    Death(int number) {
      this.left = new AtomicInteger(number);
    }

    private static boolean ofAnAttempt(String method, String path) {
      return !method.equals("GET") && path.contains("/namespaces/spillway-");
    }

    @Override
    public void before(String method, String path) throws IOException {
      if (ofAnAttempt(method, path) && left.decrementAndGet() == 0) {
        die("before " + method + ' ' + path);
      }
    }

    @Override
    public void after(Asked asked) throws IOException {
      if (ofAnAttempt(asked.method(), asked.path()) && left.decrementAndGet() == 0) {
        die("after " + asked.method() + ' ' + asked.path());
      }
    }

    private void die(String when) throws IOException {
      moment = when.replaceFirst("\\?.*", "");
      site.agent().kill();
      site.agent().restart();
      throw new IOException("the agent was killed " + when);
    }
  }

  private static void ranOnce(String job, String moment) throws Exception {
    assertThat(plane.attempts(job)).as(moment).hasSize(1);
    String attempt = plane.attempts(job).getFirst().path("id").asText();
    assertThat(site.facts(attempt))
        .as(moment)
        .filteredOn(fact -> fact.kind() == Kind.BEGAN)
        .extracting(PodFact::member)
        .doesNotHaveDuplicates();
  }

  /** A job that goes to its end while the agent may die; answers its id. */
  private interface Story {
    String told(int number, Death death) throws Exception;
  }

  /** Tells it until the agent had no request left to die at. */
  private static void whateverTheMoment(Story story) throws Exception {
    List<String> moments = new ArrayList<>();
    for (int number = 1; number <= MOST; number++) {
      Death death = new Death(number);
      ranOnce(story.told(number, death), death.moment);
      if (death.moment.isEmpty()) {
        break;
      }
      moments.add(death.moment);
      plane.awaitConnected(OHIO);
    }
    System.out.println("[kubernetes] the agent was killed " + String.join(", ", moments));
    // At least the workload, before and after.
    assertThat(moments).hasSizeBetween(2, MOST - 1);
  }

  @Test
  void a_gang_is_started_once_and_its_end_is_told_whenever_the_agent_dies() throws Exception {
    whateverTheMoment(
        (number, death) -> {
          site.wire().watch(death);
          String job = plane.submit(ControlPlane.job("step-" + number, 2, "1"));
          plane.awaitState(job, "SUCCEEDED");
          return job;
        });
  }

  @Test
  void a_cancelled_gang_is_stopped_whenever_the_agent_dies() throws Exception {
    whateverTheMoment(
        (number, death) -> {
          String job = plane.submit(ControlPlane.job("stop-" + number, 2, "600"));
          plane.awaitState(job, "RUNNING");
          site.wire().watch(death);
          plane.post("/api/v1/jobs/" + job + ":cancel");
          plane.awaitState(job, "CANCELLED");
          return job;
        });
  }

  @Test
  void a_gang_that_begins_or_ends_while_the_agent_is_dead_is_told() throws Exception {
    site.wire().watch(new Wire.Watcher() {});
    String job = plane.submit(ControlPlane.job("between", 2, "600"));
    plane.awaitState(job, "LAUNCHING", "RUNNING");
    site.agent().kill();
    site.agent().restart();
    plane.awaitState(job, "RUNNING");
    String attempt = plane.attempts(job).getFirst().path("id").asText();

    site.agent().kill();
    site.kubelet().exit(attempt, 0, "");
    site.agent().restart();
    plane.awaitState(job, "SUCCEEDED");
    ranOnce(job, "while it is dead");
  }
}
