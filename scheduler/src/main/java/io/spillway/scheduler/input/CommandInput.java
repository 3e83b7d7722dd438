package io.spillway.scheduler.input;

import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.JobId;
import io.spillway.scheduler.model.JobOrder;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.model.PoolName;
import io.spillway.scheduler.model.QueueName;
import io.spillway.scheduler.policy.PolicySet;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** What users and operators ask for. */
public sealed interface CommandInput extends Input {
  @Override
  default Lane lane() {
    return Lane.COMMANDS;
  }

  /** A job whose row was inserted, untaken, in the transaction of this input. */
  record JobSubmitted(JobId job, JobOrder order) implements CommandInput {}

  /** One of the verbs on a job. */
  record JobCommanded(JobId job, JobVerb verb) implements CommandInput {}

  /** The verbs on a job. */
  enum JobVerb {
    CANCEL,
    HOLD,
    RELEASE,
    REQUEUE
  }

  /** A merge patch; absent members stay as they are. */
  record JobPatched(JobId job, Optional<String> priorityClass, Optional<Map<String, String>> labels)
      implements CommandInput {}

  /** Stops one attempt; the job goes back to its place in the queue. */
  record AttemptStopRequested(AttemptId attempt) implements CommandInput {}

  /** A new policy set, already compiled and checked. */
  record PolicyOffered(PolicySet policies) implements CommandInput {}

  record QueuePauseSet(QueueName queue, boolean paused) implements CommandInput {}

  /** Stops or resumes new placements everywhere; nothing that runs is touched. */
  record SystemPauseSet(boolean paused) implements CommandInput {}

  /** The operator's word that RECOVERY is over. */
  record RecoveryEnded() implements CommandInput {}

  record OfferingBlockSet(OfferingId offering, Duration time, String reason)
      implements CommandInput {}

  record OfferingBlockLifted(OfferingId offering) implements CommandInput {}

  record PoolCordonSet(PoolName pool, boolean cordoned) implements CommandInput {}

  record ClusterCordonSet(ClusterName cluster, boolean cordoned) implements CommandInput {}

  /** A token was issued for it: its agent may come. Until then it is no candidate. */
  record ClusterRegistered(ClusterName cluster) implements CommandInput {}

  /** The operator's word that every instance of the cluster is gone. */
  record ClusterDeclaredLost(ClusterName cluster) implements CommandInput {}
}
