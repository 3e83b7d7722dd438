package io.spillway.verify.kill;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.spillway.standalone.ServerProcess;
import io.spillway.standalone.StandaloneWorld;
import io.spillway.standalone.WorldPlan;
import io.spillway.verify.kill.Evidence.Forgotten;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Forty kills under load, then a restored copy of the database. The seed is printed; {@code
 * -Dspillway.kill.seed} repeats its draws, not the machine's timing.
 */
@Tag("kill")
class KillAuditTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration LEASE = Duration.ofSeconds(3);
  private static final Duration QUIET = Duration.ofMinutes(2);
  private static final int ANYWHERE_ALONE = 5;
  private static final int FREEZES = 2;

  /** Held, since loggers that nobody holds forget their level. */
  private static final Logger KAFKA = Logger.getLogger("org.apache.kafka");

  private static final List<String> ALL = List.of("alone", "pairs", "freeze", "restore");

  /** What is done, all by default; less of it for those who look for one thing. */
  private static final List<String> PARTS =
      List.of(System.getProperty("spillway.kill.parts", String.join(",", ALL)).split(","));

  private final long seed = Long.getLong("spillway.kill.seed", System.nanoTime());
  private final String run = "run-" + Long.toString(seed, 36);
  private final Table table = new Table();
  private final long began = System.nanoTime();

  @Test
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  void forty_kills_and_an_old_copy_lose_nothing_double_nothing_and_stop_nothing() throws Exception {
    Path data = Files.createTempDirectory("spillway-kill");
    KAFKA.setLevel(Level.WARNING);
    say("seed " + seed + ", data in " + data);
    List<Finding> findings = new ArrayList<>();
    try (StandaloneWorld world = StandaloneWorld.open(plan(data))) {
      Api api = new Api(world.servers().stream().map(ServerProcess::port).toList(), world.token());
      Load load = new Load(api, run, data.resolve("accepted.log"), seed, 1_100);
      Trouble trouble = new Trouble(world.clouds().control(), seed);
      Killer killer = new Killer(world, seed, LEASE);
      say("ready");
      Operator operator = new Operator(api);
      load.start();
      trouble.start();
      operator.start();

      if (PARTS.contains("alone")) {
        world.killServer(1);
        killer.alone(ANYWHERE_ALONE);
        say("alone: " + killer.kills().size() + " kills");
        world.startServer(1, Map.of());
        world.awaitReady(1);
      }
      if (PARTS.contains("pairs")) {
        killer.inPairs();
        say("in pairs: " + killer.kills().size() + " kills");
      }
      for (int i = 0; i < FREEZES && PARTS.contains("freeze"); i++) {
        killer.freeze(i % 2);
      }
      quieten(world, load, trouble);

      List<Seen> first = quiet(api, "kills");
      findings.addAll(audit(world, load, first, List.of(), Optional.empty()));
      table.kills(killer.kills()).jobs(first);
      findings.forEach(finding -> say(finding.toString()));
      say("audited " + first.size() + " jobs after the kills: " + findings.size() + " findings");
      if (findings.isEmpty() && PARTS.contains("restore")) {
        Forgotten forgotten = restore(world, api, load);
        List<Seen> second = quiet(api, "restore");
        findings.addAll(audit(world, load, second, first, Optional.of(forgotten)));
        table.jobs(second);
      }
      operator.stop();
      findings.addAll(Digests.findings(logs(world)));
      table
          .row("promises", load.accepted().size())
          .row("submits repeated", load.repeats())
          .row("cancels taken", load.cancelled())
          .row("trouble", trouble.done())
          .row("runs", Run.of(Ledger.read(world.clouds().ledger())).size())
          .row("states loaded and compared", Digests.loaded(logs(world)))
          .row("minutes", (System.nanoTime() - began) / 60e9);
      say("\n" + table);
      findings.forEach(finding -> say(finding.toString()));
      assertThat(load.refusals()).as("refused submissions").isEmpty();
      assertThat(findings).as("seed %d, data kept in %s", seed, data).isEmpty();
      if (PARTS.size() == ALL.size()) {
        everyPointWasReached(killer.kills());
      }
    }
    Disk.delete(data);
  }

  private static void everyPointWasReached(List<Killer.Kill> kills) {
    assertThat(kills)
        .as("each point was reached")
        .filteredOn(Killer.Kill::asMeant)
        .extracting(Killer.Kill::where)
        .contains("anywhere", "freeze")
        .contains(Arrays.stream(Point.values()).map(Point::text).toArray(String[]::new));
    assertThat(kills).hasSizeGreaterThanOrEqualTo(40);
  }

  private WorldPlan plan(Path data) throws Exception {
    ObjectNode clouds = JSON.createObjectNode();
    clouds.put("seed", seed).put("profile", "rough");
    clouds.set("behaviour", behaviour(0.01));
    clouds.putObject("market").put("spotNodes", 8).put("volatility", 0.5);
    return WorldPlan.on(data)
        .withPolicies(Path.of(KillAuditTest.class.getResource("/kill/policies").toURI()))
        .withReplicas(2)
        // A server lives for seconds here: the optimising compiler would never be paid back.
        .withServerJvm(
            List.of(
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow"))
        .withClouds(clouds)
        .withProbeInterval("2s")
        .withServerProperty("spillway.leader.lease", LEASE.toSeconds() + "s")
        .withServerProperty("spillway.leader.renew", "500ms")
        .withServerProperty("spillway.loop.memo-every", "4s")
        // Commands come twice and more, or nobody would know that starts are taken once.
        .withServerProperty("spillway.gateway.resend-after", "100ms")
        .withServerProperty("spillway.policies.settle", "1s");
  }

  /** Short times, so that much happens; a share of launches is refused, another times out. */
  private static JsonNode behaviour(double refusals) {
    ObjectNode behaviour = JSON.createObjectNode();
    ObjectNode delays = behaviour.putObject("delays");
    delays.put("bootLeast", 100).put("bootMost", 1_500).put("startLeast", 50);
    delays.put("startMost", 400).put("stopLeast", 50).put("stopMost", 600);
    delays.put("idle", 10_000).put("pending", 5_000).put("events", 2_000);
    ObjectNode faults = behaviour.putObject("faults");
    faults.put("refusals", refusals).put("timeouts", refusals).put("slowStarts", 0.05);
    faults.put("losses", 0.3);
    return behaviour;
  }

  private static void quieten(StandaloneWorld world, Load load, Trouble trouble)
      throws IOException, InterruptedException {
    load.stop();
    trouble.stop();
    world.clouds().control().post("/behaviour", behaviour(0), Map.of()).ok();
  }

  private List<Seen> quiet(Api api, String after) throws IOException, InterruptedException {
    long seconds = new Quiet(api, run, QUIET, QUIET.multipliedBy(3)).await();
    table.row("quiet after " + after + ", s", seconds);
    return api.jobsWithAttempts("run=" + run);
  }

  /** An operator restores a copy that is a minute old, under load. */
  private Forgotten restore(StandaloneWorld world, Api api, Load load) throws Exception {
    load.start();
    Pace.millis(8_000);
    Path copy = world.data().resolve("copy");
    Instant copying = Instant.now();
    world.postgres().copyTo(copy);
    Pace.millis(60_000);
    say(
        "restoring a copy that is "
            + Duration.between(copying, Instant.now()).toSeconds()
            + " s old");
    world.killServer(0);
    world.killServer(1);
    world.postgres().restore(copy);
    Instant restored = Instant.now();
    world.startServer(0, Map.of());
    world.startServer(1, Map.of());
    world.awaitReady(0);
    world.awaitReady(1);
    Awaitility.await("RECOVERY")
        .atMost(Duration.ofSeconds(30))
        .until(() -> api.get("/api/v1/version").hasNonNull("recovery"));
    Instant noticed = Instant.now();
    // It ends by itself when every agent was heard; the last look that saw it is surely within.
    Instant recovered = noticed;
    boolean byItself = false;
    while (!byItself && Instant.now().isBefore(noticed.plusSeconds(15))) {
      Instant asked = Instant.now();
      byItself = !api.get("/api/v1/version").hasNonNull("recovery");
      recovered = byItself ? recovered : asked;
      Pace.millis(50);
    }
    if (!byItself) {
      api.call("POST", "/api/v1/system:recover", Optional.empty(), Map.of());
      Awaitility.await("the operator's word")
          .atMost(Duration.ofSeconds(20))
          .until(() -> !api.get("/api/v1/version").hasNonNull("recovery"));
    }
    Pace.millis(10_000);
    load.stop();
    table
        .row("RECOVERY noticed after, ms", Duration.between(restored, noticed).toMillis())
        .row("RECOVERY lasted, ms", Duration.between(noticed, recovered).toMillis())
        .row("RECOVERY ended by itself", byItself);
    return new Forgotten(copying, restored, recovered);
  }

  private static List<Finding> audit(
      StandaloneWorld world,
      Load load,
      List<Seen> jobs,
      List<Seen> before,
      Optional<Forgotten> forgotten)
      throws IOException {
    return Audit.of(
        new Evidence(
            Ledger.read(world.clouds().ledger()), load.accepted(), jobs, before, forgotten));
  }

  private static List<Path> logs(StandaloneWorld world) {
    return world.servers().stream().map(server -> server.process().log()).toList();
  }

  private void say(String line) {
    System.out.printf("[kill %4d s] %s%n", (System.nanoTime() - began) / 1_000_000_000, line);
  }
}
