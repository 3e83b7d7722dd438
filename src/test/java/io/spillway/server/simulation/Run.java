package io.spillway.server.simulation;

import io.spillway.scheduler.input.AgentInput.Phase;
import io.spillway.scheduler.model.AttemptId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A workload that really exists in a cluster: the clouds' own truth. */
final class Run {
  final AttemptId attempt;
  final long epoch;
  final Instant startedAt;
  final List<String> instances;
  Phase phase;
  Instant runsAt;
  Instant endsAt;
  int exitCode;

  /** When it has saved its work, once it was told to stop. */
  Optional<Instant> stopsAt = Optional.empty();

  Run(AttemptId attempt, long epoch, Instant startedAt, List<String> instances) {
    this.attempt = attempt;
    this.epoch = epoch;
    this.startedAt = startedAt;
    this.instances = instances;
    this.phase = Phase.STARTING;
  }

  /** Before anybody sees it run. */
  void isOverAt(Instant end) {
    endsAt = end;
    runsAt = end.plusSeconds(60);
  }

  boolean exists() {
    return phase == Phase.STARTING || phase == Phase.RUNNING;
  }
}
