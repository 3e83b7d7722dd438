package io.spillway.capacity.simulated.agent;

import io.spillway.capacity.simulated.agent.Workload.State;
import io.spillway.capacity.simulated.cloud.Behaviour.Delays;
import io.spillway.capacity.simulated.cloud.Cloud;
import io.spillway.capacity.simulated.cloud.Refusal;
import io.spillway.capacity.simulated.time.Timeline;
import io.spillway.protocol.v1.EndCause;
import io.spillway.protocol.v1.Hold;
import io.spillway.protocol.v1.Launch;
import io.spillway.protocol.v1.Phase;
import io.spillway.protocol.v1.Start;
import io.spillway.protocol.v1.Stop;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Logger;

/**
 * Carries out commands, once each, and tells what became of them. A command for an attempt that is
 * known changes nothing and is answered with where the attempt is now. Only from the timeline.
 */
final class Agent implements Acquisition.Listener {
  private static final Logger LOG = Logger.getLogger(Agent.class.getName());

  /** 128 + SIGTERM. */
  private static final int TERMINATED = 143;

  private final Timeline timeline;
  private final Cloud cloud;
  private final Book book;
  private final Voice voice;
  private final Map<String, Workload> live = new LinkedHashMap<>();
  private final Map<String, Workload> told = new LinkedHashMap<>();
  private final Past past = new Past();
  private Optional<Acquisition> acquisition = Optional.empty();

  Agent(Timeline timeline, Cloud cloud, Book book, Voice voice) {
    this.timeline = timeline;
    this.cloud = cloud;
    this.book = book;
    this.voice = voice;
    timeline.every(Duration.ofMinutes(1), () -> past.forget(timeline.monotonicMillis()));
  }

  void uses(Acquisition nodes) {
    acquisition = Optional.of(nodes);
  }

  private Acquisition nodes() {
    return acquisition.orElseThrow();
  }

  void hold(Hold hold) {
    if (answered(hold.getAttempt())) {
      return;
    }
    Workload workload = create(hold.getAttempt(), hold.getEpoch(), hold.getLaunch(), State.HOLDING);
    book.write(workload.attempt, workload.epoch(), "hold", Book.detail(workload.order), () -> {});
    nodes().acquire(workload);
  }

  void start(Start start) {
    Workload known = live.get(start.getAttempt());
    boolean held = known != null && known.in(State.HOLDING);
    if (!held && answered(start.getAttempt())) {
      return;
    }
    Workload workload =
        held
            ? known
            : create(start.getAttempt(), start.getEpoch(), start.getLaunch(), State.APPLIED);
    workload.startedBy(start.getEpoch());
    book.write(
        workload.attempt,
        workload.epoch(),
        "apply",
        Book.detail(workload.order),
        () -> tell(workload, Phase.PHASE_STARTING));
    if (workload.complete()) {
      ready(workload);
    } else if (!held) {
      nodes().acquire(workload);
    }
  }

  private Workload create(String attempt, long epoch, Launch launch, State state) {
    Order order = Order.of(attempt, launch, cloud.behaviour().jobs());
    Workload workload = new Workload(attempt, epoch, order, state);
    live.put(attempt, workload);
    return workload;
  }

  /** Whether the attempt is known; then it is told again where it is. */
  private boolean answered(String attempt) {
    Optional<Ended> over = past.find(attempt);
    if (over.isPresent()) {
      book.then(() -> voice.ended(attempt, over.get()));
      return true;
    }
    Workload known = live.get(attempt);
    if (known == null) {
      return false;
    }
    book.then(
        () -> {
          if (told.containsKey(attempt)) {
            voice.phase(known, known.told(), ran(known));
          }
        });
    return true;
  }

  void stop(Stop stop) {
    Workload workload = live.get(stop.getAttempt());
    if (workload == null) {
      if (!answered(stop.getAttempt())) {
        neverHere(stop.getAttempt(), stop.getEpoch(), "stop");
      }
      return;
    }
    if (stop.getEpoch() < workload.epoch()) {
      LOG.warning(
          () ->
              "stop of "
                  + workload.attempt
                  + " refused: epoch "
                  + stop.getEpoch()
                  + " is older than "
                  + workload.epoch());
      answered(stop.getAttempt());
      return;
    }
    switch (workload.state()) {
      case HOLDING -> letGo(workload, stop.getEpoch());
      case APPLIED -> {
        book.write(workload.attempt, stop.getEpoch(), "stop", Book.detail(), () -> {});
        end(workload, EndCause.END_CAUSE_STOPPED, List.of(), stop.getReason());
      }
      case RUNNING -> {
        book.write(workload.attempt, stop.getEpoch(), "stop", Book.detail(), () -> {});
        workload.state(State.STOPPING);
        Delays delays = cloud.behaviour().delays();
        Duration takes = cloud.draw(delays.stopLeast(), delays.stopMost());
        Duration grace = Duration.ofMillis(stop.getGraceMs());
        soon(
            workload,
            takes.compareTo(grace) < 0 ? takes : grace,
            () -> stopped(workload, stop.getReason()));
      }
      case STOPPING, ENDED -> answered(stop.getAttempt());
    }
  }

  /** Lets go what is only held. */
  void release(String attempt, long epoch) {
    Workload workload = live.get(attempt);
    if (workload != null && workload.in(State.HOLDING)) {
      letGo(workload, epoch);
    } else if (!answered(attempt)) {
      neverHere(attempt, epoch, "release");
    }
  }

  /** Remembers an attempt that the command forbids, should its start come later. */
  private void neverHere(String attempt, long epoch, String event) {
    Ended absent = Ended.absent(epoch, timeline.monotonicMillis());
    past.add(attempt, absent);
    book.write(attempt, epoch, event, Book.detail(), () -> voice.ended(attempt, absent));
  }

  private void letGo(Workload workload, long epoch) {
    workload.state(State.ENDED);
    workload.waitsForNothing();
    live.remove(workload.attempt);
    neverHereTold(workload, epoch);
    nodes().release(workload);
  }

  private void neverHereTold(Workload workload, long epoch) {
    Ended absent = Ended.absent(epoch, timeline.monotonicMillis());
    past.add(workload.attempt, absent);
    book.write(
        workload.attempt,
        epoch,
        "release",
        Book.detail(),
        () -> {
          told.remove(workload.attempt);
          voice.ended(workload.attempt, absent);
        });
  }

  @Override
  public void ready(Workload workload) {
    if (workload.in(State.HOLDING)) {
      book.then(
          () -> {
            if (workload.in(State.HOLDING)) {
              tell(workload, Phase.PHASE_HELD);
            }
          });
    } else if (workload.in(State.APPLIED)) {
      Delays delays = cloud.behaviour().delays();
      soon(workload, cloud.draw(delays.startLeast(), delays.startMost()), () -> run(workload));
    }
  }

  private void soon(Workload workload, Duration delay, Runnable task) {
    if (delay.isZero()) {
      task.run();
    } else {
      workload.waitsFor(timeline.after(delay, task));
    }
  }

  private void run(Workload workload) {
    if (!workload.in(State.APPLIED)) {
      return;
    }
    workload.state(State.RUNNING);
    workload.started(timeline.monotonicMillis());
    book.write(
        workload.attempt,
        workload.epoch(),
        "start",
        Book.placed(workload),
        () -> tell(workload, Phase.PHASE_RUNNING));
    runOut(workload, workload.order.runMillis());
  }

  private void runOut(Workload workload, long millis) {
    workload.waitsFor(timeline.after(Duration.ofMillis(millis), () -> exited(workload)));
  }

  private void exited(Workload workload) {
    if (workload.in(State.RUNNING)) {
      end(workload, EndCause.END_CAUSE_EXITED, codes(workload, workload.order.exitCode()), "");
    }
  }

  private void stopped(Workload workload, String reason) {
    if (workload.in(State.STOPPING)) {
      end(workload, EndCause.END_CAUSE_STOPPED, codes(workload, TERMINATED), reason);
    }
  }

  private static List<Integer> codes(Workload workload, int code) {
    return Collections.nCopies(workload.order.nodes(), code);
  }

  private void end(Workload workload, EndCause cause, List<Integer> codes, String message) {
    Ended over =
        new Ended(
            workload.epoch(),
            Phase.PHASE_ENDED,
            cause,
            codes,
            message,
            ran(workload),
            timeline.monotonicMillis());
    workload.state(State.ENDED);
    workload.waitsForNothing();
    live.remove(workload.attempt);
    past.add(workload.attempt, over);
    book.write(
        workload.attempt,
        workload.epoch(),
        "end",
        Book.detail(over),
        () -> {
          told.remove(workload.attempt);
          voice.ended(workload.attempt, over);
        });
    nodes().release(workload);
  }

  private long ran(Workload workload) {
    return workload.in(State.RUNNING, State.STOPPING)
        ? timeline.monotonicMillis() - workload.startedMillis()
        : 0;
  }

  /** Called once the line behind the phase is durable. */
  private void tell(Workload workload, Phase phase) {
    workload.told(phase);
    if (!workload.in(State.ENDED)) {
      told.put(workload.attempt, workload);
    }
    voice.phase(workload, phase, 0);
  }

  @Override
  public void refused(Workload workload, Refusal refusal) {
    book.then(() -> voice.symptom(workload, refusal, true));
    if (workload.in(State.HOLDING)) {
      letGo(workload, workload.epoch());
    } else if (workload.in(State.APPLIED)) {
      end(workload, EndCause.END_CAUSE_DELETED, List.of(), refusal.code());
    }
  }

  @Override
  public void symptom(Workload workload, Refusal refusal) {
    voice.symptom(workload, refusal, false);
  }

  @Override
  public void changed(Node node) {
    voice.nodes(false, List.of(node), List.of());
  }

  @Override
  public void removed(Node node) {
    voice.nodes(false, List.of(), List.of(node.name));
  }

  @Override
  public void lost(Node node, boolean announced) {
    EndCause cause = announced ? EndCause.END_CAUSE_DISRUPTED : EndCause.END_CAUSE_NODE_LOST;
    for (Workload workload : List.copyOf(live.values())) {
      if (!workload.members().contains(node)) {
        continue;
      }
      if (workload.in(State.HOLDING)) {
        letGo(workload, workload.epoch());
      } else if (workload.in(State.APPLIED) || workload.order.nodes() == 1) {
        end(workload, cause, List.of(), "node " + node.name + " is gone");
      } else {
        // The other members run until they notice that one is missing.
        workload.state(State.STOPPING);
        Delays delays = cloud.behaviour().delays();
        soon(
            workload,
            cloud.draw(delays.stopLeast(), delays.stopMost()),
            () -> {
              if (workload.in(State.STOPPING)) {
                end(workload, cause, List.of(), "node " + node.name + " is gone");
              }
            });
      }
    }
  }

  /** Tells everything that is there; after the ends before it. */
  void sweep() {
    book.then(() -> voice.sweep(told.values(), timeline.monotonicMillis()));
  }

  void inventory() {
    voice.nodes(true, nodes().book().all(), List.of());
  }

  Collection<Workload> workloads() {
    return List.copyOf(live.values());
  }

  /** Remembers what was over before a restart, and tells it again: who heard it is not known. */
  void recall(Map<String, Ended> over) {
    over.forEach(past::add);
    past.forget(timeline.monotonicMillis());
    book.then(() -> past.all().forEach(voice::ended));
  }

  /** Goes on with a workload that was there before a restart; running ones have their nodes. */
  void resume(Workload workload, Phase phase) {
    live.put(workload.attempt, workload);
    if (phase != Phase.PHASE_UNSPECIFIED) {
      tell(workload, phase);
    }
    switch (workload.state()) {
      case RUNNING -> {
        if (workload.complete()) {
          long since = timeline.monotonicMillis() - workload.startedMillis();
          runOut(workload, Math.max(0, workload.order.runMillis() - since));
        } else {
          end(workload, EndCause.END_CAUSE_NODE_LOST, List.of(), "its nodes are gone");
        }
      }
      case STOPPING -> stopped(workload, "stopped before the restart");
      default -> nodes().acquire(workload);
    }
  }
}
