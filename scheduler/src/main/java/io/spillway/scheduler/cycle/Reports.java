package io.spillway.scheduler.cycle;

import io.spillway.scheduler.event.AttemptEvent;
import io.spillway.scheduler.event.ClusterEvent.ReportTaken;
import io.spillway.scheduler.event.JobEvent;
import io.spillway.scheduler.input.AgentInput.AttemptReported;
import io.spillway.scheduler.input.AgentInput.Phase;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.AttemptState;
import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.lifecycle.JobState;
import io.spillway.scheduler.lifecycle.Outcome;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.state.Memo;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Agents' reports of attempts, in the order of (agent epoch, seq) for each attempt. */
final class Reports {
  private final Scene scene;
  private final Endings endings;
  private final Notices notices;
  private final BlockBook blocks;
  private final Recovery recovery;

  Reports(Scene scene, Endings endings, Notices notices, BlockBook blocks, Recovery recovery) {
    this.scene = scene;
    this.endings = endings;
    this.notices = notices;
    this.blocks = blocks;
    this.recovery = recovery;
  }

  void take(AttemptReported report) {
    Optional<Attempt> known =
        scene
            .view()
            .attempt(report.attempt())
            .filter(a -> a.placement().offering().cluster().equals(report.cluster()));
    if (known.isEmpty()) {
      unknown(report);
    } else if (isNews(report.attempt(), report.agentEpoch(), report.seq())) {
      note(report);
      known(known.get(), report);
    }
  }

  /** Whether the report comes after the newest that was taken of that attempt. */
  boolean isNews(AttemptId attempt, long agentEpoch, long seq) {
    Optional<Memo.Report> newest = scene.view().newestReport(attempt);
    return newest.isEmpty()
        || agentEpoch > newest.get().agentEpoch()
        || (agentEpoch == newest.get().agentEpoch() && seq > newest.get().seq());
  }

  private void note(AttemptReported report) {
    boolean open =
        scene
            .view()
            .job(report.attempt().job())
            .filter(job -> !job.state().isTerminal())
            .isPresent();
    if (open) {
      scene.emit(
          new ReportTaken(report.cluster(), report.attempt(), report.agentEpoch(), report.seq()));
    }
  }

  private void unknown(AttemptReported report) {
    boolean live = report.phase() == Phase.STARTING || report.phase() == Phase.RUNNING;
    if (live && scene.recovering() && recovery.adopt(report)) {
      note(report);
    } else {
      scene.ignore(report, report.attempt(), "no such attempt in " + report.cluster());
    }
  }

  private void known(Attempt attempt, AttemptReported report) {
    if (attempt.state() instanceof AttemptState.Ended ended) {
      afterEnd(attempt, ended, report);
      return;
    }
    switch (report.phase()) {
      case HELD -> held(attempt, report.instances());
      case STARTING -> starting(attempt);
      case RUNNING -> running(attempt, report.instances(), report.ranFor());
      case ENDED -> ended(attempt, report);
      case ABSENT -> absent(attempt);
    }
  }

  /** Of what is over, only a success and the end of a fenced attempt's workload are news. */
  private void afterEnd(Attempt attempt, AttemptState.Ended ended, AttemptReported report) {
    boolean wasGivenUp =
        ended.outcome() == Outcome.FENCED
            || ended.outcome() == Outcome.INTERRUPTED
            || ended.outcome() == Outcome.INFRASTRUCTURE;
    Optional<Job> open =
        scene.view().job(attempt.id().job()).filter(job -> !job.state().isTerminal());
    if (wasGivenUp && open.isPresent() && report.end().filter(EndVerdict::isSuccess).isPresent()) {
      endings.succeedLate(attempt, open.get());
    } else if (!ended.settled()
        && (report.phase() == Phase.ENDED || report.phase() == Phase.ABSENT)) {
      scene.emit(new AttemptEvent.StopConfirmed(attempt.id(), scene.now()));
    }
  }

  private void held(Attempt attempt, List<String> instances) {
    if (attempt.state() instanceof AttemptState.Intended intended && !intended.held()) {
      scene.emit(new AttemptEvent.HoldConfirmed(attempt.id(), instances));
      notices.appeared(instances, intended.since());
    }
  }

  void starting(Attempt attempt) {
    OfferingId offering = attempt.placement().offering();
    Instant deadline = scene.now().plus(scene.view().catalogue().launchDeadline(offering));
    if (attempt.state() instanceof AttemptState.Launching launching) {
      deadline = launching.deadline();
    } else if (!(attempt.state() instanceof AttemptState.Unknown)) {
      return;
    }
    scene.emit(new AttemptEvent.AttemptStarting(attempt.id(), offering, scene.now(), deadline));
  }

  void running(Attempt attempt, List<String> instances, Optional<Duration> ranFor) {
    Optional<Instant> notBefore =
        switch (attempt.state()) {
          case AttemptState.Launching s -> Optional.of(s.since());
          case AttemptState.Unknown s -> Optional.of(Instant.EPOCH);
          case AttemptState.Starting s -> Optional.of(s.since());
          default -> Optional.empty();
        };
    if (notBefore.isEmpty()) {
      return;
    }
    Instant begun =
        attempt.state() instanceof AttemptState.Unknown unknown ? unknown.since() : notBefore.get();
    Instant since = scene.now().minus(ranFor.orElse(Duration.ZERO));
    Instant at = since.isBefore(notBefore.get()) ? notBefore.get() : since;
    scene.emit(
        new AttemptEvent.AttemptRunning(
            attempt.id(), attempt.placement().offering(), at, instances));
    scene
        .view()
        .job(attempt.id().job())
        .filter(job -> job.state() instanceof JobState.Launching)
        .ifPresent(job -> scene.emit(new JobEvent.JobRunning(job.id(), attempt.id(), at)));
    blocks.succeeded(attempt.placement().offering());
    notices.appeared(instances, begun);
  }

  private void ended(Attempt attempt, AttemptReported report) {
    if (attempt.state() instanceof AttemptState.Intended) {
      return;
    }
    Duration ran =
        report.ranFor().filter(time -> !time.isNegative()).orElse(attempt.ran(scene.now()));
    report
        .end()
        .ifPresentOrElse(
            end -> endings.end(attempt, EndVerdict.of(attempt, end), ran, Optional.empty()),
            () -> endings.end(attempt, EndVerdict.absent(attempt), ran, Optional.empty()));
  }

  /** A start that did not arrive is simply sent again; a hold is renewed. */
  private void absent(Attempt attempt) {
    boolean sentAgain =
        attempt.state() instanceof AttemptState.Launching
            || attempt.state() instanceof AttemptState.Intended;
    if (!sentAgain) {
      endings.end(attempt, EndVerdict.absent(attempt));
    }
  }
}
