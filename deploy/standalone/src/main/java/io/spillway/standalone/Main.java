package io.spillway.standalone;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;

/** {@code make run}: a whole Spillway on this machine, with a demo unless it is turned off. */
public final class Main {
  private static final int UNUSABLE = 2;

  /** Ten minutes of a trace in two seconds. */
  private static final double TRACE_SPEED = 300;

  private final PrintStream out = System.out;
  private final Ink ink = Ink.forStandardOutput();
  private final Options options;
  private final CountDownLatch ended = new CountDownLatch(1);

  private Main(Options options) {
    this.options = options;
  }

  /** Takes its options from the environment: {@code README.md} of the repository. */
  public static void main(String[] args) throws InterruptedException {
    // PostgreSQL's launcher tells its own story; what matters stands in its log.
    java.util.logging.Logger.getLogger("").setLevel(java.util.logging.Level.SEVERE);
    try {
      new Main(Options.of(System.getenv())).run();
    } catch (IllegalArgumentException | IllegalStateException | IOException e) {
      System.err.println("spillway: " + e.getMessage());
      System.exit(UNUSABLE);
    }
  }

  private void run() throws IOException, InterruptedException {
    Instant began = Instant.now();
    for (int port : new int[] {options.port(), options.managementPort()}) {
      if (port != 0 && Ports.taken(port)) {
        throw new IOException(
            "port " + port + " is taken; choose others with PORT= and MANAGEMENT_PORT=");
      }
    }
    DataDirectory data = new DataDirectory(options.data());
    ExampleJobs jobs = ExampleJobs.standard();
    WorldPlan plan =
        WorldPlan.on(data.path())
            .withPorts(options.port(), options.managementPort())
            .withToken(data.adminToken(options.token()));
    if (!plan.installation().built()) {
      throw new IOException("the programs are not built: make build");
    }
    if (options.traces().isPresent()) {
      Path traces = options.traces().get().toAbsolutePath();
      TracePolicies replay = TracePolicies.of(traces);
      Path policies = data.path().resolve("policies");
      replay.write(policies);
      plan = plan.withPolicies(policies).withClouds(replaying(traces));
      jobs = replay.jobs();
    }
    out.println(
        "Spillway starts: PostgreSQL, Kafka, simulated clouds, server (data in "
            + data.path()
            + ")");
    StandaloneWorld world = StandaloneWorld.open(plan);
    Demo demo = new Demo(world, out, ink, jobs);
    Narrator narrator = new Narrator(world.server(0).api(), out, ink, demo::hear);
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform().name("end").unstarted(() -> end(world, demo, narrator, data)));
    keepConnections(world, data.path());
    greet(world, data, Duration.between(began, Instant.now()));
    if (options.demo()) {
      demo.start();
    }
    watch(world);
  }

  private static ObjectNode replaying(Path traces) {
    ObjectNode settings = new ObjectMapper().createObjectNode();
    settings.put("traces", traces.toString());
    settings.putObject("market").put("speed", TRACE_SPEED);
    return settings;
  }

  /** Where the parts of this run answer, for programs that look at it from outside. */
  private static void keepConnections(StandaloneWorld world, Path data) throws IOException {
    Properties connections = new Properties();
    connections.setProperty("postgres.jdbc", world.postgres().jdbcUrl());
    connections.setProperty("postgres.user", world.postgres().user());
    connections.setProperty("kafka.bootstrap", world.broker().bootstrapServers());
    try (Writer writer = Files.newBufferedWriter(data.resolve("connections.properties"))) {
      connections.store(writer, null);
    }
  }

  private void greet(StandaloneWorld world, DataDirectory data, Duration took) {
    int port = world.server(0).port();
    int management = world.server(0).managementPort();
    out.println();
    out.println(
        ink.bold("Spillway is ready on http://127.0.0.1:" + port)
            + " after "
            + Math.round(took.toMillis() / 100.0) / 10.0
            + " s");
    out.println("admin token: " + world.token());
    out.println(
        "  API         curl -H 'Authorization: Bearer "
            + world.token()
            + "' http://127.0.0.1:"
            + port
            + "/api/v1/jobs");
    out.println("  browse it   http://127.0.0.1:" + management + "/q/swagger-ui");
    out.println(
        "  health      http://127.0.0.1:"
            + management
            + "/q/health   metrics  http://127.0.0.1:"
            + management
            + "/q/metrics");
    out.println(
        "  dashboards  deploy/grafana: point a Grafana and a Prometheus at the metrics above and"
            + " at");
    out.println("              " + world.postgres().jdbcUrl() + " (schema grafana)");
    out.println("  clouds      http://127.0.0.1:" + world.clouds().port() + "/market");
    out.println(
        "  data        "
            + data.path()
            + (data.temporary() ? " (deleted at the end; DATA=… keeps it)" : ""));
    out.println("Ctrl-C ends everything.");
    out.println();
  }

  /** Stays until the end; a part that dies by itself is told. */
  private void watch(StandaloneWorld world) throws InterruptedException {
    while (!ended.await(1, java.util.concurrent.TimeUnit.SECONDS)) {
      for (Child child :
          new Child[] {
            world.server(0).process(), world.clouds().process(), world.broker().process()
          }) {
        Optional<Integer> exit = child.exitCode();
        if (exit.isPresent() && ended.getCount() > 0) {
          out.println(ink.red(child.name() + " ended with " + exit.get() + ", see " + child.log()));
          System.exit(1);
        }
      }
    }
  }

  private void end(StandaloneWorld world, Demo demo, Narrator narrator, DataDirectory data) {
    ended.countDown();
    out.println();
    out.println("Spillway ends…");
    demo.close();
    try {
      if (!demo.jobs().isEmpty() && world.server(0).process().alive()) {
        out.println(ink.bold(MoneySummary.of(world.server(0).api(), demo.jobs()).text()));
      }
    } catch (IOException e) {
      out.println("no summary: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    narrator.close();
    try {
      world.close();
      data.close();
      out.println("Everything has ended.");
    } catch (IOException | RuntimeException e) {
      out.println("not everything ended orderly: " + e.getMessage());
    }
  }
}
