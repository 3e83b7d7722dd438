package io.spillway.verify.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.spillway.standalone.WorldPlan;
import io.spillway.verify.kube.PodFact.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A cluster is cut off, on either side of its agent, for long enough that it counts as lost.
 *
 * <p>An agent that does not reach its API server cannot renew its Lease and gives up its stream, so
 * that both clusters fall silent, each for its own reason.
 *
 * @param lasts how long, by the clocks of the control plane and the agents
 * @param lostAfter what the policies say
 * @param haste how many seconds of those clocks pass in one of this process's
 */
record Partition(Duration lasts, Duration lostAfter, int haste) {
  private static final String OHIO = "eks-ohio";
  private static final String FRANKFURT = "oke-frankfurt";

  /** When nobody is heard it may be the control plane that is cut off: then nothing is lost. */
  private static final String WITNESS =
      """
      ---
      apiVersion: spillway.io/v1beta1
      kind: Cluster
      metadata: {name: oke-witness}
      spec:
        provider: oci
        account: oci-verify
        region: eu-frankfurt-1
        namespace: "witness-{queue}"
      """;

  private Path policies() throws Exception {
    Path directory = Files.createTempDirectory("partition-policies");
    Path from = Path.of(Partition.class.getResource("/kube/policies").toURI());
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        String text =
            Files.readString(file)
                .replace(
                    "  namespace: \"spillway-{queue}\"",
                    "  namespace: \"spillway-{queue}\"\n  lostAfter: "
                        + lostAfter.toSeconds()
                        + "s")
                // A launch takes as long as the machine needs, in whatever time.
                .replace("launchDeadline: 60s", "launchDeadline: " + 60 * haste + "s");
        Files.writeString(directory.resolve(file.getFileName().toString()), text + WITNESS);
      }
    }
    return directory;
  }

  private static ObjectNode job(String name, String cluster) {
    ObjectNode job = ControlPlane.job(name, 2, "100000");
    job.put("queue", "steady");
    job.putObject("constraints").putArray("clusters").add(cluster);
    return job;
  }

  private static String attempt(ControlPlane plane, String job) throws Exception {
    List<JsonNode> attempts = plane.attempts(job);
    assertThat(attempts).as("one attempt, whatever happened").hasSize(1);
    return attempts.getFirst().path("id").asText();
  }

  private static void nothingTouched(Site site, String attempt) {
    assertThat(site.facts(attempt))
        .extracting(PodFact::kind)
        .containsExactly(Kind.BEGAN, Kind.BEGAN);
  }

  /** How long that is by this process's clock. */
  private Duration here(Duration time) {
    return time.dividedBy(haste);
  }

  /** What takes the machine a moment must not look like a dead leader when time is hastened. */
  private WorldPlan unhurried(WorldPlan plan) {
    return haste == 1
        ? plan
        : plan.withServerProperty("spillway.leader.lease", 5 * haste + "s")
            .withServerProperty("spillway.leader.renew", haste + "s");
  }

  /** Tells it, from the first job to the last. */
  void told(KubeWorld.Pair worlds) throws Exception {
    Path data = Files.createTempDirectory("spillway-partition");
    try (ControlPlane plane =
            ControlPlane.start(
                unhurried(
                    ControlPlane.plan(data, policies(), Set.of(OHIO, FRANKFURT, "oke-witness"))));
        Site ohio = Site.attach(OHIO, worlds.first().cluster(), plane);
        Site frankfurt = Site.attach(FRANKFURT, worlds.second().cluster(), plane);
        Site witness =
            Site.attach(
                "oke-witness", worlds.second().cluster(), plane, List.of("witness-steady"))) {
      Machines spot = Machines.of(ohio.kubelet(), "partition");
      spot.add(4, Machines::onDemand);
      Machines metal = Machines.of(frankfurt.kubelet(), "partition");
      metal.addBareMetal(4);
      plane.awaitNodes(OHIO, 4);
      plane.awaitNodes(FRANKFURT, 4);
      String stays = plane.submit(job("stays", OHIO));
      String ends = plane.submit(job("ends", OHIO));
      String deaf = plane.submit(job("deaf", FRANKFURT));
      String goesOn = plane.submit(job("goes-on", FRANKFURT));
      for (String job : List.of(stays, ends, deaf, goesOn)) {
        plane.awaitState(job, "RUNNING");
      }

      Instant cut = Instant.now();
      ohio.line().cut();
      frankfurt.wire().cut();
      plane.awaitCluster(OHIO, "CUT_OFF", Duration.ofMinutes(3));
      assertThat(plane.attempts(stays).getFirst().path("unreachable").asBoolean()).isTrue();
      String waits = plane.submit(job("waits", OHIO));
      ohio.kubelet().exit(attempt(plane, ends), 0, "");
      frankfurt.kubelet().exit(attempt(plane, deaf), 0, "");
      plane.awaitCluster(OHIO, "LOST", here(lostAfter).plusMinutes(2));
      plane.awaitCluster(FRANKFURT, "LOST", Duration.ofMinutes(1));
      await("the partition lasts")
          .atMost(here(lasts).plusMinutes(1))
          .pollInterval(Duration.ofSeconds(1))
          .until(() -> !Instant.now().isBefore(cut.plus(here(lasts))));
      nothingTouched(ohio, attempt(plane, stays));
      nothingTouched(frankfurt, attempt(plane, goesOn));
      assertThat(plane.attempts(waits)).as("placed in a lost cluster").isEmpty();

      ohio.line().mend();
      frankfurt.wire().mend();
      plane.awaitConnected(OHIO);
      plane.awaitConnected(FRANKFURT);
      assertThat(witness.agent().alive()).isTrue();
      plane.awaitState(ends, "SUCCEEDED");
      plane.awaitState(deaf, "SUCCEEDED");
      attempt(plane, ends);
      attempt(plane, deaf);
      plane.awaitState(waits, "RUNNING");
      nothingTouched(ohio, attempt(plane, stays));
      nothingTouched(frankfurt, attempt(plane, goesOn));
      ohio.kubelet().exit(attempt(plane, stays), 0, "");
      frankfurt.kubelet().exit(attempt(plane, goesOn), 0, "");
      plane.awaitState(stays, "SUCCEEDED");
      plane.awaitState(goesOn, "SUCCEEDED");
      attempt(plane, stays);
      attempt(plane, goesOn);
      plane.post("/api/v1/jobs/" + waits + ":cancel");
      plane.awaitState(waits, "CANCELLED");
    }
  }
}
