package io.spillway.scheduler.cycle;

import io.spillway.scheduler.event.AttemptEvent.AttemptEnding;
import io.spillway.scheduler.event.JobEvent;
import io.spillway.scheduler.input.CommandInput;
import io.spillway.scheduler.input.CommandInput.JobVerb;
import io.spillway.scheduler.input.Received;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.AttemptState;
import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.lifecycle.JobState;
import io.spillway.scheduler.lifecycle.Reason;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.policy.QueuePolicy;
import java.time.Instant;
import java.util.Optional;

/** What users ask of jobs. A command that the state no longer allows is refused with the state. */
final class Commands {
  private final Scene scene;
  private final Endings endings;
  private final Drains drains;

  Commands(Scene scene, Endings endings, Drains drains) {
    this.scene = scene;
    this.endings = endings;
    this.drains = drains;
  }

  void submitted(CommandInput.JobSubmitted submit, Received received) {
    if (scene.view().job(submit.job()).isPresent()) {
      scene.ignore(submit, submit.job(), "taken before");
    } else {
      scene.emit(new JobEvent.JobTaken(submit.job(), submit.order(), received.at()));
    }
  }

  void commanded(CommandInput.JobCommanded command, Received received) {
    Optional<Job> job = scene.view().job(command.job());
    if (job.isEmpty()) {
      scene.ignore(command, command.job(), "no such job, or it has ended");
    } else if (!follow(job.get(), command.verb())) {
      refuse(job.get(), command.verb().name(), received);
    }
  }

  void patched(CommandInput.JobPatched patch, Received received) {
    Optional<Job> open = scene.view().job(patch.job()).filter(job -> !job.state().isTerminal());
    if (open.isEmpty()) {
      scene.ignore(patch, patch.job(), "no such job, or it has ended");
      return;
    }
    patch.priorityClass().ifPresent(wanted -> reclass(open.get(), wanted, received));
    patch.labels().ifPresent(labels -> scene.emit(new JobEvent.LabelsChanged(patch.job(), labels)));
  }

  void stopRequested(CommandInput.AttemptStopRequested stop, Received received) {
    AttemptId id = stop.attempt();
    Optional<Job> job = scene.view().job(id.job());
    Optional<Attempt> attempt = scene.view().attempt(id);
    if (job.isEmpty() || attempt.isEmpty()) {
      scene.ignore(stop, id, "no such attempt, or its job has ended");
    } else if (isActive(job.get()) && attempt.get().state().isLive()) {
      drains.drain(attempt.get(), Reason.USER_STOPPED_ATTEMPT, stopDeadline());
    } else {
      refuse(job.get(), "STOP_ATTEMPT", received);
    }
  }

  /** Stops the job's attempt for good; used by a cancel and by limits. */
  void cancel(Job job, AttemptId current, Reason reason) {
    endings.dropNext(job, Reason.HOLD_DROPPED);
    scene.emit(new JobEvent.JobCancelling(job.id(), current, scene.now(), reason));
    scene
        .view()
        .attempt(current)
        .filter(attempt -> attempt.state().isLive())
        .filter(attempt -> !(attempt.state() instanceof AttemptState.Ending))
        .ifPresent(
            attempt ->
                scene.emit(new AttemptEnding(attempt.id(), scene.now(), stopDeadline(), reason)));
  }

  private boolean follow(Job job, JobVerb verb) {
    return switch (verb) {
      case CANCEL -> cancel(job);
      case HOLD -> hold(job);
      case RELEASE -> release(job);
      case REQUEUE -> requeue(job);
    };
  }

  /** A cancel fences a launch that is under way: its stop is owed until its end is known. */
  private boolean cancel(Job job) {
    if (job.state() instanceof JobState.Queued || job.state() instanceof JobState.Held) {
      scene.emit(new JobEvent.JobCancelled(job.id(), scene.now()));
      return true;
    }
    if (job.state() instanceof JobState.Cancelling || job.state().isTerminal()) {
      return false;
    }
    Endings.currentOf(job.state())
        .ifPresent(current -> cancel(job, current, Reason.USER_CANCELLED));
    return true;
  }

  private boolean hold(Job job) {
    if (job.state() instanceof JobState.Queued) {
      scene.emit(new JobEvent.JobHeld(job.id(), scene.now(), Reason.USER_HELD));
      return true;
    }
    return false;
  }

  private boolean release(Job job) {
    if (job.state() instanceof JobState.Held) {
      scene.emit(
          new JobEvent.JobQueued(
              job.id(),
              scene.now(),
              Reason.USER_RELEASED,
              scene.setbacks(job).requeued(job.standing()),
              Optional.empty()));
      return true;
    }
    return false;
  }

  private boolean requeue(Job job) {
    if (!isActive(job)) {
      return false;
    }
    Endings.currentOf(job.state())
        .flatMap(scene.view()::attempt)
        .ifPresent(attempt -> drains.drain(attempt, Reason.USER_REQUEUED, stopDeadline()));
    return true;
  }

  private void reclass(Job job, String wanted, Received received) {
    boolean allowed =
        scene
            .queue(job.order().queue())
            .map(QueuePolicy::allowedClasses)
            .filter(classes -> classes.contains(wanted))
            .isPresent();
    if (!allowed) {
      refuse(job, "PRIORITY_CLASS", received);
    } else if (!job.order().priorityClass().equals(wanted)) {
      scene.emit(new JobEvent.PriorityChanged(job.id(), wanted));
    }
  }

  private void refuse(Job job, String command, Received received) {
    scene.emit(
        new JobEvent.CommandRefused(
            job.id(), received.writer(), received.seq(), command, job.state().label()));
  }

  private Instant stopDeadline() {
    return scene.now().plus(scene.settings().drain().stopGrace());
  }

  private static boolean isActive(Job job) {
    return job.state() instanceof JobState.Launching || job.state() instanceof JobState.Running;
  }
}
