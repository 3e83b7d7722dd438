package io.spillway.benchmark.load;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * {@code quick} or {@code full}, and optionally the names of the scenarios to run. Ends with 1 if a
 * scenario failed or a figure is beyond its limit.
 */
public final class Main {
  /** A quick run begins nothing new after this time. */
  private static final Duration QUICK = Duration.ofMinutes(4);

  private Main() {}

  /** Runs the benchmarks. */
  public static void main(String[] args) throws IOException {
    if (args.length == 0 || !List.of("quick", "full").contains(args[0])) {
      System.err.println("usage: quick | full [kueue sustained failover queued start soak]");
      System.exit(2);
    }
    // The embedded database's launcher and the Kafka clients tell of every start.
    Logger.getLogger("").setLevel(Level.SEVERE);
    boolean quick = args[0].equals("quick");
    List<String> wanted = List.of(args).subList(1, args.length);
    Report report = new Report(args[0], RangeSpec.load());
    long began = System.nanoTime();
    for (Scenario scenario : quick ? quick() : full()) {
      boolean late = quick && System.nanoTime() - began > QUICK.toNanos();
      if (!wanted.isEmpty() && !wanted.contains(scenario.name())) {
        continue;
      }
      if (late) {
        System.out.println("skipped, out of time: " + scenario.load());
        continue;
      }
      System.out.println("running: " + scenario.load());
      run(scenario, report);
    }
    report.print(System.out);
    report.write(target().resolve("load-" + args[0] + ".json"));
    System.exit(report.passed() ? 0 : 1);
  }

  private static List<Scenario> quick() {
    return List.of(
        new KueueBaseline(10),
        new Sustained(new Pace(1_500, 20)),
        new Failover(20, 1),
        new Queued(10_000, 8),
        new StartUp());
  }

  private static List<Scenario> full() {
    return List.of(
        new KueueBaseline(1),
        new Sustained(new Pace(1_550, 120)),
        new Failover(150, 10),
        new Queued(100_000, 30),
        new StartUp(),
        new Soak(new Pace(1_000, 600)));
  }

  private static void run(Scenario scenario, Report report) {
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    long began = System.nanoTime();
    try {
      List<Figure> figures = scenario.run();
      report.measured(scenario, figures, load, secondsSince(began));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      report.failed(scenario, "interrupted", load, secondsSince(began));
    } catch (Exception e) { // one scenario's failure is told, the others still run
      report.failed(scenario, e.toString(), load, secondsSince(began));
    }
  }

  private static long secondsSince(long began) {
    return Duration.ofNanos(System.nanoTime() - began).toSeconds();
  }

  /** The module's directory of results, beside its jar. */
  private static Path target() throws IOException {
    try {
      return Path.of(Main.class.getProtectionDomain().getCodeSource().getLocation().toURI())
          .getParent();
    } catch (URISyntaxException e) {
      throw new IOException(e);
    }
  }
}
