package io.spillway.scheduler.state;

import io.spillway.scheduler.model.QueueName;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A queue as it stands.
 *
 * @param known whether the live policy still has it
 * @param jobs by the label of their state; states with no job are missing
 * @param oldestWaiting submit time of the oldest queued job that is not in a back-off
 */
public record QueueStatus(
    QueueName name,
    boolean known,
    boolean paused,
    Map<String, Integer> jobs,
    Optional<Instant> oldestWaiting) {
  public QueueStatus {
    jobs = Collections.unmodifiableMap(new TreeMap<>(jobs));
  }
}
