package io.spillway.scheduler.state;

import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.lifecycle.JobState;
import io.spillway.scheduler.lifecycle.JobState.Cancelling;
import io.spillway.scheduler.lifecycle.JobState.Draining;
import io.spillway.scheduler.lifecycle.JobState.Held;
import io.spillway.scheduler.lifecycle.JobState.Launching;
import io.spillway.scheduler.lifecycle.JobState.Queued;
import io.spillway.scheduler.lifecycle.JobState.Running;
import io.spillway.scheduler.lifecycle.Reason;
import io.spillway.scheduler.model.AttemptId;
import java.time.Instant;
import java.util.Optional;

/** Finds the transition that an event means in the state a job is in, or refuses it. */
final class JobMoves {
  private JobMoves() {}

  static JobState queued(Job job, Instant at, Reason reason, Optional<Instant> notBefore) {
    return switch (job.state()) {
      case Held held -> held.queued(at, reason);
      case Launching launching -> launching.queued(at, reason, notBefore);
      case Running running -> running.queued(at, reason, notBefore);
      case Draining draining -> draining.queued(at, reason, notBefore);
      default -> throw illegal(job, "QUEUED");
    };
  }

  static JobState readied(Job job) {
    if (job.state() instanceof Queued queued) {
      return new Queued(queued.since(), queued.reason(), Optional.empty());
    }
    throw illegal(job, "ready");
  }

  static JobState held(Job job, Instant at, Reason reason) {
    return switch (job.state()) {
      case Queued queued -> queued.held(at, reason);
      case Draining draining -> draining.held(at, reason);
      default -> throw illegal(job, "HELD");
    };
  }

  static JobState launching(Job job, AttemptId attempt) {
    return switch (job.state()) {
      case Queued queued -> queued.launching(attempt);
      case Draining draining -> draining.launching(attempt);
      default -> throw illegal(job, "LAUNCHING");
    };
  }

  static JobState running(Job job, Instant at) {
    if (job.state() instanceof Launching launching) {
      return launching.running(at);
    }
    throw illegal(job, "RUNNING");
  }

  static JobState draining(Job job, Instant at, Reason reason) {
    return switch (job.state()) {
      case Launching launching -> launching.draining(at, reason);
      case Running running -> running.draining(at, reason);
      default -> throw illegal(job, "DRAINING");
    };
  }

  static JobState holding(Job job, Optional<AttemptId> next) {
    if (job.state() instanceof Draining draining) {
      return draining.holding(next);
    }
    throw illegal(job, "holding a replacement");
  }

  static JobState cancelling(Job job, Instant at, Reason reason) {
    return switch (job.state()) {
      case Launching launching -> launching.cancelling(at, reason);
      case Running running -> running.cancelling(at, reason);
      case Draining draining -> draining.cancelling(at, reason);
      default -> throw illegal(job, "CANCELLING");
    };
  }

  static JobState succeeded(Job job, Instant at) {
    return switch (job.state()) {
      case Queued queued -> queued.succeeded(at);
      case Held held -> held.succeeded(at);
      case Launching launching -> launching.succeeded(at);
      case Running running -> running.succeeded(at);
      case Draining draining -> draining.succeeded(at);
      case Cancelling cancelling -> cancelling.succeeded(at);
      default -> throw illegal(job, "SUCCEEDED");
    };
  }

  static JobState cancelled(Job job, Instant at) {
    return switch (job.state()) {
      case Queued queued -> queued.cancelled(at);
      case Held held -> held.cancelled(at);
      case Cancelling cancelling -> cancelling.cancelled(at);
      default -> throw illegal(job, "CANCELLED");
    };
  }

  static JobState failed(Job job, Instant at, Reason reason) {
    return switch (job.state()) {
      case Queued queued -> queued.failed(at, reason);
      case Held held -> held.failed(at, reason);
      case Launching launching -> launching.failed(at, reason);
      case Running running -> running.failed(at, reason);
      case Draining draining -> draining.failed(at, reason);
      case Cancelling cancelling -> cancelling.failed(at, reason);
      default -> throw illegal(job, "FAILED");
    };
  }

  private static IllegalTransition illegal(Job job, String to) {
    return new IllegalTransition(job.id(), job.state().label(), to);
  }
}
