package io.spillway.standalone;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The example jobs and what happens to them: a first batch that goes to spot capacity, an
 * interruption once one of them runs, later jobs that go to spot again, and so on for some rounds.
 * The rounds done are kept beside the data, so that a restart goes on with the next.
 */
final class Demo implements AutoCloseable {
  private static final int ROUNDS = 8;
  private static final long BETWEEN_MILLIS = 20_000;
  private static final long LOOK_MILLIS = 200;
  private static final long PATIENCE_MILLIS = 30_000;

  private final StandaloneWorld world;
  private final PrintStream out;
  private final Ink ink;
  private final ExampleJobs jobs;
  private final Path roundFile;
  private final Set<String> submitted = ConcurrentHashMap.newKeySet();
  private final Map<String, String> runningOnSpot = new ConcurrentHashMap<>();
  private final Thread thread;
  private volatile boolean closed;

  Demo(StandaloneWorld world, PrintStream out, Ink ink, ExampleJobs jobs) {
    this.world = world;
    this.out = out;
    this.ink = ink;
    this.jobs = jobs;
    this.roundFile = world.data().resolve("demo-rounds");
    this.thread = Thread.ofVirtual().name("demo").unstarted(this::play);
  }

  void start() {
    thread.start();
  }

  /** Hears every decision, on the narrator's thread. */
  void hear(JsonNode decision) {
    String job = decision.path("job").asText();
    if (!job.isEmpty()) {
      submitted.add(job);
    }
    String attempt = decision.path("attempt").asText();
    switch (decision.path("decision").asText()) {
      case "PLACED" -> {
        if (decision.path("offering").asText().endsWith("~spot")) {
          runningOnSpot.put(job, attempt);
        } else {
          runningOnSpot.remove(job);
        }
      }
      case "DRAINED", "ENDED", "SUCCEEDED", "FAILED", "CANCELLED", "QUEUED" ->
          runningOnSpot.remove(job);
      default -> {}
    }
  }

  /** Ids of all jobs that were submitted here or decided upon. */
  Set<String> jobs() {
    return Set.copyOf(submitted);
  }

  private void play() {
    try {
      for (int round = done() + 1; round <= ROUNDS && !closed; round++) {
        submit(round);
        Files.writeString(roundFile, Integer.toString(round));
        interruptOne();
        waitMillis(BETWEEN_MILLIS);
        if (!closed) {
          out.println(ink.bold(MoneySummary.of(api(), jobs()).text()));
        }
      }
      if (!closed) {
        out.println(ink.dim("The example jobs are all submitted; Spillway goes on serving."));
      }
    } catch (IOException e) {
      if (!closed) {
        out.println(ink.red("the demo stops: " + e.getMessage()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Http api() {
    return world.server(0).api();
  }

  private int done() throws IOException {
    return Files.exists(roundFile) ? Integer.parseInt(Files.readString(roundFile).strip()) : 0;
  }

  private void submit(int round) throws IOException, InterruptedException {
    List<String> names = new ArrayList<>();
    for (Map<String, Object> job : jobs.ofRound(round)) {
      String name = String.valueOf(job.get("name"));
      Http.Answer answer =
          api().post("/api/v1/jobs", job, Map.of("Idempotency-Key", "demo-" + round + '-' + name));
      submitted.add(answer.ok().path("id").asText());
      names.add(name);
    }
    out.println(ink.bold("round " + round + ": submitted " + String.join(", ", names)));
  }

  /** As soon as an attempt runs on spot capacity, its cloud takes it back. */
  private void interruptOne() throws IOException, InterruptedException {
    long until = System.nanoTime() + PATIENCE_MILLIS * 1_000_000;
    while (!closed && System.nanoTime() < until) {
      Optional<Victim> victim = victim();
      if (victim.isPresent()) {
        JsonNode taken =
            world.clouds().control().post("/interrupt?attempt=" + victim.get().attempt()).body();
        String how =
            taken.path("leadSeconds").asLong() > 0
                ? " announces that it takes back in " + taken.path("leadSeconds").asLong() + " s "
                : " takes back without a notice ";
        out.println(
            ink.red(
                "cloud: "
                    + victim.get().cluster()
                    + how
                    + taken.path("instances").path(0).asText("nothing")));
        return;
      }
      waitMillis(LOOK_MILLIS);
    }
  }

  /** An attempt that runs on spot capacity, as the cloud sees it. */
  private record Victim(String cluster, String attempt) {}

  private Optional<Victim> victim() throws IOException, InterruptedException {
    for (JsonNode cluster : world.clouds().control().get("/clusters").ok()) {
      for (JsonNode workload : cluster.path("workloads")) {
        String attempt = workload.path("attempt").asText();
        if (workload.path("state").asText().equals("RUNNING")
            && workload.path("capacityType").asText().equals("spot")
            && runningOnSpot.containsValue(attempt)) {
          return Optional.of(new Victim(cluster.path("cluster").asText(), attempt));
        }
      }
    }
    return Optional.empty();
  }

  private static void waitMillis(long millis) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    Pause.millis(millis);
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }
}
