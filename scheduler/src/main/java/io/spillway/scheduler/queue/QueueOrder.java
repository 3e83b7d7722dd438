package io.spillway.scheduler.queue;

import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.model.JobId;
import io.spillway.scheduler.policy.PolicySet;
import java.time.Instant;

/**
 * A job's place among all waiting jobs: higher priority first, then the older submit, then the id.
 * Nothing else decides order: not back-off, not how often it was tried.
 *
 * @param priority value of its priority class
 * @param submittedAt kept for life, through every retry
 */
public record QueueOrder(int priority, Instant submittedAt, JobId job)
    implements Comparable<QueueOrder> {

  /** A priority class that no policy defines any more counts 0. */
  public static QueueOrder of(Job job, PolicySet policies) {
    int priority = policies.priorityClasses().getOrDefault(job.order().priorityClass(), 0);
    return new QueueOrder(priority, job.submittedAt(), job.id());
  }

  @Override
  public int compareTo(QueueOrder other) {
    int byPriority = Integer.compare(other.priority, priority);
    if (byPriority != 0) {
      return byPriority;
    }
    int byAge = submittedAt.compareTo(other.submittedAt);
    return byAge != 0 ? byAge : job.compareTo(other.job);
  }
}
