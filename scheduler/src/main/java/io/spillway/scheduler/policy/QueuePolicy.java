package io.spillway.scheduler.policy;

import io.spillway.scheduler.model.QueueName;
import java.time.Duration;
import java.util.List;

/**
 * One queue's rules.
 *
 * @param allowedClasses priority classes that its jobs may name; contains the default
 * @param ladder placement preferences in order, at least one rung
 */
public record QueuePolicy(
    QueueName name,
    String defaultClass,
    List<String> allowedClasses,
    Limits limits,
    List<Rung> ladder,
    Retry retry,
    OnClusterLost onClusterLost) {

  public QueuePolicy {
    allowedClasses = List.copyOf(allowedClasses);
    ladder = List.copyOf(ladder);
    if (ladder.isEmpty()) {
      throw new IllegalArgumentException("queue " + name + " has no ladder");
    }
  }

  /** What a queue accepts at most. {@code Integer.MAX_VALUE} = no limit. */
  public record Limits(int maxPending, int maxNodesPerJob, int submitRatePerSecond) {
    public static final Limits NONE =
        new Limits(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE);
  }

  /**
   * Separate budgets, so that a cloud's failures never use up a user's.
   *
   * @param userFailures ends by the job's own fault after which it fails for good
   * @param infrastructureFailures ends by infrastructure after which it fails for good
   * @param backoff wait before the next attempt after a failure, doubled with each, at most 1 h
   */
  public record Retry(int userFailures, int infrastructureFailures, Duration backoff) {
    public static final Retry DEFAULT = new Retry(0, 20, Duration.ofMinutes(1));
  }

  /** What becomes of attempts on a cluster that was declared lost. */
  public enum OnClusterLost {
    /** Keep the attempt and alert. */
    WAIT,
    /** Start the next attempt, once the provider or the operator says that the old one is gone. */
    REPLACE
  }
}
