package io.spillway.capacity.simulated.agent;

import io.spillway.capacity.simulated.cloud.Behaviour.Jobs;
import io.spillway.protocol.v1.Launch;
import java.math.BigDecimal;
import java.util.SplittableRandom;

/**
 * What an attempt wants, and how it will behave.
 *
 * @param pool empty = nodes of the autoscaler
 * @param runMillis from the moment all members run until they exit by themselves
 */
public record Order(
    String zone,
    String instanceType,
    String capacityType,
    String pool,
    int nodes,
    int gpusPerNode,
    long runMillis,
    int exitCode) {
  private static final String RUN_SECONDS = "SIM_RUN_SECONDS";
  private static final String EXIT_CODE = "SIM_EXIT_CODE";
  private static final long LONGEST_SECONDS = 30L * 24 * 3_600;

  /** Reads a launch; what the job does not say itself is drawn by its attempt's id. */
  static Order of(String attempt, Launch launch, Jobs jobs) {
    return new Order(
        launch.getZone(),
        launch.getInstanceType(),
        launch.getCapacityType(),
        launch.getPool(),
        Math.max(1, launch.getNodes()),
        Math.max(1, launch.getGpusPerNode()),
        runMillis(attempt, launch.getEnvOrDefault(RUN_SECONDS, ""), jobs),
        exitCode(launch.getEnvOrDefault(EXIT_CODE, "")));
  }

  private static long runMillis(String attempt, String text, Jobs jobs) {
    try {
      double seconds = new BigDecimal(text).doubleValue();
      return Math.round(Math.clamp(seconds, 0, LONGEST_SECONDS) * 1_000);
    } catch (NumberFormatException e) {
      double drawn = new SplittableRandom(attempt.hashCode()).nextDouble();
      double span = jobs.runSecondsMost() - jobs.runSecondsLeast();
      return Math.round((jobs.runSecondsLeast() + drawn * span) * 1_000);
    }
  }

  private static int exitCode(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
