package io.spillway.scheduler.cycle;

import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.AttemptState;
import io.spillway.scheduler.lifecycle.JobState;
import io.spillway.scheduler.lifecycle.Reason;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.state.Memo.ClusterFlags;
import io.spillway.scheduler.state.Timers;
import io.spillway.scheduler.state.Timers.Timer;
import io.spillway.scheduler.state.View;
import java.time.Duration;
import java.time.Instant;

/**
 * Whether a due deadline may be acted on. Silence proves nothing while we could not hear: in the
 * first seconds of a leader, of a cluster without a stream, and of one not heard since this leader
 * began. What a provider or a user said holds nevertheless; in RECOVERY nothing is stopped.
 */
record Patience(View view, Instant now, CoreSettings settings) {

  boolean isRipe(Timer timer) {
    return switch (timer.kind()) {
      case ATTEMPT_DEADLINE ->
          view.system().recovery().isEmpty()
              && view.attempt((AttemptId) timer.subject()).filter(this::isRipe).isPresent();
      case TIMEOUT -> view.system().recovery().isEmpty();
      case QUEUE_TTL, BACKOFF, NOTICE, BLOCK_FORGOTTEN -> true;
      // The placer's: it judges the class anew.
      case CLASS -> false;
    };
  }

  /** Whether anything that is due now may be acted on. */
  boolean anyRipe(Timers timers) {
    return !timers.due(now, 1, this::isRipe).isEmpty();
  }

  private boolean isRipe(Attempt attempt) {
    return switch (attempt.state()) {
      case AttemptState.Launching s -> true;
      case AttemptState.Starting s -> canHear(attempt);
      case AttemptState.Ending ending -> isOver(ending) && mayGiveUp(attempt, ending);
      default -> true;
    };
  }

  /**
   * The stop's own deadline lies a margin before the provider's, so that the work is saved in time;
   * until the provider's the machine runs, and without the agent's word it is not over.
   */
  private boolean isOver(AttemptState.Ending ending) {
    Duration margin =
        switch (ending.reason()) {
          case INTERRUPTED, MAINTENANCE -> settings.drain().margin();
          default -> Duration.ZERO;
        };
    return !ending.deadline().plus(margin).isAfter(now);
  }

  private boolean mayGiveUp(Attempt attempt, AttemptState.Ending ending) {
    return new ProvidersWord(view).isGone(attempt)
        || canHear(attempt)
        || (hasListened() && isSomebodysWord(attempt, ending.reason()));
  }

  /** The provider takes it anyway, or no other attempt will follow this one. */
  private boolean isSomebodysWord(Attempt attempt, Reason reason) {
    boolean providers =
        switch (reason) {
          case INTERRUPTED, MAINTENANCE, INSTANCE_LOST -> true;
          default -> false;
        };
    return providers
        || view.cluster(attempt.placement().offering().cluster()).declared()
        || view.job(attempt.id().job())
            .map(job -> job.state() instanceof JobState.Cancelling || job.state().isTerminal())
            .orElse(true);
  }

  private boolean canHear(Attempt attempt) {
    ClusterFlags cluster = view.cluster(attempt.placement().offering().cluster());
    // An agent that just came back is told of stops first and needs a moment to answer.
    boolean hadTime = !cluster.openedAt().plus(settings.drain().lossGrace()).isAfter(now);
    return hasListened()
        && cluster.connected()
        && hadTime
        && !cluster.heardAt().isBefore(view.system().listeningSince());
  }

  private boolean hasListened() {
    Instant since = view.system().listeningSince();
    return !since.plus(settings.drain().lossGrace()).isAfter(now);
  }
}
