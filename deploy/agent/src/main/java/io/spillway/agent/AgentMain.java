package io.spillway.agent;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.spillway.agent.config.AgentConfig;
import io.spillway.agent.config.AgentSettings;
import io.spillway.agent.config.WrongSettingsException;
import io.spillway.agent.gate.Gate;
import io.spillway.agent.gate.GateFile;
import io.spillway.agent.gate.GateRules;
import io.spillway.agent.health.HealthPort;
import io.spillway.agent.link.GrpcTransport;
import io.spillway.agent.link.TokenFile;
import io.spillway.agent.time.RealTimeline;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The agent's process. It is set by environment variables (README). Says {@code agent of <cluster>
 * up} once it takes part in the election, ends on SIGTERM, and leaves every workload as it is.
 */
public final class AgentMain {
  private static final Logger LOG = Logger.getLogger(AgentMain.class.getName());
  private static final int WRONG_SETTINGS = 2;
  private static final int BROKEN = 70;

  private AgentMain() {}

  /** Starts the process. */
  public static void main(String[] args) throws IOException, InterruptedException {
    if (System.getProperty("java.util.logging.SimpleFormatter.format") == null) {
      System.setProperty(
          "java.util.logging.SimpleFormatter.format", "%1$tFT%1$tT.%1$tL %4$s %3$s %5$s%6$s%n");
    }
    try {
      AgentConfig config = AgentSettings.read(System.getenv());
      AgentSettings.unknown(System.getenv())
          .forEach(name -> LOG.warning(() -> name + " is no setting of the agent"));
      run(config, rules(config));
    } catch (WrongSettingsException e) {
      System.err.println(e.getMessage());
      System.exit(WRONG_SETTINGS);
    }
  }

  private static GateRules rules(AgentConfig config) throws WrongSettingsException {
    if (config.gateFile().isEmpty()) {
      return GateRules.DEFAULTS;
    }
    GateFile.Reading reading = GateFile.read(config.gateFile().get());
    if (!reading.wrong().isEmpty()) {
      throw new WrongSettingsException(
          reading.wrong().stream().map(line -> "SPILLWAY_AGENT_GATE_FILE: " + line).toList());
    }
    return reading.rules();
  }

  private static void run(AgentConfig config, GateRules rules)
      throws IOException, InterruptedException {
    String version =
        Optional.ofNullable(AgentMain.class.getPackage().getImplementationVersion()).orElse("dev");
    // What a failed task left half done must not be told: the next process reads the cluster anew.
    RealTimeline timeline =
        new RealTimeline(
            bug -> {
              LOG.log(Level.SEVERE, "the agent cannot go on", bug);
              Runtime.getRuntime().halt(BROKEN);
            });
    KubernetesClient client = KubeClients.open(config.kubeconfig(), version);
    GrpcTransport transport = new GrpcTransport(config.server());
    Agent agent =
        new Agent(
            timeline,
            client,
            new Agent.Self(
                config.cluster(),
                config.namespace(),
                config.identity(),
                version,
                config.unschedulableAfter()),
            new Gate(config.cluster(), rules),
            transport,
            new TokenFile(config.tokenFile()));
    HealthPort health =
        new HealthPort(timeline, agent::condition, config.cluster(), config.healthPort());
    CountDownLatch ended = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform()
                .name("agent-end")
                .unstarted(
                    () -> {
                      CountDownLatch stopped = new CountDownLatch(1);
                      timeline.execute(
                          () -> {
                            agent.stop();
                            stopped.countDown();
                          });
                      await(stopped);
                      health.close();
                      transport.close();
                      ended.countDown();
                    }));
    agent.start();
    System.out.println("agent of " + config.cluster() + " up, health on port " + health.port());
    ended.await();
  }

  private static void await(CountDownLatch latch) {
    try {
      if (!latch.await(3, TimeUnit.SECONDS)) {
        LOG.warning("the lead was not given up in time; its lease runs out by itself");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
