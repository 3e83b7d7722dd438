package io.spillway.benchmark.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The same for ten minutes: what the server and the tables hold must not grow but by the jobs'
 * records themselves, which are kept by design.
 */
final class Soak implements Scenario {
  /** Memory is first looked at after this share of the time, when caches are full. */
  private static final double SETTLED = 0.25;

  private final Pace pace;
  private final List<Double> heaps = new ArrayList<>();

  Soak(Pace pace) {
    this.pace = pace;
  }

  @Override
  public String name() {
    return "soak";
  }

  @Override
  public String load() {
    return pace.text();
  }

  @Override
  public List<Figure> run() throws Exception {
    List<Figure> figures = new ArrayList<>();
    try (Lab lab = new Lab(new Lab.Setup(Sustained.policies(), 1, false))) {
      lab.warm(Sustained.jobs(4_000));
      double tables = lab.store().mebibytes();
      Processor.Reading before = lab.processors();
      long began = System.currentTimeMillis();
      List<Course> courses = new ArrayList<>();
      int early = (int) (pace.seconds() * SETTLED);
      Lab.answers(
              pace.submit(
                  lab,
                  second -> {
                    if (second == early || second == pace.seconds() / 2) {
                      heaps.add(heap(lab));
                    }
                  }))
          .forEach(courses::addAll);
      lab.submitter().check();
      heaps.add(heap(lab));
      long whole = lab.finished(courses, Duration.ofMinutes(5)) - began;
      Processor.Reading used = lab.processors().since(before);
      figures.add(Figure.count("soak.jobs", courses.size()));
      figures.add(new Figure("soak.finished", 1_000.0 * courses.size() / whole, "jobs/s"));
      figures.addAll(Sample.of(courses, Course::admissionMillis).figures("soak.placement"));
      figures.add(new Figure("soak.heap.early", heaps.getFirst(), "MiB"));
      figures.add(new Figure("soak.heap.half", heaps.get(heaps.size() / 2), "MiB"));
      figures.add(new Figure("soak.heap.end", heaps.getLast(), "MiB"));
      figures.add(
          new Figure(
              "soak.resident.end",
              Processor.residentMiB(lab.world().server(0).process().pid()),
              "MiB"));
      double grown = lab.store().mebibytes() - tables;
      figures.add(new Figure("soak.tables_per_job", grown * 1024 * 1024 / courses.size(), "bytes"));
      figures.add(Figure.count("soak.dead_rows", (double) lab.store().deadRows()));
      figures.addAll(Cost.figures("soak", used, courses.size()));
    }
    return figures;
  }

  private static double heap(Lab lab) {
    try {
      return Heap.liveBytes(lab.world().server(0).process().pid()) / 1024.0 / 1024.0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
