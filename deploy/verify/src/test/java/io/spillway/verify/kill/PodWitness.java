package io.spillway.verify.kill;

import io.spillway.verify.kube.PodFact;
import io.spillway.verify.kube.PodFact.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads what happened on the machines of real clusters as the clouds' ledger would tell it: an
 * attempt starts with its first pod and ends with its last one. A member that begins a second time
 * is a start of its own, so that {@link Audit} finds it.
 */
final class PodWitness {
  private PodWitness() {}

  /** What is known of an attempt so far. */
  private static final class Course {
    private final Set<String> begun = new HashSet<>();
    private final Set<String> running = new HashSet<>();
    private final List<Integer> codes = new ArrayList<>();
    private boolean machineDied;
  }

  static List<Fact> facts(List<PodFact> pods) {
    List<PodFact> sorted = new ArrayList<>(pods);
    sorted.sort(Comparator.comparingLong(PodFact::nanos));
    Map<String, Course> courses = new HashMap<>();
    List<Fact> facts = new ArrayList<>();
    for (PodFact pod : sorted) {
      Course course =
          courses.computeIfAbsent(pod.cluster() + ' ' + pod.attempt(), key -> new Course());
      if (pod.kind() == Kind.BEGAN) {
        boolean first = course.begun.isEmpty();
        boolean again = !course.begun.add(pod.member());
        course.running.add(pod.pod());
        if (first || again) {
          facts.add(fact(pod, "start", List.of()));
        }
      } else if (course.running.remove(pod.pod())) {
        pod.exitCode().ifPresentOrElse(course.codes::add, () -> course.machineDied = true);
        if (course.running.isEmpty()) {
          facts.add(fact(pod, "end", course.machineDied ? List.of() : course.codes));
        }
      }
    }
    return List.copyOf(facts);
  }

  private static Fact fact(PodFact pod, String event, List<Integer> codes) {
    return new Fact(
        pod.nanos() / 1_000_000,
        pod.wall(),
        pod.cluster(),
        pod.attempt(),
        pod.epoch(),
        event,
        codes);
  }
}
