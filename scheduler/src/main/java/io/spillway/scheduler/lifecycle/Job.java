package io.spillway.scheduler.lifecycle;

import io.spillway.scheduler.model.JobId;
import io.spillway.scheduler.model.JobOrder;
import java.time.Duration;
import java.time.Instant;

/**
 * A job as the scheduler holds it.
 *
 * @param submittedAt database time of the commit that accepted it; its place in the queue for life
 * @param attempts how many attempts it had; the next one's number is one more
 * @param ran running time over all ended attempts, for {@code timeout}
 */
public record Job(
    JobId id,
    JobOrder order,
    Instant submittedAt,
    JobState state,
    Standing standing,
    int attempts,
    Duration ran) {

  public Job in(JobState next) {
    return new Job(id, order, submittedAt, next, standing, attempts, ran);
  }

  public Job with(Standing next) {
    return new Job(id, order, submittedAt, state, next, attempts, ran);
  }

  public Job with(JobOrder next) {
    return new Job(id, next, submittedAt, state, standing, attempts, ran);
  }

  public Job withAttempts(int number) {
    return new Job(id, order, submittedAt, state, standing, number, ran);
  }

  public Job ranMore(Duration time) {
    return new Job(id, order, submittedAt, state, standing, attempts, ran.plus(time));
  }
}
