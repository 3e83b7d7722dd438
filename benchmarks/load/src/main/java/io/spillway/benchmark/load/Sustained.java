package io.spillway.benchmark.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Jobs at a steady pace, whatever the answers: submitted in batches of 50, placed on large pools,
 * run for 50 ms, finished.
 */
final class Sustained implements Scenario {
  private static final int POOLS = 4;
  private static final int NODES = 500;
  private static final double RUN_SECONDS = 0.05;

  private final Pace pace;

  Sustained(Pace pace) {
    this.pace = pace;
  }

  @Override
  public String name() {
    return "sustained";
  }

  @Override
  public String load() {
    return pace.text() + ", each running " + RUN_SECONDS + " s";
  }

  static Policies policies() {
    Policies policies = new Policies();
    for (int i = 0; i < POOLS; i++) {
      policies.pool("mill-" + i, NODES);
      policies.queue("grain-" + i, Policies.pools("mill-" + i), List.of("normal"));
    }
    return policies;
  }

  static Load job(int number) {
    return new Load("grain", "grain-" + number % POOLS, RUN_SECONDS);
  }

  static List<Load> jobs(int count) {
    List<Load> loads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      loads.add(job(i));
    }
    return loads;
  }

  @Override
  public List<Figure> run() throws Exception {
    List<Figure> figures = new ArrayList<>();
    try (Lab lab = new Lab(new Lab.Setup(policies(), 1, false))) {
      lab.warm(jobs(4_000));
      long rows = lab.store().rowOperations();
      int again = lab.submitter().sentAgain();
      Processor.Reading before = lab.processors();
      long began = System.currentTimeMillis();
      List<Course> courses = new ArrayList<>();
      Lab.answers(pace.submit(lab, i -> {})).forEach(courses::addAll);
      long arrived = System.currentTimeMillis() - began;
      lab.submitter().check();
      long whole = lab.finished(courses, Duration.ofMinutes(5)) - began;
      Processor.Reading used = lab.processors().since(before);
      figures.add(Figure.count("sustained.jobs", courses.size()));
      figures.add(Figure.count("sustained.calls_sent_again", lab.submitter().sentAgain() - again));
      figures.add(new Figure("sustained.finished", 1_000.0 * courses.size() / whole, "jobs/s"));
      figures.add(Figure.seconds("sustained.last_finished_after_last_submitted", whole - arrived));
      figures.addAll(Sample.of(courses, Course::answerMillis).figures("sustained.submit"));
      figures.addAll(Sample.of(courses, Course::admissionMillis).figures("sustained.placement"));
      figures.addAll(Sample.of(courses, Course::wholeMillis).figures("sustained.whole"));
      double spent = lab.store().rowOperations() - rows;
      figures.add(Figure.count("sustained.row_operations_per_job", spent / courses.size()));
      figures.addAll(Cost.figures("sustained", used, courses.size()));
    }
    return figures;
  }
}
