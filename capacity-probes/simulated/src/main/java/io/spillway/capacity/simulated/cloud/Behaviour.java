package io.spillway.capacity.simulated.cloud;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * How clouds and workloads behave. Shares are probabilities between 0 and 1; everything can be
 * changed while the process runs.
 */
public record Behaviour(Delays delays, Faults faults, Jobs jobs) {

  /** A demo: nodes come within seconds, nothing fails by itself. */
  public static final Behaviour CALM =
      new Behaviour(
          new Delays(1_500, 3_500, 200, 600, 300, 900, 20_000, 60_000, 15_000),
          Faults.NONE,
          new Jobs(20, 60));

  /** Measurements: nothing takes time but the job. */
  public static final Behaviour LOAD =
      new Behaviour(
          new Delays(0, 0, 0, 0, 0, 0, 60_000, 60_000, 1_000), Faults.NONE, new Jobs(0.2, 1));

  /** Everything that clouds do wrong, often. */
  public static final Behaviour ROUGH =
      new Behaviour(
          new Delays(500, 4_000, 100, 1_000, 100, 2_000, 10_000, 20_000, 5_000),
          new Faults(0.15, RefusalMode.MIXED, 0.05, 0.1, 0.3, 0.5, 0.5, 0, 0),
          new Jobs(5, 30));

  /**
   * Times in milliseconds; pairs are bounds between which a value is drawn.
   *
   * @param idle time after which an unused node on elastic capacity is given back
   * @param pending time that a workload waits for room on nodes that exist before that counts as
   *     refusal
   * @param events delay of events that come late, such as those of an API log
   */
  public record Delays(
      long bootLeast,
      long bootMost,
      long startLeast,
      long startMost,
      long stopLeast,
      long stopMost,
      long idle,
      long pending,
      long events) {}

  /**
   * What goes wrong.
   *
   * @param refusals share of launches that are refused although there is capacity
   * @param timeouts share of launches that report a time-out although the nodes come
   * @param slowStarts share of nodes that take ten times as long
   * @param losses share of interruptions without a notice
   * @param rebalances share of EC2 interruptions with a recommendation first
   * @param nodeFailures of a node in an hour
   * @param quotaNodes nodes of one account and region; 0 = no limit
   * @param launchesPerSecond of one account and region before calls are throttled; 0 = no limit
   */
  public record Faults(
      double refusals,
      RefusalMode refusalMode,
      double timeouts,
      double slowStarts,
      double losses,
      double rebalances,
      double nodeFailures,
      int quotaNodes,
      int launchesPerSecond) {
    public static final Faults NONE = new Faults(0, RefusalMode.AT_ONCE, 0, 0, 0, 0, 0, 0, 0);
  }

  /** How a refusal reaches the customer. */
  public enum RefusalMode {
    /** As a symptom in the cluster, immediately. */
    AT_ONCE,
    /** As a symptom after the nodes seemed to come. */
    LATER,
    /** Only by a late event of the API log; the workload stays pending. */
    SILENT,
    /** One of these, drawn. */
    MIXED
  }

  /** Bounds of a job's run in seconds, if it does not say itself. */
  public record Jobs(double runSecondsLeast, double runSecondsMost) {}

  /** The profile of that name. */
  public static Behaviour profile(String name) {
    return switch (name) {
      case "calm" -> CALM;
      case "load" -> LOAD;
      case "rough" -> ROUGH;
      default ->
          throw new IllegalArgumentException("profile is calm, load or rough, not '" + name + "'");
    };
  }

  /**
   * This behaviour with the members that the JSON names replaced.
   *
   * @throws IllegalArgumentException for an unknown member or a wrong type
   */
  public Behaviour with(JsonNode changes) {
    ObjectMapper json = new ObjectMapper();
    JsonNode merged = json.valueToTree(this);
    changes
        .properties()
        .forEach(
            group -> {
              if (!(merged.get(group.getKey())
                  instanceof com.fasterxml.jackson.databind.node.ObjectNode target)) {
                throw new IllegalArgumentException(
                    "behaviour has delays, faults and jobs, not '" + group.getKey() + "'");
              }
              group.getValue().properties().forEach(e -> target.set(e.getKey(), e.getValue()));
            });
    return json.convertValue(merged, Behaviour.class);
  }
}
