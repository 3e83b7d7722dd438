package io.spillway.agent.attempt;

import io.spillway.agent.attempt.ObjectFact.Role;
import io.spillway.agent.attempt.PodFact.Part;
import io.spillway.agent.kube.ObjectRef;
import io.spillway.protocol.v1.Phase;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One attempt of which something exists here, or is being made. Only from the timeline, but for
 * {@link #abandoned}, which a call in a lane looks at.
 */
final class Tracked {
  private static final long ASK_MILLIS = 30_000;

  final String attempt;

  /** Set once a stop makes what is still being applied pointless. */
  final AtomicBoolean abandoned = new AtomicBoolean();

  private final Map<ObjectRef, Role> objects = new LinkedHashMap<>();
  private final Map<ObjectRef, ObjectFact> facts = new HashMap<>();
  private final Map<String, PodFact> pods = new HashMap<>();
  // The last of each pod that is gone: its exit code is evidence.
  private final Map<String, PodFact> gone = new HashMap<>();
  private final Map<String, Long> deletingSince = new HashMap<>();

  private String home = "";
  private long epoch;
  private boolean applying;
  private boolean held;
  private boolean started;
  private boolean workloadGone;
  private Optional<StopOrder> stop = Optional.empty();
  private OptionalLong stopAsked = OptionalLong.empty();
  private Phase told = Phase.PHASE_UNSPECIFIED;
  private long runningSince = -1;
  private boolean confirming;
  private boolean confirmed;
  private long asked;
  private Optional<Runnable> next = Optional.empty();

  /**
   * What the control plane ordered, or the undoing of what was refused.
   *
   * @param graceSeconds what pods get to end in; {@link #THEIR_OWN}: as each says itself
   */
  record StopOrder(long epoch, long graceSeconds, String reason) {
    private static final long THEIR_OWN = -1;

    /**
     * Of which only the memory is left. How much of its grace is over nobody knows: a pod that
     * writes its last checkpoint is not hurried, until the control plane says the order again.
     */
    static StopOrder remembered(long epoch, String reason) {
      return new StopOrder(epoch, THEIR_OWN, reason);
    }

    OptionalLong grace() {
      return graceSeconds == THEIR_OWN ? OptionalLong.empty() : OptionalLong.of(graceSeconds);
    }
  }

  Tracked(String attempt, long epoch) {
    this.attempt = attempt;
    this.epoch = epoch;
  }

  long epoch() {
    return epoch;
  }

  void epoch(long value) {
    epoch = Math.max(epoch, value);
  }

  boolean applying() {
    return applying;
  }

  void applying(boolean value) {
    applying = value;
  }

  boolean held() {
    return held;
  }

  /** A hold without objects is kept at once; one with objects once its nodes are there. */
  void held(boolean value) {
    held = value;
  }

  boolean started() {
    return started;
  }

  void started(boolean value) {
    started = value;
  }

  Optional<StopOrder> stop() {
    return stop;
  }

  void stop(StopOrder order) {
    stop = Optional.of(order);
    abandoned.set(true);
  }

  /** The epoch of the last stop by the control plane, which waits for an answer. */
  OptionalLong stopAsked() {
    return stopAsked;
  }

  void stopAsked(long byEpoch) {
    stopAsked = OptionalLong.of(byEpoch);
  }

  Phase told() {
    return told;
  }

  void told(Phase phase) {
    told = phase;
  }

  boolean confirming() {
    return confirming;
  }

  void confirming(boolean value) {
    confirming = value;
  }

  boolean confirmed() {
    return confirmed;
  }

  /** That no pod is left of a workload that is gone. */
  void confirmed(boolean value) {
    confirmed = value;
  }

  /** Stopped, deleted, or applied and not seen since. */
  boolean isOnItsWayOut() {
    return !applying && started && (stop.isPresent() || workloadGone || workload().isEmpty());
  }

  /** Whether the cluster was not asked for it of late; then it counts as asked. */
  boolean askAgain(long millis) {
    boolean due = millis - asked > ASK_MILLIS;
    asked = due ? millis : asked;
    return due;
  }

  /** What is to be done once all is applied. */
  void next(Runnable task) {
    next = Optional.of(task);
  }

  Optional<Runnable> takeNext() {
    Optional<Runnable> task = next;
    next = Optional.empty();
    return task;
  }

  // What exists.

  void exists(ObjectRef ref, Role role) {
    home = home.isEmpty() ? ref.namespace() : home;
    objects.put(ref, role);
  }

  void exists(ObjectFact fact) {
    exists(fact.ref(), fact.role());
    facts.put(fact.ref(), fact);
    epoch(fact.epoch());
    if (fact.role() == Role.WORKLOAD) {
      started = true;
      workloadGone = false;
    }
  }

  void isGone(ObjectRef ref) {
    Role role = objects.remove(ref);
    facts.remove(ref);
    if (role == Role.WORKLOAD) {
      workloadGone = true;
    }
  }

  Optional<ObjectRef> workloadRef() {
    return of(Role.WORKLOAD).stream().findFirst();
  }

  Optional<ObjectFact> workload() {
    return workloadRef().map(facts::get);
  }

  /** Pods are here whose workload is not. */
  void orphaned() {
    workloadGone = true;
  }

  /** Objects that a list or a watch has shown. */
  List<ObjectRef> knownBySight() {
    return List.copyOf(facts.keySet());
  }

  /** It was here, and is not any more. */
  boolean workloadGone() {
    return workloadGone;
  }

  List<ObjectRef> of(Role role) {
    return objects.entrySet().stream()
        .filter(entry -> entry.getValue() == role)
        .map(Map.Entry::getKey)
        .toList();
  }

  List<ObjectFact> facts(Role role) {
    return facts.values().stream().filter(fact -> fact.role() == role).toList();
  }

  boolean isEmpty() {
    return objects.isEmpty() && pods.isEmpty();
  }

  // Pods.

  void seen(PodFact pod, long millis) {
    pods.put(pod.uid(), pod);
    if (pod.deleting()) {
      deletingSince.putIfAbsent(pod.uid(), millis);
    }
  }

  void isGone(PodFact last) {
    PodFact known = pods.remove(last.uid());
    deletingSince.remove(last.uid());
    if (known != null && last.part() != Part.PLACEHOLDER) {
      // A list that no longer has it says less than what was seen before.
      gone.put(last.uid(), last.exit().isPresent() || known.exit().isEmpty() ? last : known);
    }
  }

  /** Labels can be forged: only what lies in the namespace of the attempt's objects is of it. */
  Collection<PodFact> pods() {
    return pods.values().stream().filter(this::isAtHome).toList();
  }

  private boolean isAtHome(PodFact pod) {
    return home.isEmpty() || home.equals(pod.namespace());
  }

  /** Of the gang: those that are there, and the last of those that are gone; by rank. */
  List<PodFact> gang() {
    List<PodFact> all = new ArrayList<>(gone.values());
    all.addAll(pods.values());
    return all.stream()
        .filter(this::isAtHome)
        .filter(pod -> pod.part() != Part.PLACEHOLDER)
        .sorted(Comparator.comparing(PodFact::part).thenComparingInt(PodFact::rank))
        .toList();
  }

  List<PodFact> placeholders() {
    return pods().stream().filter(pod -> pod.part() == Part.PLACEHOLDER).toList();
  }

  /** How long ago its deletion was first seen. */
  long deletingMillis(PodFact pod, long now) {
    return now - deletingSince.getOrDefault(pod.uid(), now);
  }

  // Time.

  void runs(long millis) {
    if (runningSince < 0) {
      runningSince = millis;
    }
  }

  /** How long all members have run by this process's clock; 0 = not known. */
  long ranMillis(long now) {
    return runningSince < 0 ? 0 : Math.max(1, now - runningSince);
  }
}
