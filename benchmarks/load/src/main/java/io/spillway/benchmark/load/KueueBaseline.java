package io.spillway.benchmark.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The shape of Kueue's baseline performance test on the full path: five cohorts of six queues,
 * three classes of jobs, 120 nodes a cohort, each job in a call of its own.
 */
final class KueueBaseline implements Scenario {
  private static final int COHORTS = 5;
  private static final int QUEUES = 6;
  private static final int NODES = 120;
  private static final List<JobClass> CLASSES =
      List.of(
          new JobClass("small", 350, 1, 0.2, 0.1, 50),
          new JobClass("medium", 100, 5, 0.5, 0.5, 100),
          new JobClass("large", 50, 20, 1.0, 1.2, 200));

  private final int part;

  /** A class of jobs of every queue. */
  private record JobClass(
      String name, int count, int nodes, double runSeconds, double everySeconds, int priority) {}

  /** A job and when it comes. */
  private record Arrival(double atSeconds, Load load) {}

  /**
   * @param part the whole is divided by this in number, not in pace
   */
  KueueBaseline(int part) {
    this.part = part;
  }

  @Override
  public String name() {
    return "kueue";
  }

  @Override
  public String load() {
    return String.format(
        "Kueue's baseline shape, %,d jobs of 1, 5, 20 nodes in 30 queues, 120 nodes a cohort",
        COHORTS * QUEUES * CLASSES.stream().mapToInt(c -> c.count() / part).sum());
  }

  private static Policies policies() {
    Policies policies = new Policies();
    List<String> classes = CLASSES.stream().map(JobClass::name).toList();
    CLASSES.forEach(c -> policies.priorityClass(c.name(), c.priority()));
    for (int cohort = 0; cohort < COHORTS; cohort++) {
      policies.pool("cohort-" + cohort, NODES);
      for (int queue = 0; queue < QUEUES; queue++) {
        policies.queue(queue(cohort, queue), Policies.pools("cohort-" + cohort), classes);
      }
    }
    return policies;
  }

  private static String queue(int cohort, int queue) {
    return "queue-" + cohort + '-' + queue;
  }

  private List<Arrival> arrivals() {
    List<Arrival> arrivals = new ArrayList<>();
    for (int cohort = 0; cohort < COHORTS; cohort++) {
      for (int queue = 0; queue < QUEUES; queue++) {
        for (JobClass c : CLASSES) {
          for (int i = 0; i < c.count() / part; i++) {
            arrivals.add(
                new Arrival(
                    i * c.everySeconds(),
                    new Load(c.name(), queue(cohort, queue), c.nodes(), c.runSeconds(), c.name())));
          }
        }
      }
    }
    arrivals.sort(Comparator.comparingDouble(Arrival::atSeconds));
    return arrivals;
  }

  @Override
  public List<Figure> run() throws Exception {
    List<Figure> figures = new ArrayList<>();
    try (Lab lab = new Lab(new Lab.Setup(policies(), 1, false))) {
      figures.add(Figure.seconds("kueue.world_start", lab.startMillis()));
      lab.warm(warmUp());
      long rows = lab.store().rowOperations();
      int again = lab.submitter().sentAgain();
      Processor.Reading before = lab.processors();
      long began = System.currentTimeMillis();
      List<Course> courses = Lab.answers(submit(lab));
      lab.submitter().check();
      long ended = lab.finished(courses, Duration.ofMinutes(5));
      Processor.Reading used = lab.processors().since(before);
      figures.add(Figure.count("kueue.jobs", courses.size()));
      figures.add(Figure.count("kueue.calls_sent_again", lab.submitter().sentAgain() - again));
      figures.add(Figure.seconds("kueue.all_finished", ended - began));
      figures.addAll(Sample.of(courses, Course::answerMillis).figures("kueue.submit"));
      for (JobClass c : CLASSES) {
        List<Course> those = courses.stream().filter(j -> j.kind.equals(c.name())).toList();
        Sample admission = Sample.of(those, Course::admissionMillis);
        figures.add(Figure.millis("kueue.admission." + c.name() + ".mean", admission.mean()));
        figures.addAll(admission.figures("kueue.admission." + c.name()));
      }
      double spent = lab.store().rowOperations() - rows;
      figures.add(Figure.count("kueue.row_operations_per_job", spent / courses.size()));
      figures.addAll(Cost.figures("kueue", used, courses.size()));
    }
    return figures;
  }

  private static List<Load> warmUp() {
    List<Load> loads = new ArrayList<>();
    for (int i = 0; i < 1_200; i++) {
      loads.add(
          new Load("warm", queue(i % COHORTS, i % QUEUES), 1 + i % 3, 0.02, CLASSES.get(0).name()));
    }
    return loads;
  }

  private List<CompletableFuture<Course>> submit(Lab lab) throws InterruptedException {
    List<CompletableFuture<Course>> calls = new ArrayList<>();
    long began = System.nanoTime();
    for (Arrival arrival : arrivals()) {
      Until.nanos(began + (long) (arrival.atSeconds() * 1e9));
      calls.add(lab.submitter().submit(arrival.load()));
    }
    return calls;
  }
}
