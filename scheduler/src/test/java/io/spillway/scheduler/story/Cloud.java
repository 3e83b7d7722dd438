package io.spillway.scheduler.story;

import io.spillway.scheduler.input.AgentInput;
import io.spillway.scheduler.input.AgentInput.Cause;
import io.spillway.scheduler.input.AgentInput.End;
import io.spillway.scheduler.input.AgentInput.Phase;
import io.spillway.scheduler.input.AgentInput.Present;
import io.spillway.scheduler.input.Input;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.AttemptState;
import io.spillway.scheduler.lifecycle.Outcome;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.JobId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/**
 * A cluster with its agent, driven by chance: it does what the attempts' states command, keeps a
 * ledger of what runs, and reports late, twice and out of order.
 */
final class Cloud {
  private static final class Workload {
    private Phase phase = Phase.STARTING;
    private List<String> instances = List.of();
  }

  private final ClusterName name;
  private final Random chance;
  private final Map<AttemptId, Workload> workloads = new TreeMap<>();
  private final List<Input> underWay = new ArrayList<>();
  private long generation = 1;
  private long seq;
  private long instances;
  private boolean connected = true;

  Cloud(ClusterName name, Random chance) {
    this.name = name;
    this.chance = chance;
  }

  List<AttemptId> running() {
    return List.copyOf(workloads.keySet());
  }

  List<String> instances() {
    return workloads.values().stream().flatMap(w -> w.instances.stream()).toList();
  }

  /** Does what is commanded; what this brings to report goes under way. */
  void obey(World world) {
    if (!connected) {
      return;
    }
    for (Attempt attempt : world.state().attempts()) {
      if (attempt.placement().offering().cluster().equals(name)) {
        switch (attempt.state()) {
          case AttemptState.Launching s -> start(attempt);
          case AttemptState.Ending s -> stop(attempt.id());
          case AttemptState.Ended s when !s.settled() -> stop(attempt.id());
          default -> {}
        }
      }
    }
    world.state().strays(name).stream()
        .filter(stray -> stray.stopping())
        .forEach(stray -> stop(stray.attempt()));
  }

  private void start(Attempt attempt) {
    if (!workloads.containsKey(attempt.id()) && chance.nextInt(10) > 0) {
      workloads.put(attempt.id(), new Workload());
      tell(attempt.id(), Phase.STARTING, Optional.empty());
    }
  }

  private void stop(AttemptId id) {
    if (workloads.containsKey(id)) {
      tell(id, Phase.ENDED, Optional.of(new End(List.of(143), Cause.STOPPED, "")));
      workloads.remove(id);
    } else {
      tell(id, Phase.ABSENT, Optional.empty());
    }
  }

  /** Workloads begin to run, end well, fail or vanish. */
  void live(boolean calm) {
    for (AttemptId id : running()) {
      Workload workload = workloads.get(id);
      int dice = chance.nextInt(100);
      if (workload.phase == Phase.STARTING && dice < 60) {
        workload.phase = Phase.RUNNING;
        workload.instances = List.of(name + "-" + ++instances);
        tell(id, Phase.RUNNING, Optional.empty());
      } else if (workload.phase == Phase.RUNNING && dice < 30) {
        int code = !calm && dice < 8 ? 1 : 0;
        Cause cause = !calm && dice > 26 ? Cause.DISRUPTED : Cause.EXITED;
        List<Integer> codes = cause == Cause.DISRUPTED ? List.of() : List.of(code);
        tell(id, Phase.ENDED, Optional.of(new End(codes, cause, "")));
        workloads.remove(id);
      } else if (!calm && dice == 99) {
        workloads.remove(id);
      }
    }
  }

  private void tell(AttemptId id, Phase phase, Optional<End> end) {
    List<String> where =
        Optional.ofNullable(workloads.get(id)).map(w -> w.instances).orElse(List.of());
    Input report =
        new AgentInput.AttemptReported(name, 1, ++seq, id, 1, phase, where, Optional.empty(), end);
    underWay.add(report);
    if (chance.nextInt(10) == 0) {
      underWay.add(report);
    }
  }

  /** The provider took the instance; nobody reports it. */
  void lose(String instance) {
    workloads.values().removeIf(workload -> workload.instances.contains(instance));
  }

  void sweep() {
    if (connected) {
      List<Present> present = new ArrayList<>();
      workloads.forEach((id, w) -> present.add(new Present(id, 1, w.phase, w.instances)));
      underWay.add(new AgentInput.Swept(name, 1, ++seq, present));
    }
  }

  void disconnect() {
    if (connected) {
      connected = false;
      underWay.add(new AgentInput.SessionClosed(name, generation));
    }
  }

  void connect() {
    if (!connected) {
      connected = true;
      underWay.add(new AgentInput.SessionOpened(name, ++generation, 1));
    }
  }

  /** What arrives now: some of what is under way, in any order. All of it when calm. */
  List<Input> deliver(boolean calm) {
    List<Input> arrived = new ArrayList<>();
    List<Input> late = new ArrayList<>();
    for (Input input : underWay) {
      boolean session =
          input instanceof AgentInput.SessionOpened || input instanceof AgentInput.SessionClosed;
      boolean now = session || (connected && (calm || chance.nextInt(3) > 0));
      (now ? arrived : late).add(input);
    }
    underWay.clear();
    underWay.addAll(late);
    if (!calm) {
      Collections.shuffle(arrived, chance);
    }
    return arrived;
  }

  /** Whether one job's workloads overlap without the older one having been given up. */
  static Optional<String> overlap(World world, List<Cloud> clouds) {
    Map<JobId, AttemptId> seen = new TreeMap<>();
    for (Cloud cloud : clouds) {
      for (AttemptId id : cloud.running()) {
        AttemptId other = seen.put(id.job(), id);
        if (other != null) {
          AttemptId older = other.number() < id.number() ? other : id;
          boolean fenced =
              world
                  .state()
                  .attempt(older)
                  .map(Attempt::state)
                  .filter(s -> s instanceof AttemptState.Ended e && e.outcome() == Outcome.FENCED)
                  .isPresent();
          if (!fenced) {
            return Optional.of(
                other + " and " + id + " run at once; " + world.state().attempt(older));
          }
        }
      }
    }
    return Optional.empty();
  }
}
