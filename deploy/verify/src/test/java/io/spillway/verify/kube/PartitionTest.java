package io.spillway.verify.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.spillway.verify.Full;
import io.spillway.verify.kube.KubeWorld.Kubernetes;
import io.spillway.verify.kube.PodFact.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A cluster is cut off, on either side of its agent, for long enough that it counts as lost.
 *
 * <p>An agent that does not reach its API server cannot renew its Lease and gives up its stream, so
 * that both clusters fall silent, each for its own reason.
 *
 * <p>The server's clock is its machine's and cannot be hurried from outside. What is hurried is the
 * policy: {@code lostAfter} 100 s in place of 30 minutes, so that two minutes hold what an hour
 * does: silence, cut off at 90 s (a constant of the core), lost, and as much again. {@code
 * VERIFY_FULL=partition,hour} lets a real hour pass, with 30 minutes.
 */
@Kubernetes
@Full("partition")
class PartitionTest {
  private static final boolean HOUR = Full.Asked.names("hour");
  private static final Duration LASTS = HOUR ? Duration.ofHours(1) : Duration.ofSeconds(125);
  private static final Duration LOST_AFTER =
      HOUR ? Duration.ofMinutes(30) : Duration.ofSeconds(100);
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

  private static Path policies() throws Exception {
    Path directory = Files.createTempDirectory("partition-policies");
    Path from = Path.of(PartitionTest.class.getResource("/kube/policies").toURI());
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        String text =
            Files.readString(file)
                .replace(
                    "  namespace: \"spillway-{queue}\"",
                    "  namespace: \"spillway-{queue}\"\n  lostAfter: "
                        + LOST_AFTER.toSeconds()
                        + "s");
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

  @Test
  void an_hour_of_partition_kills_nothing_and_doubles_nothing(KubeWorld.Pair worlds)
      throws Exception {
    Path data = Files.createTempDirectory("spillway-partition");
    try (ControlPlane plane =
            ControlPlane.start(
                ControlPlane.plan(data, policies(), Set.of(OHIO, FRANKFURT, "oke-witness")));
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
      for (String job : List.of(stays, ends, deaf)) {
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
      plane.awaitCluster(OHIO, "LOST", LOST_AFTER.plusMinutes(1));
      await("the partition lasts")
          .atMost(LASTS.plusMinutes(1))
          .pollInterval(Duration.ofSeconds(1))
          .until(() -> !Instant.now().isBefore(cut.plus(LASTS)));
      nothingTouched(ohio, attempt(plane, stays));
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
      ohio.kubelet().exit(attempt(plane, stays), 0, "");
      plane.awaitState(stays, "SUCCEEDED");
      attempt(plane, stays);
      plane.post("/api/v1/jobs/" + waits + ":cancel");
      plane.awaitState(waits, "CANCELLED");
    }
  }
}
