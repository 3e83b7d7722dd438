package io.spillway.verify.kill;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.standalone.ServerProcess;
import io.spillway.standalone.WorldPlan;
import io.spillway.verify.Full;
import io.spillway.verify.kube.ControlPlane;
import io.spillway.verify.kube.KubeWorld;
import io.spillway.verify.kube.KubeWorld.Kubernetes;
import io.spillway.verify.kube.Machines;
import io.spillway.verify.kube.Notice;
import io.spillway.verify.kube.PodFact;
import io.spillway.verify.kube.Site;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The kill audit with real agents and real API servers where the simulated clouds were: what ran is
 * what the machines' witness saw. Eleven kills; {@code VERIFY_FULL=forty} makes them forty and
 * more, with two replicas and leaders that sleep past their lease.
 */
@Kubernetes
class KubeKillAuditTest {
  private static final Duration LEASE = Duration.ofSeconds(3);
  private static final Duration QUIET = Duration.ofMinutes(2);
  private static final String OHIO = "eks-ohio";
  private static final String FRANKFURT = "oke-frankfurt";
  private static final boolean FULL = Full.Asked.names("forty");

  /** Held, since loggers that nobody holds forget their level. */
  private static final Logger KAFKA = Logger.getLogger("org.apache.kafka");

  private final long seed = Long.getLong("spillway.kill.seed", System.nanoTime());
  private final String run = "run-" + Long.toString(seed, 36);
  private final long began = System.nanoTime();

  @Test
  @Timeout(value = 40, unit = TimeUnit.MINUTES)
  void kills_of_servers_and_agents_lose_nothing_and_double_nothing(KubeWorld.Pair worlds)
      throws Exception {
    Path data = Files.createTempDirectory("spillway-kube-kill");
    KAFKA.setLevel(Level.WARNING);
    say("seed " + seed + ", data in " + data);
    try (ControlPlane plane = ControlPlane.start(plan(data));
        Site ohio = Site.attach(OHIO, worlds.first().cluster(), plane);
        Site frankfurt = Site.attach(FRANKFURT, worlds.second().cluster(), plane)) {
      KubeTrouble.Place spot =
          new KubeTrouble.Place(
              ohio,
              Machines.of(ohio.kubelet(), "audit"),
              new Notice("aws", "aws-verify", "us-east-2"));
      KubeTrouble.Place metal =
          new KubeTrouble.Place(
              frankfurt,
              Machines.of(frankfurt.kubelet(), "audit"),
              new Notice("oci", "oci-verify", "eu-frankfurt-1"));
      spot.machines().add(6, Machines::spot);
      spot.machines().add(4, Machines::onDemand);
      metal.machines().addBareMetal(6);
      plane.awaitNodes(OHIO, 10);
      plane.awaitNodes(FRANKFURT, 6);

      List<ServerProcess> servers = plane.world().servers();
      Api api = new Api(servers.stream().map(ServerProcess::port).toList(), plane.world().token());
      Load load = new Load(api, run, data.resolve("accepted.log"), seed, 2_000);
      KubeTrouble trouble =
          new KubeTrouble(List.of(spot, metal), plane.world().broker().bootstrapServers(), seed);
      Killer killer = new Killer(plane.world(), seed, LEASE);
      Operator operator = new Operator(api);
      say("ready");
      load.start();
      trouble.start();
      operator.start();
      kill(plane, killer);
      trouble.stop();
      ohio.cluster().killApiServer();
      ohio.cluster().restartApiServer();
      load.stop();
      say("killed " + killer.kills().size() + " times, " + trouble.done());

      List<Seen> jobs = quiet(api);
      operator.stop();
      List<PodFact> pods = new ArrayList<>(ohio.kubelet().facts());
      pods.addAll(frankfurt.kubelet().facts());
      List<Fact> facts = PodWitness.facts(pods);
      List<Finding> findings =
          new ArrayList<>(
              Audit.of(new Evidence(facts, load.accepted(), jobs, List.of(), Optional.empty())));
      List<Path> logs = servers.stream().map(server -> server.process().log()).toList();
      findings.addAll(Digests.findings(logs));
      say(
          "\n"
              + new Table()
                  .kills(killer.kills())
                  .jobs(jobs)
                  .row("promises", load.accepted().size())
                  .row("submits repeated", load.repeats())
                  .row("cancels taken", load.cancelled())
                  .row("trouble", trouble.done())
                  .row("runs on machines", Run.of(facts).size())
                  .row("minutes", (System.nanoTime() - began) / 60e9));
      findings.forEach(finding -> say(finding.toString()));
      assertThat(load.refusals()).as("refused submissions").isEmpty();
      assertThat(findings).as("seed %d, data kept in %s", seed, data).isEmpty();
      assertThat(killer.kills()).hasSizeGreaterThanOrEqualTo(FULL ? 40 : 10);
      spot.machines().removeAll();
      metal.machines().removeAll();
    }
    Disk.delete(data);
  }

  private void kill(ControlPlane plane, Killer killer) throws IOException, InterruptedException {
    if (!FULL) {
      killer.alone(1);
      return;
    }
    plane.world().killServer(1);
    killer.alone(5);
    plane.world().startServer(1, Map.of());
    plane.world().awaitReady(1);
    killer.inPairs();
    killer.freeze(0);
    killer.freeze(1);
  }

  private static WorldPlan plan(Path data) throws Exception {
    return ControlPlane.plan(
            data,
            Path.of(KubeWorld.class.getResource("/kube/policies").toURI()),
            Set.of(OHIO, FRANKFURT))
        .withReplicas(FULL ? 2 : 1)
        // A server lives for seconds here: the optimising compiler would never be paid back.
        .withServerJvm(
            List.of(
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow"))
        .withServerProperty("spillway.leader.lease", LEASE.toSeconds() + "s")
        .withServerProperty("spillway.leader.renew", "500ms")
        .withServerProperty("spillway.loop.memo-every", "4s")
        // Commands come twice and more, or nobody would know that starts are taken once.
        .withServerProperty("spillway.gateway.resend-after", "300ms")
        // A word that was lost with its agent is missed at the next sweep, five minutes later.
        .withServerProperty("spillway.gateway.sweep-every", "10s");
  }

  private List<Seen> quiet(Api api) throws IOException, InterruptedException {
    say("quiet after " + new Quiet(api, run, QUIET, QUIET.multipliedBy(2)).await() + " s");
    return api.jobsWithAttempts("run=" + run);
  }

  private void say(String line) {
    System.out.printf("[kube-kill %4d s] %s%n", (System.nanoTime() - began) / 1_000_000_000, line);
  }
}
