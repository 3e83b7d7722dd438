package io.spillway.server.simulation;

import io.spillway.scheduler.input.AgentInput;
import io.spillway.scheduler.input.AgentInput.AttemptReported;
import io.spillway.scheduler.input.AgentInput.Cause;
import io.spillway.scheduler.input.AgentInput.End;
import io.spillway.scheduler.input.AgentInput.Phase;
import io.spillway.scheduler.input.AgentInput.Present;
import io.spillway.scheduler.input.AgentInput.Swept;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.AttemptState;
import io.spillway.scheduler.lifecycle.Outcome;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.BlockScope;
import io.spillway.scheduler.model.CapacityFailure;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.FailureClass;
import io.spillway.scheduler.model.MarketKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * A cluster with its agent. The agent is idempotent by attempt and epoch, keeps what was not
 * acknowledged, and says all it has after each reconnect; the cloud below it refuses, kills and
 * loses.
 */
final class SimCluster {
  final ClusterName name;
  private final RandomGenerator random;
  private final Set<PlantedBug> bugs;
  private final Oracle oracle;
  final Map<AttemptId, Run> runs = new TreeMap<>();
  private final Map<AttemptId, Long> known = new HashMap<>();
  private final Set<AttemptId> buried = new HashSet<>();
  private final Deque<AgentInput> unsent = new ArrayDeque<>();
  private final Map<AttemptId, AttemptReported> lastWords = new TreeMap<>();
  private final List<Later> later = new ArrayList<>();
  private final SimNodes nodes;
  private final SimTranslation translation;
  private final SimLateStarts late;

  /** What the agent comes to say only after a while. */
  private record Later(Instant at, Supplier<AgentInput> word) {}

  boolean connected;
  long generation;
  private long agentEpoch = 1;
  private long seq;
  private Instant sweepAt = Instant.EPOCH;
  private Instant stuckUntil = Instant.EPOCH;

  SimCluster(String name, RandomGenerator random, Set<PlantedBug> bugs, Oracle oracle) {
    this.name = new ClusterName(name);
    this.random = random;
    this.bugs = bugs;
    this.oracle = oracle;
    this.nodes = new SimNodes(this.name, random);
    this.translation = new SimTranslation(this.name, random);
    this.late = new SimLateStarts(random);
  }

  // --- the stream

  void connect() {
    connected = true;
    generation++;
    unsent.addFirst(new AgentInput.SessionOpened(name, generation, agentEpoch));
    unsent.addLast(translation.begin());
    unsent.addLast(nodes.all());
    lastWords.values().forEach(unsent::addLast);
    runs.values().stream().filter(Run::exists).forEach(run -> report(run, Optional.empty()));
    sweepAt = Instant.EPOCH;
  }

  AgentInput disconnect() {
    connected = false;
    return new AgentInput.SessionClosed(name, generation);
  }

  /** What was not sent is forgotten, the workloads go on. */
  void restartAgent() {
    agentEpoch++;
    seq = 0;
    unsent.clear();
    lastWords.replaceAll((id, word) -> numbered(word));
    if (bugs.contains(PlantedBug.START_NOT_REMEMBERED)) {
      known.clear();
    }
  }

  /** Nothing runs, and nothing is to be told. */
  boolean isQuiet() {
    return unsent.isEmpty()
        && later.isEmpty()
        && late.isEmpty()
        && runs.values().stream().noneMatch(Run::exists);
  }

  Deque<AgentInput> unsent() {
    return unsent;
  }

  // --- commands, as the gateway reads them from the rows

  void obey(Attempt attempt, Instant now, boolean recovery) {
    switch (attempt.state()) {
      case AttemptState.Intended i -> {
        if (bugs.contains(PlantedBug.HOLD_STARTS)) {
          start(attempt, now);
        } else if (!i.held()) {
          unsent.add(
              report(attempt.id(), attempt.epoch(), Phase.HELD, List.of(), Optional.empty()));
        }
      }
      case AttemptState.Launching l ->
          translation
              .refusal(attempt, oracle.shadow().policies().version())
              .ifPresentOrElse(unsent::add, () -> start(attempt, now));
      case AttemptState.Unknown u -> start(attempt, now);
      case AttemptState.Ending e -> stop(attempt, now, recovery);
      case AttemptState.Ended e -> {
        if (e.outcome() == Outcome.FENCED && !e.settled()) {
          stop(attempt, now, recovery);
        }
      }
      default -> {}
    }
  }

  private void start(Attempt attempt, Instant now) {
    if (now.isBefore(stuckUntil)) {
      return;
    }
    AttemptId id = attempt.id();
    if (buried.contains(id) || known.containsKey(id)) {
      Run run = runs.get(id);
      if (run != null && run.exists() && random.nextInt(3) == 0) {
        report(run, Optional.empty());
      } else if (lastWords.containsKey(id)) {
        unsent.add(lastWords.get(id));
      }
      return;
    }
    known.put(id, attempt.epoch());
    int fate = random.nextInt(attempt.state() instanceof AttemptState.Unknown ? 40 : 100);
    Optional<List<String>> machines = nodes.take(attempt.placement().nodes(), runs.values());
    if (fate < 8 || machines.isEmpty()) {
      refuse(attempt, now);
    } else if (fate < 12) {
      gate(attempt, now);
    } else {
      oracle.started(name, begun(attempt, machines.get(), fate, now), now);
      if (fate >= 17) { // otherwise the work is done and nobody is told before the next sweep
        report(runs.get(id), Optional.empty());
      }
    }
  }

  private Run begun(Attempt attempt, List<String> machines, int fate, Instant now) {
    Run run = new Run(attempt.id(), attempt.epoch(), now, machines);
    boolean badImage = attempt.id().job().value().endsWith("7");
    run.runsAt = now.plusSeconds(random.nextInt(30));
    run.endsAt = run.runsAt.plusSeconds(5 + random.nextInt(fate < 22 ? 2_000 : 200));
    run.exitCode = badImage || random.nextInt(10) == 0 ? 1 : 0;
    if (fate < 15) {
      run.isOverAt(now);
    } else if (badImage) { // it never gets as far as running
      run.endsAt = run.runsAt;
      run.runsAt = run.endsAt.plusSeconds(1);
    }
    runs.put(attempt.id(), run);
    return run;
  }

  /** The gate's word may come late, as after a slow look at a registry. */
  private void gate(Attempt attempt, Instant now) {
    AttemptId id = attempt.id();
    buried.add(id);
    late.refused(attempt, now);
    Instant at = random.nextBoolean() ? now : now.plusSeconds(30 + random.nextInt(90));
    later.add(
        new Later(at, () -> new AgentInput.GateRefused(name, id, "image registry is not allowed")));
    if (bugs.contains(PlantedBug.REFUSAL_TAKEN_FOR_ANSWER)) {
      later.add(new Later(at, () -> absent(attempt)));
    }
  }

  /** Whether the agent forgets a refusal now; a copy of the start may come in then. */
  boolean forgets(Instant now) {
    List<Attempt> forgotten = late.forgotten(now);
    forgotten.stream().filter(late::mayStart).forEach(attempt -> startLate(attempt, now));
    return !forgotten.isEmpty();
  }

  private void startLate(Attempt attempt, Instant now) {
    Optional<List<String>> machines = nodes.take(attempt.placement().nodes(), runs.values());
    if (machines.isPresent()) {
      oracle.startedLate(name, begun(attempt, machines.get(), 50, now), now);
      report(runs.get(attempt.id()), Optional.empty());
    }
  }

  private void refuse(Attempt attempt, Instant now) {
    buried.add(attempt.id());
    MarketKey key = SimMarket.key(attempt.placement().offering()).orElseThrow();
    FailureClass why = random.nextInt(4) == 0 ? FailureClass.QUOTA : FailureClass.NO_CAPACITY;
    unsent.add(
        new AgentInput.SymptomReported(
            name,
            Optional.of(attempt.id()),
            new CapacityFailure(
                why, BlockScope.of(key), Duration.ofMinutes(1 + random.nextInt(5)), "none", now)));
  }

  private void stop(Attempt attempt, Instant now, boolean recovery) {
    if (bugs.contains(PlantedBug.STOP_NOT_SENT) || recovery) {
      return;
    }
    buried.add(attempt.id());
    late.stopped(attempt.id());
    Run run = runs.get(attempt.id());
    if (run == null || !run.exists()) {
      unsent.add(lastWords.getOrDefault(attempt.id(), absent(attempt)));
      return;
    }
    if (run.stopsAt.isPresent()) {
      return;
    }
    run.stopsAt = Optional.of(now.plusSeconds(random.nextInt((int) grace(attempt, now) + 1)));
    if (random.nextInt(6) == 0) { // it ends by itself within its grace
      run.endsAt = now.plusSeconds(random.nextInt(10));
    }
  }

  /** Seconds to save the work in; it is over in good time before the stop's deadline. */
  private long grace(Attempt attempt, Instant now) {
    long left =
        attempt.state() instanceof AttemptState.Ending ending
            ? Duration.between(now, ending.deadline()).toSeconds() - 30
            : 0;
    return Math.clamp(left, 0, random.nextBoolean() ? 5 : 60);
  }

  void stopStray(AttemptId attempt, Instant now) {
    Run run = runs.get(attempt);
    if (run != null && run.exists()) {
      oracle.strayStopped(run);
      end(run, Cause.STOPPED, List.of(), now);
    }
  }

  // --- the cloud

  void tick(Instant now) {
    nodes.taken(now).forEach(machine -> lose(machine, Cause.DISRUPTED, now));
    nodes.back(now).ifPresent(unsent::add);
    translation.change().filter(change -> connected).ifPresent(unsent::add);
    for (Later word : List.copyOf(later)) {
      if (!word.at().isAfter(now)) {
        later.remove(word);
        unsent.add(word.word().get());
      }
    }
    for (Run run : List.copyOf(runs.values())) {
      if (run.phase == Phase.STARTING && !now.isBefore(run.runsAt)) {
        run.phase = Phase.RUNNING;
        report(run, Optional.empty());
      }
      if (run.exists() && !now.isBefore(run.endsAt)) {
        List<Integer> codes = new ArrayList<>();
        run.instances.forEach(node -> codes.add(run.exitCode));
        end(run, Cause.EXITED, codes, now);
      } else if (run.exists() && run.stopsAt.filter(at -> !now.isBefore(at)).isPresent()) {
        end(run, Cause.STOPPED, List.of(), now);
      }
    }
    if (connected && now.isAfter(sweepAt)) {
      sweep(now);
      sweepAt = now.plusSeconds(40 + random.nextInt(60));
    }
  }

  /** Sometimes it had just done its work, and its exit codes are found later. */
  private void kill(Run run, Cause cause, Instant now) {
    if (!run.exists()) {
      return;
    }
    end(run, cause, List.of(), now);
    if (random.nextBoolean()) {
      Instant found = now.plusSeconds(10 + random.nextInt(90));
      later.add(new Later(found, () -> exited(run)));
    }
  }

  private AttemptReported exited(Run run) {
    List<Integer> codes = run.instances.stream().map(machine -> 0).toList();
    AttemptReported word =
        report(
            run.attempt,
            run.epoch,
            Phase.ENDED,
            run.instances,
            Optional.of(new End(codes, Cause.EXITED, "")));
    lastWords.put(run.attempt, word);
    return word;
  }

  private List<Run> on(String machine) {
    return runs.values().stream()
        .filter(run -> run.exists() && run.instances.contains(machine))
        .toList();
  }

  /** A node of the pool dies without a notice. */
  void loseNode(Instant now) {
    nodes.any().ifPresent(machine -> lose(machine, Cause.NODE_LOST, now));
  }

  /** The provider will take the machine then, with all that runs on it. */
  void callBack(String machine, Instant at) {
    nodes.doom(machine, at);
  }

  /** The cluster says that the node is gone before it speaks of pods. */
  void lose(String machine, Cause cause, Instant now) {
    nodes.die(machine, now).ifPresent(unsent::add);
    on(machine).forEach(run -> kill(run, cause, now));
  }

  /** Nothing new starts here for a while, as when an API server is overloaded. */
  void getStuck(Instant now) {
    stuckUntil = now.plusSeconds(40 + random.nextInt(110));
  }

  /** No work of hours is left to wait for. */
  void calm(Instant now) {
    stuckUntil = Instant.EPOCH;
    Instant soon = now.plusSeconds(120);
    runs.values().forEach(run -> run.endsAt = run.endsAt.isAfter(soon) ? soon : run.endsAt);
  }

  private void end(Run run, Cause cause, List<Integer> codes, Instant now) {
    run.phase = Phase.ENDED;
    oracle.ended(run, codes, now);
    AttemptReported word =
        report(
            run.attempt,
            run.epoch,
            Phase.ENDED,
            run.instances,
            Optional.of(new End(codes, cause, "")));
    lastWords.put(run.attempt, word);
    unsent.add(word);
  }

  private void sweep(Instant now) {
    List<Present> present = new ArrayList<>();
    for (Run run : runs.values()) {
      if (run.exists()) {
        present.add(new Present(run.attempt, run.epoch, run.phase, run.instances));
      }
    }
    if (bugs.contains(PlantedBug.SWEEP_NUMBERED_LATE)) {
      Instant arrival = now.plusSeconds(random.nextInt(20));
      later.add(new Later(arrival, () -> new Swept(name, agentEpoch, ++seq, present)));
      return;
    }
    unsent.add(new Swept(name, agentEpoch, ++seq, present));
  }

  private AttemptReported absent(Attempt attempt) {
    return report(attempt.id(), attempt.epoch(), Phase.ABSENT, List.of(), Optional.empty());
  }

  private void report(Run run, Optional<End> end) {
    unsent.add(report(run.attempt, run.epoch, run.phase, run.instances, end));
  }

  private AttemptReported report(
      AttemptId id, long epoch, Phase phase, List<String> nodes, Optional<End> end) {
    return new AttemptReported(
        name, agentEpoch, ++seq, id, epoch, phase, nodes, Optional.empty(), end);
  }

  private AttemptReported numbered(AttemptReported word) {
    return report(word.attempt(), word.attemptEpoch(), word.phase(), word.instances(), word.end());
  }
}
