package io.spillway.capacity.simulated.agent;

import io.spillway.capacity.simulated.time.Timeline;
import io.spillway.protocol.v1.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One attempt that exists in the cluster. Mutable; only from the timeline. */
final class Workload {
  final String attempt;
  final Order order;
  private final List<Node> members = new ArrayList<>();
  private long epoch;
  private State state;
  private long startedMillis;
  private List<String> ranOn = List.of();
  private Phase told = Phase.PHASE_UNSPECIFIED;
  private Optional<Timeline.Pending> timer = Optional.empty();

  Workload(String attempt, long epoch, Order order, State state) {
    this.attempt = attempt;
    this.epoch = epoch;
    this.order = order;
    this.state = state;
  }

  /** Where it is; what was reported may lag behind until the ledger is synced. */
  enum State {
    /** Nodes are kept, or being got, for a start that may come. */
    HOLDING,
    /** The start command came; its nodes are being got or its members come up. */
    APPLIED,
    RUNNING,
    /** Told to stop, or a member was lost: it still runs. */
    STOPPING,
    ENDED
  }

  long epoch() {
    return epoch;
  }

  void startedBy(long commandEpoch) {
    epoch = commandEpoch;
    state = State.APPLIED;
  }

  State state() {
    return state;
  }

  void state(State next) {
    state = next;
  }

  boolean in(State... states) {
    for (State candidate : states) {
      if (state == candidate) {
        return true;
      }
    }
    return false;
  }

  /** Nodes of the members; a node stands as often as members are on it. */
  List<Node> members() {
    return members;
  }

  boolean complete() {
    return members.size() == order.nodes();
  }

  int missing() {
    return order.nodes() - members.size();
  }

  /** Ids of its machines; once it ran, those that it ran on, even after they are let go. */
  List<String> instances() {
    return ranOn.isEmpty() ? present() : ranOn;
  }

  private List<String> present() {
    return members.stream().map(node -> node.instance.id()).distinct().toList();
  }

  void started(long millis) {
    startedMillis = millis;
    ranOn = present();
  }

  long startedMillis() {
    return startedMillis;
  }

  /** The phase that the control plane may know: its ledger line is durable. */
  Phase told() {
    return told;
  }

  void told(Phase phase) {
    told = phase;
  }

  /** Replaces what this workload waits for. */
  void waitsFor(Timeline.Pending pending) {
    timer.ifPresent(Timeline.Pending::cancel);
    timer = Optional.of(pending);
  }

  void waitsForNothing() {
    timer.ifPresent(Timeline.Pending::cancel);
    timer = Optional.empty();
  }
}
