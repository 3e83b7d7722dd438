package io.spillway.server.kill;

import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.JobId;
import io.spillway.server.loop.CrashPoint;
import io.spillway.server.world.TestPostgres;
import io.spillway.server.world.TestStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * Kills loop and store at the named points, again and again on one database, and audits in the end.
 * {@code -Dspillway.kills=1000} asks for so many.
 */
final class KillHarness {
  /** Kafka's point is reached where Kafka is. */
  static final Set<CrashPoint> POINTS = EnumSet.complementOf(EnumSet.of(CrashPoint.KAFKA_CONSUMED));

  private static final int EXIT_KILLED = 137;
  private static final int AT_MOST_TIMES = 12;
  private static final long CHILD_SECONDS = 40;

  private final TestStore store;
  private final Path folder;
  private final String agent;
  private final RandomGenerator random;
  private final ChildClasses classes;
  private int killed;

  /**
   * @param agent {@code dedupe}, or {@code forgetful} for the sabotage
   */
  KillHarness(TestStore store, Path folder, String agent, RandomGenerator random)
      throws IOException {
    this.store = store;
    this.folder = folder;
    this.agent = agent;
    this.random = random;
    this.classes = ChildClasses.in(folder);
  }

  /** Kills that many times, each point in turn; answers what the audit found. */
  List<String> run(int kills) throws Exception {
    if (child("once", "-Dspillway.quiet=true") != 0) {
      return List.of("a child that nobody kills did not end well");
    }
    List<CrashPoint> points = List.copyOf(POINTS);
    for (int i = 0; i < kills; i++) {
      CrashPoint point = points.get(i % points.size());
      int times =
          point == CrashPoint.TAKEOVER || point.name().startsWith("MEMO")
              ? 1
              : 1 + random.nextInt(AT_MOST_TIMES);
      int status = child("load", "-Dspillway.crash-at=" + point.text() + ":" + times);
      if (status != EXIT_KILLED) {
        return List.of("the child was to die at " + point.text() + " but ended with " + status);
      }
      killed++;
    }
    int status = child("drain", "-Dspillway.quiet=true");
    List<String> faults = new ArrayList<>();
    if (status != 0) {
      faults.add("after the kills the jobs did not all end: status " + status);
    }
    faults.addAll(audit());
    return faults;
  }

  int killed() {
    return killed;
  }

  private int child(String mode, String property) throws Exception {
    Path log = folder.resolve("child.log");
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                property,
                classes.option(),
                "-cp",
                classes.path(),
                KillChild.class.getName(),
                TestPostgres.uri(store.name()),
                folder.toString(),
                mode,
                agent)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    if (!process.waitFor(CHILD_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
      return -1;
    }
    return process.exitValue();
  }

  private List<String> audit() throws IOException {
    List<JobId> accepted = new ArrayList<>();
    Path promised = folder.resolve("accepted");
    if (Files.exists(promised)) {
      Files.readAllLines(promised).stream()
          .filter(JobId::isValid)
          .forEach(line -> accepted.add(new JobId(line)));
    }
    List<LedgerAudit.StoredJob> jobs =
        store.query("select id, state from job").stream()
            .map(row -> new LedgerAudit.StoredJob(new JobId(row.getString(0)), row.getString(1)))
            .toList();
    Set<AttemptId> intents = new HashSet<>();
    store
        .query("select job_id, number from attempt")
        .forEach(row -> intents.add(new AttemptId(new JobId(row.getString(0)), row.getInteger(1))));
    List<String> faults =
        new ArrayList<>(
            new LedgerAudit().of(accepted, Ledger.read(folder.resolve("ledger")), jobs, intents));
    if (accepted.isEmpty()) {
      faults.add("nothing was accepted: the load did not run");
    }
    if (Files.exists(folder.resolve("mismatches"))) {
      faults.add("a restart found another digest than the journal's");
    }
    return faults;
  }
}
