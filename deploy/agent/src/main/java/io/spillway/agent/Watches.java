package io.spillway.agent;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.spillway.agent.attempt.Attempts;
import io.spillway.agent.attempt.ObjectFact;
import io.spillway.agent.attempt.PodFact;
import io.spillway.agent.attempt.Sight;
import io.spillway.agent.kube.Kind;
import io.spillway.agent.kube.KubeObjects;
import io.spillway.agent.kube.Labels;
import io.spillway.agent.kube.Reflector;
import io.spillway.agent.nodes.Inventory;
import io.spillway.agent.nodes.NodeFacts;
import io.spillway.agent.symptom.EventFact;
import io.spillway.agent.symptom.Symptoms;
import io.spillway.agent.time.Timeline;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Everything that a tenure watches: nodes, pods and workloads of attempts, and of the events those
 * whose reason matters. Says when each has been seen once. Kinds of an operator that comes later
 * are watched from then on. Only from the timeline.
 */
final class Watches {
  private final Timeline timeline;
  private final KubernetesClient client;
  private final String ours;
  private final Runnable known;
  private final List<Reflector<?, ?>> reflectors = new ArrayList<>();
  private final Set<Kind> watched = EnumSet.noneOf(Kind.class);
  private Collection<String> served;
  private Optional<Attempts> attempts = Optional.empty();
  private int missing;

  /**
   * @param known runs once, when all that is watched has been listed
   */
  Watches(
      Timeline timeline,
      KubernetesClient client,
      String cluster,
      Collection<String> served,
      Runnable known) {
    this.timeline = timeline;
    this.client = client;
    this.ours = Labels.ofAttempts(cluster);
    this.served = served;
    this.known = known;
  }

  void follow(Inventory nodes, Attempts book, Symptoms symptoms) {
    attempts = Optional.of(book);
    // Counted before the first can have answered.
    missing = 2;
    reflect(
        new Reflector<Node, NodeFacts>(
                "nodes",
                timeline,
                () -> client.nodes(),
                node -> Optional.of(NodeFacts.of(node)),
                nodes.andAfterAll(first()))
            .guarded());
    reflect(
        new Reflector<Pod, PodFact>(
                "pods",
                timeline,
                () -> client.pods().inAnyNamespace().withLabelSelector(ours),
                PodFact::of,
                Sight.pods(book).andAfterAll(first()))
            .guarded());
    for (Kind kind : Kind.values()) {
      if (changesByItself(kind) && served.contains(kind.apiVersion())) {
        missing++;
        watch(kind, first());
      }
    }
    // These are awaited by nobody: an agent that may not read events works, and says less.
    for (String reason : EventFact.REASONS) {
      reflect(
          new Reflector<>(
              "events " + reason,
              timeline,
              () -> client.v1().events().inAnyNamespace().withField("reason", reason),
              event -> EventFact.of(event).filter(fact -> fact.reason().equals(reason)),
              symptoms.of(reason)));
    }
  }

  /** Other APIs are there than before. */
  void served(Collection<String> now) {
    served = now;
    for (Kind kind : Kind.values()) {
      if (changesByItself(kind) && served.contains(kind.apiVersion()) && !watched.contains(kind)) {
        watch(kind, () -> {});
      }
    }
  }

  private static boolean changesByItself(Kind kind) {
    return kind.runs() || kind == Kind.PROVISIONING_REQUEST;
  }

  private void watch(Kind kind, Runnable loaded) {
    watched.add(kind);
    attempts.ifPresent(
        book ->
            reflect(
                new Reflector<GenericKubernetesResource, ObjectFact>(
                        kind.text(),
                        timeline,
                        () -> KubeObjects.following(client, kind, ours),
                        ObjectFact::of,
                        Sight.objects(kind, book).andAfterAll(loaded))
                    .guarded()));
  }

  private void reflect(Reflector<?, ?> reflector) {
    reflectors.add(reflector);
    reflector.start();
  }

  /** Of a source that lists again and again, only the first list counts. */
  private Runnable first() {
    boolean[] done = new boolean[1];
    return () -> {
      if (!done[0]) {
        done[0] = true;
        if (--missing == 0) {
          known.run();
        }
      }
    };
  }

  /** Lists anew: whatever a watch has missed, it is known by then. */
  void refresh() {
    reflectors.forEach(Reflector::refresh);
  }

  void close() {
    reflectors.forEach(Reflector::close);
  }
}
