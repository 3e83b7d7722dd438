package io.spillway.scheduler.event;

import io.spillway.scheduler.model.PoolName;
import io.spillway.scheduler.model.QueueName;
import io.spillway.scheduler.policy.PolicySet;
import java.time.Instant;

/** What operators and the scheduler's own watch changed. */
public sealed interface ControlEvent extends Event {

  record PolicyAdopted(PolicySet policies, Instant at) implements ControlEvent {}

  /**
   * A leader began to listen, or listens again after a gap: silence before it proves nothing, so
   * every cluster's silence counts from here.
   */
  record ListeningBegan(long epoch, Instant at) implements ControlEvent {}

  record QueuePaused(QueueName queue, boolean paused) implements ControlEvent {}

  record SystemPaused(boolean paused) implements ControlEvent {}

  record PoolCordoned(PoolName pool, boolean cordoned) implements ControlEvent {}

  /** Place nothing, stop nothing, adopt what agents report. */
  record RecoveryEntered(String reason, Instant at) implements ControlEvent {}

  record RecoveryLeft(Instant at, boolean byOperator) implements ControlEvent {}

  /** The minute's audit: how many differences older than 60 s it found; 0 is right. */
  record DriftFound(int differences, String detail, Instant at) implements ControlEvent {}

  /** An input that could not be acted on (its job, attempt or cluster does not exist). */
  record InputIgnored(String kind, String subject, String reason) implements ControlEvent {}
}
