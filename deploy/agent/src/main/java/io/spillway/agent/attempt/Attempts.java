package io.spillway.agent.attempt;

import io.spillway.agent.attempt.ObjectFact.Role;
import io.spillway.agent.attempt.Tracked.StopOrder;
import io.spillway.agent.kube.Kind;
import io.spillway.agent.kube.Labels;
import io.spillway.agent.kube.ObjectRef;
import io.spillway.agent.memory.Fate;
import io.spillway.agent.memory.Past;
import io.spillway.agent.nodes.Inventory;
import io.spillway.agent.time.Timeline;
import io.spillway.protocol.v1.Phase;
import io.spillway.protocol.v1.Present;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.logging.Logger;

/**
 * The book of attempts: what is seen of them, and what is told when one stands differently. Nothing
 * is judged before all that exists has been seen once. Only from the timeline.
 */
public final class Attempts {
  private static final Logger LOG = Logger.getLogger(Attempts.class.getName());

  private final Timeline timeline;
  private final Past past;
  private final Inventory nodes;
  private final Voice voice;
  private final Hands hands;
  private final Map<String, Tracked> book = new LinkedHashMap<>();
  private final Map<String, String> attemptOfPod = new HashMap<>();
  private final Map<String, String> progress = new HashMap<>();
  private final List<Consumer<ObjectFact>> objectListeners = new ArrayList<>();
  private boolean loaded;

  public Attempts(Timeline timeline, Past past, Inventory nodes, Voice voice, Hands hands) {
    this.timeline = timeline;
    this.past = past;
    this.nodes = nodes;
    this.voice = voice;
    this.hands = hands;
    hands.whenChanged(this::judge);
  }

  /** Hears of every object of a live attempt as it is seen. */
  public void onObject(Consumer<ObjectFact> listener) {
    objectListeners.add(listener);
  }

  /** Whose pod that is, if it is there. */
  public Optional<String> attemptOf(String namespace, String pod) {
    return Optional.ofNullable(attemptOfPod.get(namespace + "/" + pod));
  }

  /** Whose workload or hold that is; or its child's, whose name begins with its own. */
  public Optional<String> attemptOfObject(String namespace, String name) {
    return book.values().stream()
        .filter(
            tracked ->
                tracked.knownBySight().stream()
                    .anyMatch(
                        ref ->
                            ref.namespace().equals(namespace)
                                && (name.equals(ref.name()) || name.startsWith(ref.name() + "-"))))
        .map(tracked -> tracked.attempt)
        .findFirst();
  }

  Optional<Tracked> find(String attempt) {
    return Optional.ofNullable(book.get(attempt));
  }

  Tracked begin(String attempt, long epoch) {
    return book.computeIfAbsent(attempt, id -> new Tracked(id, epoch));
  }

  void forget(String attempt) {
    book.remove(attempt);
  }

  public int size() {
    return book.size();
  }

  /** The pods of live attempts. */
  public Collection<PodFact> pods() {
    return book.values().stream().flatMap(t -> t.pods().stream()).toList();
  }

  // What is seen.

  /** Objects that are not watched, found once at the beginning. */
  public void found(ObjectFact fact) {
    seen(fact);
  }

  /** All that exists has been seen: from now on it is judged. */
  public void loaded() {
    loaded = true;
    for (Tracked tracked : List.copyOf(book.values())) {
      boolean orphaned =
          tracked.workloadRef().isEmpty() && !tracked.gang().isEmpty() && !tracked.applying();
      if (orphaned) {
        tracked.started(true);
        tracked.orphaned();
      }
      resume(tracked);
      judge(tracked);
    }
  }

  /**
   * Tells again what an agent before this one may not have brought home: an end that nobody hears
   * of looks like a workload that is missing, and would be started again.
   */
  public void retell(long sinceSeconds) {
    past.since(sinceSeconds).forEach(voice::fate);
  }

  void seen(ObjectFact fact) {
    Optional<Fate> fate = past.of(fact.attempt());
    if (fate.filter(f -> f.kind() == Fate.Kind.ENDED).isPresent()) {
      leftOver(fact);
      return;
    }
    Tracked tracked = begin(fact.attempt(), fact.epoch());
    tracked.exists(fact);
    if (loaded) {
      resume(tracked);
      judge(tracked);
      objectListeners.forEach(listener -> listener.accept(fact));
    }
  }

  /** What was only made with an attempt goes with it; its workload stays for its logs. */
  private void leftOver(ObjectFact fact) {
    if (!fact.deleting() && (fact.role() == Role.SUPPORT || fact.role() == Role.HOLD)) {
      hands.delete(fact.attempt(), List.of(fact.ref()), () -> {});
    }
  }

  /** Goes on with a stop that was ordered and remembered, or undoes what must not be. */
  private void resume(Tracked tracked) {
    past.of(tracked.attempt)
        .filter(fate -> tracked.stop().isEmpty() && !tracked.applying())
        .filter(fate -> fate.kind() != Fate.Kind.ENDED && fate.epoch() >= tracked.epoch())
        .ifPresent(
            fate -> {
              LOG.info(() -> "the stop of " + tracked.attempt + " goes on");
              tracked.stop(
                  fate.kind() == Fate.Kind.STOPPING
                      ? StopOrder.remembered(fate.epoch(), fate.words())
                      : new StopOrder(fate.epoch(), 30, fate.words()));
              hands.stop(tracked);
            });
  }

  void gone(ObjectFact last) {
    gone(last.attempt(), last.ref());
  }

  void gone(String attempt, ObjectRef ref) {
    find(attempt)
        .ifPresent(
            tracked -> {
              tracked.isGone(ref);
              judge(tracked);
            });
  }

  void seen(PodFact pod) {
    attemptOfPod.put(pod.namespace() + "/" + pod.name(), pod.attempt());
    boolean over = past.of(pod.attempt()).filter(f -> f.kind() == Fate.Kind.ENDED).isPresent();
    if (!over) {
      Tracked tracked = begin(pod.attempt(), 0);
      tracked.seen(pod, timeline.millis());
      pod.progress().ifPresent(json -> progressed(pod.attempt(), json));
      judge(tracked);
    }
  }

  /** Said once, however many pods of a gang say it. */
  private void progressed(String attempt, String json) {
    if (!json.equals(progress.put(attempt, json))) {
      voice.progress(attempt, json);
    }
  }

  void gone(PodFact last) {
    attemptOfPod.remove(last.namespace() + "/" + last.name());
    find(last.attempt())
        .ifPresent(
            tracked -> {
              tracked.isGone(last);
              judge(tracked);
            });
  }

  /** Objects of that kind that were known and are in no list any more. */
  void replaced(Kind kind, Set<ObjectRef> now) {
    for (Tracked tracked : List.copyOf(book.values())) {
      tracked.knownBySight().stream()
          .filter(ref -> ref.kind() == kind && !now.contains(ref))
          .forEach(ref -> gone(tracked.attempt, ref));
    }
  }

  void replacedPods(Set<String> uids) {
    attemptOfPod.clear();
    for (Tracked tracked : List.copyOf(book.values())) {
      List.copyOf(tracked.pods()).stream()
          .filter(pod -> !uids.contains(pod.uid()))
          .forEach(this::gone);
    }
  }

  // What is told.

  /** Nodes came or went, or time passed: looks again at whatever is on its way out. */
  public void look() {
    for (Tracked tracked : List.copyOf(book.values())) {
      judge(tracked);
      if (loaded && tracked.isOnItsWayOut() && tracked.askAgain(timeline.millis())) {
        ask(tracked);
      }
    }
  }

  /**
   * What goes away is asked for now and then, past the watches: an end must not hang on one event
   * that did not arrive.
   */
  private void ask(Tracked tracked) {
    tracked
        .workloadRef()
        .ifPresent(
            ref ->
                hands.find(
                    tracked.attempt,
                    ref,
                    there -> {
                      if (!there) {
                        gone(tracked.attempt, ref);
                      }
                    }));
    hands.pods(
        tracked,
        now -> {
          Set<String> uids = new HashSet<>();
          now.forEach(pod -> uids.add(pod.uid()));
          List.copyOf(tracked.pods()).stream()
              .filter(pod -> !uids.contains(pod.uid()))
              .forEach(this::gone);
          now.forEach(pod -> tracked.seen(pod, timeline.millis()));
          judge(tracked);
        });
  }

  void judge(Tracked tracked) {
    // Half of it is no state to be told.
    if (!loaded || tracked.applying() || book.get(tracked.attempt) != tracked) {
      return;
    }
    Phase phase = Verdict.phase(tracked, around());
    if (phase == Phase.PHASE_ENDED) {
      settle(tracked);
    } else if (tracked.stop().isPresent() && !tracked.started() && tracked.isEmpty()) {
      hands.neverRan(tracked);
    } else if (tracked.isEmpty() && !tracked.held()) {
      book.remove(tracked.attempt);
    } else if (phase != tracked.told() && phase != Phase.PHASE_UNSPECIFIED) {
      if (tracked.stop().isEmpty() || phase == Phase.PHASE_RUNNING) {
        tell(tracked, phase);
      }
    }
  }

  private void tell(Tracked tracked, Phase phase) {
    tracked.told(phase);
    if (phase == Phase.PHASE_RUNNING) {
      tracked.runs(timeline.millis());
    }
    repeat(tracked);
  }

  /** Says again where a known attempt is. */
  void repeat(Tracked tracked) {
    if (tracked.told() != Phase.PHASE_UNSPECIFIED) {
      voice.phase(
          tracked,
          tracked.told(),
          instances(tracked),
          tracked.told() == Phase.PHASE_RUNNING ? tracked.ranMillis(timeline.millis()) : 0);
    }
  }

  /**
   * An end is told once it is sure. That a workload is gone says nothing of its pods, which are
   * watched apart: they are asked for by name first.
   */
  private void settle(Tracked tracked) {
    if (tracked.workloadGone() && !tracked.confirmed()) {
      if (!tracked.confirming()) {
        tracked.confirming(true);
        hands.pods(
            tracked,
            pods -> {
              pods.forEach(pod -> tracked.seen(pod, timeline.millis()));
              tracked.confirming(false);
              tracked.confirmed(true);
              judge(tracked);
            });
      }
      return;
    }
    Verdict.End end = Verdict.end(tracked, around());
    long ran = tracked.ranMillis(timeline.millis());
    Fate fate =
        new Fate(
            Fate.Kind.ENDED,
            tracked.epoch(),
            timeline.now().getEpochSecond(),
            end.cause(),
            end.exitCodes(),
            ran > 0 ? ran : Verdict.ranMillis(tracked.gang()),
            end.message());
    LOG.info(() -> tracked.attempt + " ended: " + end.cause() + " " + end.exitCodes());
    book.remove(tracked.attempt);
    PodFact.progressIn(end.message()).ifPresent(json -> progressed(tracked.attempt, json));
    progress.remove(tracked.attempt);
    Optional<Fate> refused = past.of(tracked.attempt).filter(f -> f.kind() == Fate.Kind.REFUSED);
    Fate told = refused.orElse(fate);
    past.put(tracked.attempt, told, () -> voice.fate(tracked, told));
    hands.tidy(tracked);
  }

  private Verdict.Surroundings around() {
    return new Verdict.Surroundings(nodes::lost, nodes::departed, timeline.millis());
  }

  private List<String> instances(Tracked tracked) {
    Set<String> instances = new LinkedHashSet<>();
    Collection<PodFact> on =
        tracked.told() == Phase.PHASE_HELD ? tracked.placeholders() : tracked.gang();
    on.stream()
        .filter(pod -> pod.part() != PodFact.Part.LAUNCHER || on.size() == 1)
        .forEach(pod -> nodes.instance(pod.node()).ifPresent(instances::add));
    return List.copyOf(instances);
  }

  /** Everything that is here, told behind the ends that are still being written down. */
  public void sweep() {
    past.then(() -> voice.sweep(present()));
  }

  private List<Present> present() {
    List<Present> present = new ArrayList<>();
    for (Tracked tracked : book.values()) {
      if (tracked.told() != Phase.PHASE_UNSPECIFIED) {
        present.add(
            Present.newBuilder()
                .setAttempt(tracked.attempt)
                .setAttemptEpoch(tracked.epoch())
                .setPhase(tracked.told())
                .addAllInstances(instances(tracked))
                .setRanForMs(tracked.ranMillis(timeline.millis()))
                .build());
      }
    }
    return present;
  }

  /** Selects an attempt's pods. */
  static String selector(String attempt) {
    return Labels.ATTEMPT + "=" + attempt;
  }
}
