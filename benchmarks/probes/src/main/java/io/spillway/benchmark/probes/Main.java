package io.spillway.benchmark.probes;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.logging.LogManager;

/**
 * Measures the probes' rounds and the normalisers, each in a process of its own, and prints a
 * table. Arguments: seconds between two questions to an account (60), intervals to measure (3).
 */
public final class Main {
  private static final String PACKAGE = Main.class.getPackageName() + '.';

  /**
   * Half as much heap again as they keep; without a limit the collector would let it grow as it
   * likes. The rest keeps what is beside the heap small.
   */
  private static final List<String> MEASURED =
      List.of("-Xmx48m", "-Xss512k", "-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders");

  /** Pools of the C library: one for each thread and core else, of which most stay empty. */
  private static final String POOLS = "2";

  private Main() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    String interval = args.length > 0 ? args[0] : "60";
    String intervals = args.length > 1 ? args[1] : "3";
    System.out.printf(
        "probes, %s, %d cores, load average %.2f%n",
        Instant.now().truncatedTo(ChronoUnit.SECONDS),
        Runtime.getRuntime().availableProcessors(),
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    Process interfaces =
        process(List.of("-Xmx1g", "-XX:+UseSerialGC"), "Interfaces", List.of())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    int ended;
    try {
      List<String> arguments = new ArrayList<>(List.of(interval, intervals));
      arguments.addAll(addresses(interfaces));
      System.out.printf("java %s, MALLOC_ARENA_MAX=%s%n", String.join(" ", MEASURED), POOLS);
      System.out.printf(
          "every account asked each %s s, measured for %s intervals after eight%n",
          interval, intervals);
      ended = process(MEASURED, "Rounds", arguments).inheritIO().start().waitFor();
    } finally {
      interfaces.getOutputStream().close();
      interfaces.waitFor();
    }
    int events = process(MEASURED, "Events", List.of()).inheritIO().start().waitFor();
    System.exit(Math.max(ended, events));
  }

  /** SDKs and interfaces tell their log much; a table is read here. */
  static void quiet() {
    LogManager.getLogManager().reset();
  }

  private static List<String> addresses(Process interfaces) throws IOException {
    List<String> addresses = new ArrayList<>();
    BufferedReader told =
        new BufferedReader(
            new InputStreamReader(interfaces.getInputStream(), StandardCharsets.UTF_8));
    for (String line = told.readLine(); !"ready".equals(line); line = told.readLine()) {
      if (line == null) {
        throw new IOException("the interfaces did not start");
      }
      Collections.addAll(addresses, line.split(" "));
    }
    return addresses;
  }

  private static ProcessBuilder process(
      List<String> options, String program, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(
        List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), PACKAGE + program));
    command.addAll(arguments);
    ProcessBuilder process = new ProcessBuilder(command);
    process.environment().put("MALLOC_ARENA_MAX", POOLS);
    return process;
  }
}
