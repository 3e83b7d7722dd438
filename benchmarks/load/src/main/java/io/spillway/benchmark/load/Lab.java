package io.spillway.benchmark.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.spillway.standalone.StandaloneWorld;
import io.spillway.standalone.WorldPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A Spillway under measurement, its data thrown away at the end unless {@code KEEP} is set. One
 * thread.
 */
final class Lab implements AutoCloseable {
  private static final Duration READY = Duration.ofMinutes(1);
  private static final Duration END = Duration.ofMinutes(2);
  private static final Pattern LEADS = Pattern.compile("spillway_leader(\\{.*})? 1(\\.0)?");
  private static final int NOBODY = -1;

  /** Room for young objects: most of what a commit makes dies with it. */
  private static final List<String> SERVER_JVM =
      List.of(
          "-Xmx2g",
          "-Xmn1g",
          "-XX:+UseSerialGC",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow");

  private final Path directory;
  private final StandaloneWorld world;
  private final JobEvents events;
  private final Submitter submitter;
  private final long startMillis;

  /**
   * What a lab is.
   *
   * @param ledger whether the clouds write what really happened, with a synced write a fact
   */
  record Setup(Policies policies, int replicas, boolean ledger) {}

  Lab(Setup setup) throws IOException, InterruptedException {
    this.directory = Files.createTempDirectory("spillway-load-");
    Path policies = setup.policies().write(directory.resolve("policies"));
    ObjectNode clouds = new ObjectMapper().createObjectNode();
    clouds.put("profile", "load").put("ledger", setup.ledger());
    clouds.putObject("market").put("spotNodes", 1_000).put("volatility", 0.0);
    long began = System.nanoTime();
    this.world =
        StandaloneWorld.open(
            WorldPlan.on(directory.resolve("data"))
                .withPolicies(policies)
                .withReplicas(setup.replicas())
                .withServerJvm(SERVER_JVM)
                .withClouds(clouds));
    this.startMillis = Duration.ofNanos(System.nanoTime() - began).toMillis();
    this.events = new JobEvents(world.broker().bootstrapServers());
    this.submitter = new Submitter(world.server(0).port(), world.token(), events);
    Until.holds("all agents connected", READY, this::allConnected);
  }

  private boolean allConnected() throws IOException, InterruptedException {
    for (JsonNode cluster : world.clouds().control().get("/clusters").ok()) {
      if (!cluster.path("connected").asBoolean()) {
        return false;
      }
    }
    return true;
  }

  /** Milliseconds from nothing to a ready world with its clusters registered. */
  long startMillis() {
    return startMillis;
  }

  StandaloneWorld world() {
    return world;
  }

  JobEvents events() {
    return events;
  }

  Submitter submitter() {
    return submitter;
  }

  Store store() {
    return new Store(world.postgres());
  }

  /** Another door, for the time after a replica is gone. */
  Submitter submitterTo(int replica) {
    return new Submitter(world.server(replica).port(), world.token(), events);
  }

  /** Runs these jobs to their end, so that what follows meets open offerings and compiled code. */
  void warm(List<Load> loads) throws IOException, InterruptedException {
    List<Course> courses = new ArrayList<>();
    for (int i = 0; i < loads.size(); i += 50) {
      courses.addAll(submitter.submit(loads.subList(i, Math.min(loads.size(), i + 50))).join());
    }
    submitter.check();
    finished(courses, END);
    events.forget();
  }

  /** Waits until all have finished; answers when the last did. */
  long finished(List<Course> courses, Duration patience) throws IOException, InterruptedException {
    // Remembers how far it came: looking at all of them again and again would be load of its own.
    AtomicInteger done = new AtomicInteger();
    Until.holds(
        "all jobs finished",
        patience,
        () -> {
          while (done.get() < courses.size() && courses.get(done.get()).finishedAt > 0) {
            done.incrementAndGet();
          }
          return done.get() == courses.size();
        });
    long failed = courses.stream().filter(course -> !course.succeeded).count();
    if (failed > 0) {
      throw new IOException(failed + " of " + courses.size() + " jobs did not succeed");
    }
    return courses.stream().mapToLong(course -> course.finishedAt).max().orElse(0);
  }

  static <T> List<T> answers(List<CompletableFuture<T>> calls) {
    return calls.stream().map(CompletableFuture::join).toList();
  }

  Processor.Reading processors() {
    Map<String, Long> used = new LinkedHashMap<>();
    for (int i = 0; i < world.servers().size(); i++) {
      used.put(i == 0 ? "server" : "standby", Processor.millis(world.server(i).process().pid()));
    }
    used.put("postgres", Processor.treeMillis(world.postgres().pid()));
    used.put("kafka", Processor.millis(world.broker().process().pid()));
    used.put("agents", Processor.millis(world.clouds().process().pid()));
    used.put("load", Processor.millis(ProcessHandle.current().pid()));
    return new Processor.Reading(System.currentTimeMillis(), Processor.machineMillis(), used);
  }

  Buckets buckets(int replica, String metric) throws IOException, InterruptedException {
    return Buckets.read(metrics(replica), metric);
  }

  /** The replica that leads; waits for one, since both are ready before either does. */
  int leader() throws IOException, InterruptedException {
    AtomicInteger leader = new AtomicInteger(NOBODY);
    Until.holds(
        "a replica leads",
        READY,
        () -> {
          for (int i = 0; i < world.servers().size() && leader.get() == NOBODY; i++) {
            if (leads(i)) {
              leader.set(i);
            }
          }
          return leader.get() != NOBODY;
        });
    return leader.get();
  }

  private boolean leads(int replica) throws IOException, InterruptedException {
    return metrics(replica).lines().anyMatch(line -> LEADS.matcher(line).matches());
  }

  private String metrics(int replica) throws IOException, InterruptedException {
    return world.server(replica).management().text("/q/metrics");
  }

  @Override
  public void close() throws IOException {
    events.close();
    world.close();
    if (System.getenv("KEEP") != null) {
      System.out.println("kept: " + directory);
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
