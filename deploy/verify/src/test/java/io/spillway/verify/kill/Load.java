package io.spillway.verify.kill;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Users: they submit with a key and repeat until they are answered, take back some of their jobs,
 * and write down every promise before they do anything else.
 */
final class Load {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int USERS = 8;

  private final Api api;
  private final String run;
  private final Path record;
  private final long seed;
  private final int pauseMillis;
  private final List<Accepted> accepted = new CopyOnWriteArrayList<>();
  private final List<String> refusals = new CopyOnWriteArrayList<>();
  private final AtomicInteger keys = new AtomicInteger();
  private final AtomicInteger repeats = new AtomicInteger();
  private final AtomicInteger cancelled = new AtomicInteger();
  private final AtomicLong lastPromise = new AtomicLong();
  private final List<Thread> users = new ArrayList<>();
  private volatile boolean stopping;

  /**
   * @param run the label of all its jobs
   * @param pauseMillis mean time between two jobs of a user
   */
  Load(Api api, String run, Path record, long seed, int pauseMillis) {
    this.api = api;
    this.run = run;
    this.record = record;
    this.seed = seed;
    this.pauseMillis = pauseMillis;
  }

  void start() {
    stopping = false;
    for (int user = 0; user < USERS; user++) {
      SplittableRandom random = new SplittableRandom(seed + 1_000L * keys.get() + user);
      users.add(Thread.ofVirtual().name("user-" + user).start(() -> use(random)));
    }
  }

  /** Lets every user get the answer to the last key, then ends them. */
  void stop() throws InterruptedException {
    stopping = true;
    for (Thread user : users) {
      user.join();
    }
    users.clear();
  }

  List<Accepted> accepted() {
    return List.copyOf(accepted);
  }

  /** Answers that no correct submission may get. */
  List<String> refusals() {
    return List.copyOf(refusals);
  }

  int repeats() {
    return repeats.get();
  }

  int cancelled() {
    return cancelled.get();
  }

  /** When the last promise was given, by {@link System#nanoTime}. */
  long lastPromise() {
    return lastPromise.get();
  }

  private void use(SplittableRandom random) {
    try {
      while (!stopping) {
        String key = run + "-" + keys.incrementAndGet();
        Optional<String> job = submit(key, body(key, random));
        if (job.isPresent() && random.nextInt(12) == 0) {
          Pace.millis(random.nextInt(3_000));
          cancel(job.get());
        }
        Pace.millis(random.nextInt(2 * pauseMillis));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Optional<String> submit(String key, ObjectNode body) throws InterruptedException {
    while (true) {
      try {
        Api.Answer answer =
            api.call("POST", "/api/v1/jobs", Optional.of(body), Map.of("Idempotency-Key", key));
        if (answer.ok()) {
          return Optional.of(promised(key, answer));
        }
        if (answer.status() < 500 && answer.status() != 429) {
          refusals.add(key + ": " + answer.status() + " " + answer.body());
          return Optional.empty();
        }
      } catch (IOException e) {
        // Killed before the answer: whether it is accepted is what the same key finds out.
      }
      repeats.incrementAndGet();
      Pace.millis(150);
    }
  }

  private String promised(String key, Api.Answer answer) {
    String job = answer.body().path("id").asText();
    Accepted promise = new Accepted(key, job, answer.status(), Instant.now());
    accepted.add(promise);
    lastPromise.set(System.nanoTime());
    write(promise);
    return job;
  }

  private synchronized void write(Accepted promise) {
    try {
      Files.writeString(
          record, promise + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void cancel(String job) throws InterruptedException {
    try {
      if (api.call("POST", "/api/v1/jobs/" + job + ":cancel", Optional.empty(), Map.of()).ok()) {
        cancelled.incrementAndGet();
      }
    } catch (IOException e) {
      // Killed meanwhile; this user does not insist.
    }
  }

  private ObjectNode body(String key, SplittableRandom random) {
    ObjectNode body = JSON.createObjectNode();
    boolean gang = random.nextInt(12) == 0;
    body.put("name", "audit");
    body.put("queue", random.nextInt(4) == 0 ? "steady" : "research");
    body.put("image", "registry.example/audit:1");
    ObjectNode resources = body.putObject("resources");
    resources.put("nodes", gang ? 2 : 1);
    resources.put("gpusPerNode", gang ? 8 : 1 + random.nextInt(2));
    resources.putArray("gpu").add("nvidia-h100-80gb");
    ObjectNode env = body.putObject("env");
    env.put(
        "SIM_RUN_SECONDS", Integer.toString(1 + random.nextInt(random.nextInt(5) == 0 ? 15 : 4)));
    env.put("SIM_EXIT_CODE", random.nextInt(15) == 0 ? "1" : "0");
    body.putObject("labels").put("run", run).put("key", key);
    return body;
  }
}
