package io.spillway.benchmark.load;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.spillway.benchmark.load.RangeSpec.Judgement;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Collects what the scenarios say, prints it as a table and keeps it as a file. */
final class Report {
  private final String mode;
  private final RangeSpec ranges;
  private final Instant began = Instant.now().truncatedTo(ChronoUnit.SECONDS);
  private final List<Part> parts = new ArrayList<>();

  /** A scenario's outcome. */
  private record Part(
      Scenario scenario, List<Figure> figures, String failure, double loadAverage, long seconds) {}

  Report(String mode, RangeSpec ranges) {
    this.mode = mode;
    this.ranges = ranges;
  }

  void measured(Scenario scenario, List<Figure> figures, double loadAverage, long seconds) {
    parts.add(new Part(scenario, List.copyOf(figures), "", loadAverage, seconds));
  }

  void failed(Scenario scenario, String failure, double loadAverage, long seconds) {
    parts.add(new Part(scenario, List.of(), failure, loadAverage, seconds));
  }

  /** Whether everything ran and nothing is beyond its limit. */
  boolean passed() {
    return parts.stream()
        .allMatch(
            part ->
                part.failure().isEmpty()
                    && part.figures().stream().noneMatch(f -> ranges.judge(f) == Judgement.BROKEN));
  }

  void print(PrintStream out) {
    out.println();
    out.println(
        "make bench" + (mode.equals("quick") ? "-quick" : "") + ", " + began + ", " + machine());
    for (Part part : parts) {
      out.println();
      out.printf(
          Locale.ROOT,
          "%s (%d s; load average before: %.2f)%n",
          part.scenario().load(),
          part.seconds(),
          part.loadAverage());
      if (!part.failure().isEmpty()) {
        out.println("  FAILED: " + part.failure());
      }
      for (Figure figure : part.figures()) {
        String row =
            String.format(
                Locale.ROOT,
                "  %-48s %12s %-16s %-10s %s",
                figure.name(),
                figure.text(),
                figure.unit(),
                ranges.aim(figure).orElse(""),
                verdict(ranges.judge(figure)));
        out.println(row.stripTrailing());
      }
    }
    out.println();
  }

  private static String verdict(Judgement judgement) {
    return switch (judgement) {
      case NONE -> "";
      case MET -> "met";
      case MISSED -> "missed";
      case BROKEN -> "BROKEN";
    };
  }

  /** Writes everything as JSON, to be compared with other runs. */
  void write(Path file) throws IOException {
    ObjectMapper json = new ObjectMapper();
    ObjectNode all = json.createObjectNode();
    all.put("mode", mode).put("began", began.toString()).put("machine", machine());
    for (Part part : parts) {
      ObjectNode scenario = all.withArray("scenarios").addObject();
      scenario.put("name", part.scenario().name()).put("load", part.scenario().load());
      scenario.put("loadAverage", part.loadAverage()).put("seconds", part.seconds());
      if (!part.failure().isEmpty()) {
        scenario.put("failure", part.failure());
      }
      for (Figure figure : part.figures()) {
        scenario
            .withArray("figures")
            .addObject()
            .put("name", figure.name())
            .put("value", figure.value())
            .put("unit", figure.unit())
            .put("judgement", ranges.judge(figure).name());
      }
    }
    Files.createDirectories(file.getParent());
    json.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), all);
  }

  private static String machine() {
    return Runtime.getRuntime().availableProcessors()
        + " cores, "
        + memoryGiB()
        + " GiB, "
        + System.getProperty("os.arch");
  }

  private static long memoryGiB() {
    return java.lang.management.ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean system
        ? system.getTotalMemorySize() >> 30
        : 0;
  }
}
