package io.spillway.benchmark.load;

import java.util.ArrayList;
import java.util.List;

/** What a job costs in CPU time, and how much of the machine others had meanwhile. */
final class Cost {
  private Cost() {}

  static List<Figure> figures(String scenario, Processor.Reading used, int jobs) {
    List<Figure> figures = new ArrayList<>();
    used.byProcess()
        .forEach(
            (process, millis) ->
                figures.add(
                    new Figure(
                        scenario + ".cpu_per_job." + process, (double) millis / jobs, "CPU-ms")));
    figures.add(new Figure(scenario + ".cpu_per_job.all", (double) used.total() / jobs, "CPU-ms"));
    figures.add(
        new Figure(
            scenario + ".foreign_load",
            100 * used.foreignShare(Runtime.getRuntime().availableProcessors()),
            "% of the machine"));
    return figures;
  }
}
