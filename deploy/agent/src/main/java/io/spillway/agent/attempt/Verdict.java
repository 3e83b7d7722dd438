package io.spillway.agent.attempt;

import io.spillway.agent.attempt.ObjectFact.Outcome;
import io.spillway.agent.attempt.ObjectFact.Role;
import io.spillway.agent.attempt.PodFact.Disruption;
import io.spillway.agent.attempt.PodFact.Part;
import io.spillway.agent.kube.Kind;
import io.spillway.protocol.v1.EndCause;
import io.spillway.protocol.v1.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** How an attempt stands, by what is there of it (semantics §5). Pure. */
final class Verdict {
  /** What the API server needs to forget a pod whose containers have ended. */
  private static final long SETTLE_MILLIS = 10_000;

  /**
   * When a node goes, the other members fail of it within this time, and before Kubernetes has
   * noticed: collectives time out, connections break.
   */
  private static final Duration AFTERMATH = Duration.ofMinutes(5);

  private Verdict() {}

  /**
   * What ended it.
   *
   * @param exitCodes in rank order; of all members, or of those that are known when one is not zero
   */
  record End(EndCause cause, List<Integer> exitCodes, String message) {}

  /** How long, and on what: what a verdict needs from outside. */
  record Surroundings(Predicate<String> nodeLost, Predicate<String> nodeDeparted, long nowMillis) {}

  /** Where it is now; UNSPECIFIED if nothing can be said yet. */
  static Phase phase(Tracked tracked, Surroundings around) {
    if (tracked.started()) {
      if (isOver(tracked, around)) {
        return Phase.PHASE_ENDED;
      }
      return tracked.told() == Phase.PHASE_RUNNING || allRun(tracked)
          ? Phase.PHASE_RUNNING
          : Phase.PHASE_STARTING;
    }
    return tracked.held() || kept(tracked) ? Phase.PHASE_HELD : Phase.PHASE_UNSPECIFIED;
  }

  /** How many there must be stands at the workload: before that is seen, nobody knows. */
  private static boolean allRun(Tracked tracked) {
    if (tracked.workload().isEmpty() && !tracked.workloadGone()) {
      return false;
    }
    int wanted = tracked.workload().map(ObjectFact::pods).filter(n -> n > 0).orElse(1);
    List<PodFact> gang = tracked.gang();
    return gang.stream().filter(PodFact::hasRun).count() >= wanted
        && gang.stream().anyMatch(PodFact::runs);
  }

  /** The nodes of a hold are there: its placeholders run, or its request is provisioned. */
  private static boolean kept(Tracked tracked) {
    List<ObjectFact> holds = tracked.facts(Role.HOLD);
    List<PodFact> placeholders = tracked.placeholders();
    List<ObjectFact> requests =
        holds.stream().filter(h -> h.ref().kind() == Kind.PROVISIONING_REQUEST).toList();
    if (tracked.applying()) {
      return false;
    }
    if (!requests.isEmpty()) {
      return requests.stream().allMatch(r -> r.outcome() == Outcome.PROVISIONED);
    }
    int wanted =
        holds.stream().mapToInt(ObjectFact::pods).sum()
            + (int) tracked.of(Role.HOLD).stream().filter(r -> r.kind() == Kind.POD).count();
    return placeholders.stream().filter(PodFact::runs).count() >= Math.max(1, wanted);
  }

  /** No member runs and none will. */
  private static boolean isOver(Tracked tracked, Surroundings around) {
    boolean noneWill =
        tracked.workloadGone()
            || tracked
                .workload()
                .filter(w -> w.isTerminal() || w.deleting() || w.outcome() == Outcome.FAILING)
                .isPresent();
    return noneWill
        && tracked.pods().stream()
            .filter(pod -> pod.part() != Part.PLACEHOLDER)
            .allMatch(pod -> isOver(tracked, pod, around));
  }

  private static boolean isOver(Tracked tracked, PodFact pod, Surroundings around) {
    if (pod.isOver() || (pod.node().isEmpty() && pod.deleting())) {
      return true;
    }
    // A cloud takes a node's object away once the machine is gone; Kubernetes itself then forgets
    // the pod without asking anybody, only later (pod garbage collection).
    if (around.nodeDeparted().test(pod.node())) {
      return true;
    }
    // Nobody is left on a dead node to say that its containers ended.
    return pod.deleting()
        && around.nodeLost().test(pod.node())
        && tracked.deletingMillis(pod, around.nowMillis())
            > pod.graceSeconds() * 1000 + SETTLE_MILLIS;
  }

  /** What ended an attempt whose phase is ENDED. */
  static End end(Tracked tracked, Surroundings around) {
    Optional<ObjectFact> workload = tracked.workload();
    List<PodFact> gang = tracked.gang();
    Outcome outcome = workload.map(ObjectFact::outcome).orElse(Outcome.OPEN);
    if (outcome == Outcome.COMPLETE) {
      return new End(EndCause.END_CAUSE_EXITED, zeros(workload.get(), gang), message(gang));
    }
    List<Integer> codes = codes(workload, gang);
    if (tracked.stop().isPresent()) {
      return new End(EndCause.END_CAUSE_STOPPED, codes, tracked.stop().get().reason());
    }
    Optional<PodFact> lost = gang.stream().filter(pod -> wasLost(pod, around)).findFirst();
    Optional<PodFact> disrupted =
        gang.stream().filter(pod -> pod.disruption().isPresent()).min(byDisruption());
    Optional<PodFact> failed = firstFailure(gang);
    if (lost.isPresent() && !longBefore(failed, lost.get())) {
      return new End(EndCause.END_CAUSE_NODE_LOST, codes, words(lost.get()));
    }
    if (disrupted.isPresent() && !longBefore(failed, disrupted.get())) {
      return new End(EndCause.END_CAUSE_DISRUPTED, codes, words(disrupted.get()));
    }
    if (failed.isPresent() && !failed.get().deleting()) {
      return new End(EndCause.END_CAUSE_EXITED, codes, words(failed.get()));
    }
    boolean timedOut = workload.filter(w -> w.why().startsWith("DeadlineExceeded")).isPresent();
    if (outcome == Outcome.FAILED && (timedOut || gang.isEmpty())) {
      return new End(EndCause.END_CAUSE_EXITED, codes, workload.get().why());
    }
    boolean allZero = !codes.isEmpty() && codes.stream().allMatch(code -> code == 0);
    if (allZero) {
      return new End(EndCause.END_CAUSE_EXITED, codes, message(gang));
    }
    return new End(
        EndCause.END_CAUSE_DELETED,
        codes,
        workload.map(ObjectFact::why).filter(w -> !w.isEmpty()).orElse("deleted by somebody else"));
  }

  /** By Kubernetes' word its node is gone, or it has left no word on a node that is. */
  private static boolean wasLost(PodFact pod, Surroundings around) {
    Optional<String> reason = pod.disruption().map(Disruption::reason);
    boolean nodeGone = !pod.node().isEmpty() && around.nodeLost().test(pod.node());
    return reason.filter("DeletionByPodGC"::equals).isPresent()
        || (reason.filter("DeletionByTaintManager"::equals).isPresent() && nodeGone)
        || (pod.exit().isEmpty() && nodeGone);
  }

  /** The member's own failure came so long before the other's loss that it is no part of it. */
  private static boolean longBefore(Optional<PodFact> failed, PodFact other) {
    Optional<Instant> failure = failed.flatMap(PodFact::exit).flatMap(PodFact.Exit::at);
    Optional<Instant> loss = other.disruption().flatMap(Disruption::at);
    return failed.isPresent()
        && !failed.get().uid().equals(other.uid())
        && failure.isPresent()
        && loss.isPresent()
        && failure.get().plus(AFTERMATH).isBefore(loss.get());
  }

  private static Comparator<PodFact> byDisruption() {
    return Comparator.comparing(
        pod -> pod.disruption().flatMap(Disruption::at).orElse(Instant.MAX));
  }

  /** The first member that failed of itself; workers of an MPIJob do not count. */
  private static Optional<PodFact> firstFailure(List<PodFact> gang) {
    return gang.stream()
        .filter(pod -> pod.part() != Part.WORKER && pod.disruption().isEmpty())
        .filter(pod -> pod.exit().filter(exit -> exit.code() != 0).isPresent())
        .min(Comparator.comparing(pod -> pod.exit().flatMap(PodFact.Exit::at).orElse(Instant.MAX)));
  }

  /** A workload that is complete says that each of its members exited with zero. */
  private static List<Integer> zeros(ObjectFact workload, List<PodFact> gang) {
    boolean launched =
        workload.ref().kind() == Kind.MPI_JOB
            || gang.stream().anyMatch(pod -> pod.part() == Part.LAUNCHER);
    return Collections.nCopies(launched ? 1 : Math.max(1, workload.pods()), 0);
  }

  /**
   * All codes, or, if some are missing, none that could be taken for the success of all: those that
   * are known only when one of them is not zero.
   */
  private static List<Integer> codes(Optional<ObjectFact> workload, List<PodFact> gang) {
    boolean launched = gang.stream().anyMatch(pod -> pod.part() == Part.LAUNCHER);
    List<Integer> known =
        gang.stream()
            .filter(pod -> pod.part() == (launched ? Part.LAUNCHER : Part.MEMBER))
            .flatMap(pod -> pod.exit().stream())
            .map(PodFact.Exit::code)
            .toList();
    int members = launched ? 1 : workload.map(ObjectFact::pods).orElse(0);
    boolean complete = members > 0 && known.size() >= members;
    return complete || known.stream().anyMatch(code -> code != 0) ? known : List.of();
  }

  private static String message(List<PodFact> gang) {
    return gang.stream()
        .flatMap(pod -> pod.exit().stream())
        .map(PodFact.Exit::message)
        .filter(message -> !message.isBlank())
        .findFirst()
        .orElse("");
  }

  private static String words(PodFact pod) {
    StringBuilder words = new StringBuilder(pod.part().name().toLowerCase(java.util.Locale.ROOT));
    words.append(' ').append(pod.rank());
    if (!pod.node().isEmpty()) {
      words.append(" on ").append(pod.node());
    }
    pod.disruption()
        .ifPresent(d -> words.append(": ").append(d.reason()).append(' ').append(d.message()));
    pod.exit()
        .ifPresent(
            e ->
                words
                    .append(": ")
                    .append(e.reason())
                    .append(' ')
                    .append(e.code())
                    .append(' ')
                    .append(e.message()));
    return words.toString().strip();
  }

  /** How long all members ran by their nodes' clocks; for one that was running before us. */
  static long ranMillis(List<PodFact> gang) {
    Optional<Instant> last =
        gang.stream().flatMap(pod -> pod.started().stream()).max(Comparator.naturalOrder());
    Optional<Instant> first =
        gang.stream()
            .flatMap(pod -> pod.exit().stream())
            .flatMap(exit -> exit.at().stream())
            .min(Comparator.naturalOrder());
    return last.isPresent() && first.isPresent() && first.get().isAfter(last.get())
        ? Duration.between(last.get(), first.get()).toMillis()
        : 0;
  }
}
