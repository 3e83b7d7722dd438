package io.spillway.verify.kube;

import io.spillway.verify.real.Repository;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The packaged agent of one cluster, as a process. */
public final class AgentProcess implements AutoCloseable {
  /** What the chart gives it, too. */
  private static final List<String> JVM =
      List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  private final Daemon daemon;
  private final int health;

  /**
   * How it is set up.
   *
   * @param cluster as the control plane knows it
   * @param server port of loopback on which the control plane is reached
   * @param token file with the token for the control plane, read for each stream
   * @param kubeconfig how it reaches the API server, and as whom
   * @param namespace where it keeps what it must not forget
   * @param gate its gate's file; without one its default
   */
  public record Setup(
      String cluster,
      int server,
      Path token,
      Path kubeconfig,
      String namespace,
      Optional<Path> gate) {}

  /**
   * Starts it and waits for nothing.
   *
   * @param identity of this replica, unique in its cluster
   * @param directory for its output
   */
  public static AgentProcess start(Setup setup, String identity, Path directory)
      throws IOException {
    return new AgentProcess(setup, identity, directory, JVM);
  }

  AgentProcess(Setup setup, String identity, Path directory, List<String> jvm) throws IOException {
    this.health = KubeCluster.freePort();
    Map<String, String> environment = new HashMap<>();
    environment.put("SPILLWAY_AGENT_CLUSTER", setup.cluster());
    environment.put("SPILLWAY_AGENT_SERVER", "127.0.0.1:" + setup.server());
    environment.put("SPILLWAY_AGENT_TLS", "false");
    environment.put("SPILLWAY_AGENT_TOKEN_FILE", setup.token().toString());
    environment.put("SPILLWAY_AGENT_NAMESPACE", setup.namespace());
    environment.put("SPILLWAY_AGENT_IDENTITY", identity);
    environment.put("SPILLWAY_AGENT_KUBECONFIG", setup.kubeconfig().toString());
    environment.put("SPILLWAY_AGENT_HEALTH_PORT", Integer.toString(health));
    setup.gate().ifPresent(file -> environment.put("SPILLWAY_AGENT_GATE_FILE", file.toString()));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvm);
    command.addAll(List.of("-jar", jar().toString()));
    this.daemon = new Daemon("agent-" + identity, directory, command, environment);
  }

  static Path jar() {
    return Repository.root().resolve("deploy/agent/target/spillway-agent.jar");
  }

  /** As kill -9. */
  public void kill() {
    daemon.kill();
  }

  /** Starts it again, after a kill. */
  public void restart() throws IOException {
    daemon.restart();
  }

  public boolean alive() {
    return daemon.alive();
  }

  public long pid() {
    return daemon.pid();
  }

  /** Where it says whether it is well. */
  public int health() {
    return health;
  }

  public Path log() {
    return daemon.log();
  }

  /** The last of what it said; for a message about a failure. */
  public String lastWords() throws IOException {
    return daemon.lastWords();
  }

  @Override
  public void close() {
    daemon.close();
  }
}
