package io.spillway.standalone;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * What a {@link StandaloneWorld} shall be. Defaults: one replica, free ports, the standalone
 * example's policies, calm clouds. Each method answers a changed plan.
 *
 * @param data where everything is kept
 * @param port of the first replica; 0 = any free one, as for the other ports
 * @param serverProperties for every start of every replica
 * @param serverJvm options of the servers' virtual machines
 * @param cloudsSettings as in the settings file of the simulated clouds
 * @param probeInterval of all accounts
 */
public record WorldPlan(
    Installation installation,
    Path data,
    Path policies,
    int replicas,
    int port,
    int managementPort,
    int databasePort,
    String token,
    Map<String, String> serverProperties,
    List<String> serverJvm,
    ObjectNode cloudsSettings,
    String probeInterval) {

  public WorldPlan {
    data = data.toAbsolutePath();
    policies = policies.toAbsolutePath();
    serverProperties = Map.copyOf(serverProperties);
    serverJvm = List.copyOf(serverJvm);
  }

  /** The default plan on that data. */
  public static WorldPlan on(Path data) {
    Installation installation = Installation.find();
    return new WorldPlan(
        installation,
        data,
        installation.policies("standalone"),
        1,
        0,
        0,
        0,
        UUID.randomUUID().toString(),
        Map.of(),
        List.of(
            "-Xmx768m",
            "-XX:+UseSerialGC",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow"),
        new ObjectMapper().createObjectNode(),
        "5s");
  }

  public WorldPlan withPolicies(Path directory) {
    return new WorldPlan(
        installation,
        data,
        directory,
        replicas,
        port,
        managementPort,
        databasePort,
        token,
        serverProperties,
        serverJvm,
        cloudsSettings,
        probeInterval);
  }

  public WorldPlan withReplicas(int count) {
    return new WorldPlan(
        installation,
        data,
        policies,
        count,
        port,
        managementPort,
        databasePort,
        token,
        serverProperties,
        serverJvm,
        cloudsSettings,
        probeInterval);
  }

  /** Ports of the first replica. */
  public WorldPlan withPorts(int http, int management) {
    return new WorldPlan(
        installation,
        data,
        policies,
        replicas,
        http,
        management,
        databasePort,
        token,
        serverProperties,
        serverJvm,
        cloudsSettings,
        probeInterval);
  }

  public WorldPlan withDatabasePort(int database) {
    return new WorldPlan(
        installation,
        data,
        policies,
        replicas,
        port,
        managementPort,
        database,
        token,
        serverProperties,
        serverJvm,
        cloudsSettings,
        probeInterval);
  }

  public WorldPlan withToken(String admin) {
    return new WorldPlan(
        installation,
        data,
        policies,
        replicas,
        port,
        managementPort,
        databasePort,
        admin,
        serverProperties,
        serverJvm,
        cloudsSettings,
        probeInterval);
  }

  /** One more property of the servers. */
  public WorldPlan withServerProperty(String key, String value) {
    Map<String, String> more = new LinkedHashMap<>(serverProperties);
    more.put(key, value);
    return new WorldPlan(
        installation,
        data,
        policies,
        replicas,
        port,
        managementPort,
        databasePort,
        token,
        more,
        serverJvm,
        cloudsSettings,
        probeInterval);
  }

  public WorldPlan withServerJvm(List<String> options) {
    return new WorldPlan(
        installation,
        data,
        policies,
        replicas,
        port,
        managementPort,
        databasePort,
        token,
        serverProperties,
        options,
        cloudsSettings,
        probeInterval);
  }

  /** Settings of the simulated clouds in place of the ones so far; see their README. */
  public WorldPlan withClouds(ObjectNode settings) {
    return new WorldPlan(
        installation,
        data,
        policies,
        replicas,
        port,
        managementPort,
        databasePort,
        token,
        serverProperties,
        serverJvm,
        settings,
        probeInterval);
  }

  /** How often the servers ask the market; such as {@code 5s}. */
  public WorldPlan withProbeInterval(String interval) {
    return new WorldPlan(
        installation,
        data,
        policies,
        replicas,
        port,
        managementPort,
        databasePort,
        token,
        serverProperties,
        serverJvm,
        cloudsSettings,
        interval);
  }
}
