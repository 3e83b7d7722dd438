package io.spillway.standalone;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * A whole Spillway on this machine, in processes of its own. Made by {@link WorldPlan}; not
 * thread-safe.
 *
 * <p>{@link #open} brings everything up and registers the simulated clusters. For tests: {@link
 * #killServer}, {@link #startServer} with other properties (crash points), {@link #clouds()} for
 * interruptions and the ledger, {@link #postgres()} for a look into the store.
 */
public final class StandaloneWorld implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration POLICIES = Duration.ofMinutes(1);

  private final WorldPlan plan;
  private final Path run;
  private final PolicyFiles policies;
  private final Watchdog dog;
  private final Postgres postgres;
  private final Broker broker;
  private final CloudsProcess clouds;
  private final List<ServerPlace> places = new ArrayList<>();
  private final List<ServerProcess> servers = new ArrayList<>();

  /** Ports of one replica, kept over its restarts. */
  private record ServerPlace(int port, int managementPort) {}

  private StandaloneWorld(WorldPlan plan) throws IOException {
    this.plan = plan;
    this.run = plan.data().resolve("run");
    stopLeftOvers();
    this.policies = new PolicyFiles(plan.policies());
    this.dog = new Watchdog();
    for (int i = 0; i < plan.replicas(); i++) {
      places.add(
          new ServerPlace(
              Ports.free(i == 0 ? plan.port() : 0),
              Ports.free(i == 0 ? plan.managementPort() : 0)));
    }
    List<AutoCloseable> open = new ArrayList<>(List.of(dog));
    try {
      CompletableFuture<Postgres> soonDatabase = soon(this::openDatabase);
      CompletableFuture<Broker> soonKafka = soon(this::openBroker);
      this.postgres = soonDatabase.join();
      open.addFirst(postgres);
      this.broker = soonKafka.join();
      open.addFirst(broker);
      this.clouds =
          new CloudsProcess(
              plan.installation(), plan.data().resolve("clouds"), run, cloudsSettings(), dog);
    } catch (CompletionException e) {
      closeAll(open);
      throw new IOException(e.getCause().getMessage() + ": " + cause(e.getCause()), e.getCause());
    } catch (UncheckedIOException e) {
      closeAll(open);
      throw new IOException(e.getMessage() + ": " + cause(e), e);
    }
  }

  private static String cause(Throwable failure) {
    return failure.getCause() == null ? "" : String.valueOf(failure.getCause().getMessage());
  }

  private static <T> CompletableFuture<T> soon(Supplier<T> part) {
    return CompletableFuture.supplyAsync(part, task -> Thread.ofVirtual().start(task));
  }

  private Postgres openDatabase() {
    return new Postgres(plan.data().resolve("postgres"), plan.databasePort(), dog);
  }

  private Broker openBroker() {
    return new Broker(plan.data().resolve("kafka"), run, 0, plan.installation().topics(), dog);
  }

  /**
   * Starts everything, waits until it is ready, registers clusters that are not registered yet.
   *
   * @throws IOException if a part does not start; the message holds its last words
   */
  public static StandaloneWorld open(WorldPlan plan) throws IOException, InterruptedException {
    StandaloneWorld world = new StandaloneWorld(plan);
    try {
      for (int i = 0; i < plan.replicas(); i++) {
        world.servers.add(world.launch(i, Map.of()));
        // The first makes the schema; the others find it.
        world.servers.get(i).awaitReady();
      }
      world.registerClusters();
      return world;
    } catch (IOException | RuntimeException e) {
      world.close();
      throw e;
    }
  }

  private void stopLeftOvers() throws IOException {
    for (int i = 0; i < 16; i++) {
      Child.stopLeftOver(run.resolve("server-" + i + ".pid"));
    }
    Child.stopLeftOver(run.resolve("clouds.pid"));
    Child.stopLeftOver(run.resolve("kafka.pid"));
  }

  private ObjectNode cloudsSettings() {
    ObjectNode settings = plan.cloudsSettings().deepCopy();
    settings.put("port", Ports.free(0));
    settings.put("kafka", broker.bootstrapServers());
    places.forEach(place -> settings.withArray("gateways").add("127.0.0.1:" + place.port()));
    return settings;
  }

  private ServerProcess launch(int replica, Map<String, String> more) {
    ServerPlace place = places.get(replica);
    ServerProperties properties = new ServerProperties();
    properties.listen(place.port(), place.managementPort());
    properties.store(postgres);
    properties.set("kafka.bootstrap.servers", broker.bootstrapServers());
    properties.set("spillway.policies.source", "directory");
    properties.set("spillway.policies.directory", plan.policies().toString());
    // Nobody edits these files while the world starts.
    properties.set("spillway.policies.settle", "500ms");
    properties.accounts(
        policies.accounts().stream()
            .filter(account -> !plan.real().contains(account.name()))
            .toList(),
        clouds.port(),
        plan.probeInterval());
    plan.serverProperties().forEach(properties::set);
    more.forEach(properties::set);
    return new ServerProcess(
        plan.installation(),
        run,
        new ServerProcess.Setup(
            "server-" + replica,
            place.port(),
            place.managementPort(),
            properties.all(),
            plan.serverJvm()),
        plan.token(),
        dog);
  }

  /** Kills a replica as by kill -9. */
  public void killServer(int replica) {
    servers.get(replica).kill();
  }

  /**
   * Starts a replica that is not running, on its old ports.
   *
   * @param more properties of this start only, for example {@code spillway.crash-at}
   */
  public ServerProcess startServer(int replica, Map<String, String> more) {
    if (servers.get(replica).process().alive()) {
      throw new IllegalStateException("server-" + replica + " still runs");
    }
    ServerProcess started = launch(replica, more);
    servers.set(replica, started);
    return started;
  }

  /** Waits until that replica answers that it is ready. */
  public ServerProcess awaitReady(int replica) throws IOException {
    servers.get(replica).awaitReady();
    return servers.get(replica);
  }

  private void registerClusters() throws IOException, InterruptedException {
    Set<String> known = new HashSet<>();
    for (JsonNode cluster : clouds.control().get("/clusters").ok()) {
      known.add(cluster.path("cluster").asText());
    }
    for (String cluster : policies.clusters()) {
      if (!known.contains(cluster) && !plan.unattended().contains(cluster)) {
        ObjectNode body = JSON.createObjectNode();
        body.set("spec", JSON.valueToTree(policies.clusterSpec(cluster)));
        body.put("token", token(cluster));
        clouds.control().post("/clusters", body, Map.of()).ok();
      }
    }
  }

  /** A token for the cluster's agent: by registering it, or a new one if that was done before. */
  public String token(String cluster) throws IOException, InterruptedException {
    Http api = servers.getFirst().api();
    Instant deadline = Instant.now().plus(POLICIES);
    Http.Answer answer = api.post("/api/v1/clusters", Map.of("name", cluster), Map.of());
    // The policy directory is offered once it stood still; until then no cluster is known.
    while (answer.status() == 404 && Instant.now().isBefore(deadline)) {
      Pause.millis(100);
      answer = api.post("/api/v1/clusters", Map.of("name", cluster), Map.of());
    }
    if (answer.status() == 409) {
      answer = api.post("/api/v1/clusters/" + cluster + ":token");
    }
    String token = answer.ok().path("token").asText();
    if (token.isEmpty()) {
      throw new IOException("registering " + cluster + " gave no token: " + answer.body());
    }
    return token;
  }

  public Postgres postgres() {
    return postgres;
  }

  public Broker broker() {
    return broker;
  }

  public CloudsProcess clouds() {
    return clouds;
  }

  public List<ServerProcess> servers() {
    return List.copyOf(servers);
  }

  public ServerProcess server(int replica) {
    return servers.get(replica);
  }

  public PolicyFiles policies() {
    return policies;
  }

  public String token() {
    return plan.token();
  }

  public Path data() {
    return plan.data();
  }

  /** Ends everything in order: servers, clouds, broker, database. */
  @Override
  public void close() {
    List<AutoCloseable> parts = new ArrayList<>(servers);
    parts.addAll(List.of(clouds, broker, postgres, dog));
    closeAll(parts);
  }

  private static void closeAll(List<AutoCloseable> parts) {
    List<RuntimeException> failures = new ArrayList<>();
    for (AutoCloseable part : parts) {
      try {
        part.close();
      } catch (RuntimeException e) {
        failures.add(e);
      } catch (Exception e) {
        failures.add(new UncheckedIOException(new IOException(e)));
      }
    }
    if (!failures.isEmpty()) {
      throw failures.getFirst();
    }
  }
}
