package io.spillway.benchmark.load;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * A backlog in front of a small pool: every end of a job frees a node that one of many waiting jobs
 * of nine shapes and classes gets. What a cycle costs must not grow with the backlog. Then the
 * leader is killed, and then both replicas.
 */
final class Queued implements Scenario {
  private static final int NODES = 64;
  private static final int FEW = 1_200;
  private static final int BATCH = 500;
  private static final int CALLS_AT_ONCE = 4;
  private static final double RUN_SECONDS = 2;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final List<String> CLASSES = List.of("normal", "low", "urgent");

  private final int many;
  private final int seconds;

  /**
   * @param many jobs waiting
   * @param seconds of each of the two measurements of cycles
   */
  Queued(int many, int seconds) {
    this.many = many;
    this.seconds = seconds;
  }

  @Override
  public String name() {
    return "queued";
  }

  @Override
  public String load() {
    return String.format(
        "%,d jobs of 9 shapes waiting for %d nodes, 2 replicas; then kills", many, NODES);
  }

  private static Load job(int number) {
    String name = CLASSES.get(number % CLASSES.size());
    return new Load("wait", "backlog", 1 + number / 3 % 3, RUN_SECONDS, name);
  }

  @Override
  public List<Figure> run() throws Exception {
    Policies policies =
        new Policies().pool("narrow", NODES).queue("backlog", Policies.pools("narrow"), CLASSES);
    List<Figure> figures = new ArrayList<>();
    try (Lab lab = new Lab(new Lab.Setup(policies, 2, false))) {
      int leader = lab.leader();
      long pid = lab.world().server(leader).process().pid();
      queue(lab, 0, FEW);
      TimeUnit.SECONDS.sleep(seconds);
      long heapOfFew = Heap.liveBytes(pid);
      Buckets few = cycles(lab, leader);
      long began = System.nanoTime();
      queue(lab, FEW, many);
      double took = Duration.ofNanos(System.nanoTime() - began).toMillis();
      figures.add(new Figure("queued.submitted", 1_000.0 * (many - FEW) / took, "jobs/s"));
      long heapOfMany = Heap.liveBytes(pid);
      Buckets all = cycles(lab, leader);
      figures.add(Figure.millis("queued.cycle.few.p50", few.quantileMillis(0.5)));
      figures.add(Figure.millis("queued.cycle.few.p99", few.quantileMillis(0.99)));
      figures.add(Figure.millis("queued.cycle.many.p50", all.quantileMillis(0.5)));
      figures.add(Figure.millis("queued.cycle.many.p99", all.quantileMillis(0.99)));
      figures.add(
          new Figure(
              "queued.cycle.growth.p99", all.quantileMillis(0.99) / few.quantileMillis(0.99), "×"));
      figures.add(
          new Figure(
              "queued.memory_per_job", (heapOfMany - heapOfFew) / (double) (many - FEW), "bytes"));
      figures.addAll(kills(lab, leader));
    }
    return figures;
  }

  private static void queue(Lab lab, int from, int to) throws Exception {
    List<CompletableFuture<List<Course>>> calls = new ArrayList<>();
    for (int next = from; next < to; next += BATCH) {
      List<Load> loads = new ArrayList<>();
      for (int i = next; i < Math.min(to, next + BATCH); i++) {
        loads.add(job(i));
      }
      if (calls.size() >= CALLS_AT_ONCE) {
        calls.get(calls.size() - CALLS_AT_ONCE).join();
      }
      calls.add(lab.submitter().submit(loads));
    }
    Lab.answers(calls);
    lab.submitter().check();
  }

  private Buckets cycles(Lab lab, int leader) throws Exception {
    String metric = "spillway_cycle_duration_seconds";
    Buckets before = lab.buckets(leader, metric);
    TimeUnit.SECONDS.sleep(seconds);
    return lab.buckets(leader, metric).since(before);
  }

  private static List<Figure> kills(Lab lab, int leader) throws Exception {
    List<Figure> figures = new ArrayList<>();
    long killed = System.currentTimeMillis();
    lab.world().killServer(leader);
    figures.add(Figure.seconds("queued.takeover", placementAfter(lab, killed) - killed));
    lab.world().killServer(1 - leader);
    long cold = System.currentTimeMillis();
    lab.world().startServer(leader, java.util.Map.of());
    lab.world().awaitReady(leader);
    figures.add(Figure.seconds("queued.cold.ready", System.currentTimeMillis() - cold));
    figures.add(Figure.seconds("queued.cold.placement", placementAfter(lab, cold) - cold));
    return figures;
  }

  /**
   * When the first placement that was decided after that moment was told. The decision's own time
   * is looked at: a new leader tells again what the one before it may have told.
   */
  private static long placementAfter(Lab lab, long moment) throws Exception {
    AtomicLong told = new AtomicLong();
    Consumer<JobEvent> listener =
        event -> {
          if (event.type().equals("attempt.placed")
              && event.decidedAt().isAfter(Instant.ofEpochMilli(moment))) {
            told.compareAndSet(0, event.at());
          }
        };
    lab.events().listen(listener);
    try {
      Until.holds("a placement after the kill", PATIENCE, () -> told.get() > 0);
    } finally {
      lab.events().unlisten(listener);
    }
    return told.get();
  }
}
