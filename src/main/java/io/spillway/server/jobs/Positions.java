package io.spillway.server.jobs;

import io.smallrye.mutiny.Uni;
import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.lifecycle.JobState;
import io.spillway.scheduler.state.View;
import io.spillway.scheduler.state.Waiting.WaitingClass;
import io.spillway.server.loop.StateReader;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.NavigableSet;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * Where a job stands in its queue: priority class first, then submit time. Counted exactly up to
 * 1,000; beyond, the share of its class that came earlier is estimated from the submit times.
 */
@ApplicationScoped
class Positions {
  private static final int EXACT = 1_000;

  // While the state is loaded anew nobody answers; the rest of the job is known without it.
  private static final Duration PATIENCE = Duration.ofMillis(500);

  private static final Logger LOG = Logger.getLogger(Positions.class);

  private final StateReader state;

  Positions(StateReader state) {
    this.state = state;
  }

  /**
   * Empty for a job that does not wait, that this replica's state has not seen yet, and while this
   * replica has no state to ask.
   */
  Uni<Optional<JobAnswer.Position>> of(JobRow row) {
    if (!row.state.equals("QUEUED")) {
      return Uni.createFrom().item(Optional.empty());
    }
    return Uni.createFrom()
        .completionStage(() -> state.read(view -> view.job(row.jobId()).flatMap(j -> of(view, j))))
        .ifNoItem()
        .after(PATIENCE)
        .recoverWithItem(Optional.empty())
        .onFailure()
        .recoverWithItem(
            failure -> {
              LOG.debugf("place not known job=%s: %s", row.id, failure.toString());
              return Optional.empty();
            });
  }

  static Optional<JobAnswer.Position> of(View view, Job job) {
    if (!(job.state() instanceof JobState.Queued)) {
      return Optional.empty();
    }
    int own = value(view, job.order().priorityClass());
    long exact = 1;
    double estimated = 0;
    for (WaitingClass waiting : view.waiting().classes()) {
      int other = value(view, waiting.shapeClass().priorityClass());
      if (!waiting.shapeClass().queue().equals(job.order().queue()) || other < own) {
        continue;
      }
      if (other > own) {
        exact += waiting.jobs().size();
      } else {
        Ahead ahead = ahead(waiting.jobs(), job);
        exact += ahead.counted();
        estimated += ahead.estimated();
      }
    }
    boolean isExact = exact <= EXACT && estimated == 0;
    long place = isExact ? exact : Math.round((exact + estimated) / 100) * 100;
    return Optional.of(
        new JobAnswer.Position((int) Math.min(Integer.MAX_VALUE, Math.max(1, place)), isExact));
  }

  private record Ahead(int counted, double estimated) {}

  private static Ahead ahead(NavigableSet<Job> equals, Job job) {
    int counted = 0;
    for (Job other : equals.headSet(job, false)) {
      counted++;
      if (counted > EXACT) {
        return new Ahead(0, Math.max(counted, equals.size() * share(equals, job)));
      }
      if (other.id().equals(job.id())) {
        break;
      }
    }
    return new Ahead(counted, 0);
  }

  private static double share(NavigableSet<Job> equals, Job job) {
    Duration all = Duration.between(equals.first().submittedAt(), equals.last().submittedAt());
    Duration before = Duration.between(equals.first().submittedAt(), job.submittedAt());
    return all.isZero() ? 1 : Math.clamp((double) before.toMillis() / all.toMillis(), 0, 1);
  }

  private static int value(View view, String priorityClass) {
    return view.policies().priorityClasses().getOrDefault(priorityClass, 0);
  }
}
