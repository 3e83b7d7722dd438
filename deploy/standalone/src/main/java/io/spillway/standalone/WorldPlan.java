package io.spillway.standalone;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * What a {@link StandaloneWorld} shall be. Defaults: one replica, free ports, the standalone
 * example's policies, calm clouds. Immutable: each {@code with} answers a changed plan.
 */
public final class WorldPlan {
  private Installation installation = Installation.find();
  private Path data;
  private Path policies = installation.policies("standalone").toAbsolutePath();
  private int replicas = 1;
  private int port;
  private int managementPort;
  private int databasePort;
  private String token = UUID.randomUUID().toString();
  private Map<String, String> serverProperties = Map.of();
  private List<String> serverJvm =
      List.of(
          "-Xmx768m",
          "-XX:+UseSerialGC",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow");
  private ObjectNode cloudsSettings = new ObjectMapper().createObjectNode();
  private String probeInterval = "5s";
  private Set<String> unattended = Set.of();
  private Set<String> real = Set.of();

  private WorldPlan(Path data) {
    this.data = data.toAbsolutePath();
  }

  /** The default plan on that data. */
  public static WorldPlan on(Path data) {
    return new WorldPlan(data);
  }

  private WorldPlan with(Consumer<WorldPlan> change) {
    WorldPlan copy = new WorldPlan(data);
    copy.installation = installation;
    copy.policies = policies;
    copy.replicas = replicas;
    copy.port = port;
    copy.managementPort = managementPort;
    copy.databasePort = databasePort;
    copy.token = token;
    copy.serverProperties = serverProperties;
    copy.serverJvm = serverJvm;
    copy.cloudsSettings = cloudsSettings;
    copy.probeInterval = probeInterval;
    copy.unattended = unattended;
    copy.real = real;
    change.accept(copy);
    return copy;
  }

  public WorldPlan withPolicies(Path directory) {
    return with(plan -> plan.policies = directory.toAbsolutePath());
  }

  public WorldPlan withReplicas(int count) {
    return with(plan -> plan.replicas = count);
  }

  /** Ports of the first replica; 0 = any free one. */
  public WorldPlan withPorts(int http, int management) {
    return with(
        plan -> {
          plan.port = http;
          plan.managementPort = management;
        });
  }

  /** 0 = any free one. */
  public WorldPlan withDatabasePort(int database) {
    return with(plan -> plan.databasePort = database);
  }

  public WorldPlan withToken(String admin) {
    return with(plan -> plan.token = admin);
  }

  /** One more property of the servers, at every start of every replica. */
  public WorldPlan withServerProperty(String key, String value) {
    Map<String, String> more = new LinkedHashMap<>(serverProperties);
    more.put(key, value);
    return with(plan -> plan.serverProperties = Map.copyOf(more));
  }

  /** Options of the servers' virtual machines in place of the ones so far. */
  public WorldPlan withServerJvm(List<String> options) {
    return with(plan -> plan.serverJvm = List.copyOf(options));
  }

  /** Settings of the simulated clouds in place of the ones so far; see their README. */
  public WorldPlan withClouds(ObjectNode settings) {
    return with(plan -> plan.cloudsSettings = settings);
  }

  /** How often the servers ask the market of every account; such as {@code 5s}. */
  public WorldPlan withProbeInterval(String interval) {
    return with(plan -> plan.probeInterval = interval);
  }

  /**
   * Leaves these clusters to agents from elsewhere: the simulated clouds run none for them, {@link
   * StandaloneWorld#token} lets them in.
   */
  public WorldPlan withUnattended(Set<String> clusters) {
    return with(plan -> plan.unattended = Set.copyOf(clusters));
  }

  /**
   * Shows the markets of these accounts not through the simulated provider: the real module looks
   * at them, by properties of the servers. The simulated clouds still run the clusters.
   */
  public WorldPlan withObservedForReal(Set<String> accounts) {
    return with(plan -> plan.real = Set.copyOf(accounts));
  }

  Installation installation() {
    return installation;
  }

  /** Where everything is kept. */
  public Path data() {
    return data;
  }

  Path policies() {
    return policies;
  }

  int replicas() {
    return replicas;
  }

  int port() {
    return port;
  }

  int managementPort() {
    return managementPort;
  }

  int databasePort() {
    return databasePort;
  }

  public String token() {
    return token;
  }

  Map<String, String> serverProperties() {
    return serverProperties;
  }

  List<String> serverJvm() {
    return serverJvm;
  }

  ObjectNode cloudsSettings() {
    return cloudsSettings;
  }

  String probeInterval() {
    return probeInterval;
  }

  Set<String> unattended() {
    return unattended;
  }

  Set<String> real() {
    return real;
  }
}
