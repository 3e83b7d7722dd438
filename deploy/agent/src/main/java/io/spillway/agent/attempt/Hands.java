package io.spillway.agent.attempt;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.spillway.agent.attempt.ObjectFact.Role;
import io.spillway.agent.attempt.Tracked.StopOrder;
import io.spillway.agent.gate.Manifest;
import io.spillway.agent.kube.ClusterAwayException;
import io.spillway.agent.kube.Kind;
import io.spillway.agent.kube.KubeObjects;
import io.spillway.agent.kube.Lanes;
import io.spillway.agent.kube.ObjectRef;
import io.spillway.agent.kube.RefusedByClusterException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * What is done to the cluster for an attempt: one thing after the other for each. Only from the
 * timeline; results come back to it.
 */
public final class Hands {
  private static final Logger LOG = Logger.getLogger(Hands.class.getName());

  private final Lanes lanes;
  private final KubernetesClient client;
  private final KubeObjects objects;
  private final Application application;
  private Consumer<Tracked> whenNeverRan = tracked -> {};
  private Consumer<Tracked> whenChanged = tracked -> {};

  public Hands(Lanes lanes, KubernetesClient client) {
    this.lanes = lanes;
    this.client = client;
    this.objects = new KubeObjects(client);
    this.application = new Application(objects, lanes::mayAct);
  }

  void whenNeverRan(Consumer<Tracked> listener) {
    whenNeverRan = listener;
  }

  void whenChanged(Consumer<Tracked> listener) {
    whenChanged = listener;
  }

  /** All that was there of a stopped attempt is gone, and its workload never existed. */
  void neverRan(Tracked tracked) {
    whenNeverRan.accept(tracked);
  }

  void apply(
      Tracked tracked, long epoch, List<Manifest> manifests, Consumer<Application.Result> then) {
    lanes.call(
        tracked.attempt,
        () -> application.apply(tracked.attempt, epoch, manifests, tracked.abandoned),
        then);
  }

  /** Carries out the attempt's stop: the workload first, so that no pod is made anew. */
  void stop(Tracked tracked) {
    StopOrder order = tracked.stop().orElseThrow();
    List<ObjectRef> refs = new ArrayList<>(tracked.of(Role.WORKLOAD));
    refs.addAll(tracked.of(Role.HOLD));
    delete(tracked.attempt, refs, () -> hastened(tracked, order));
    if (tracked.of(Role.WORKLOAD).isEmpty()) {
      tidy(tracked);
    }
  }

  /** Pods get no longer than the order says, whatever they would take by themselves. */
  private void hastened(Tracked tracked, StopOrder order) {
    List<ObjectRef> pods =
        tracked.pods().stream()
            .filter(pod -> !pod.isOver())
            .map(pod -> new ObjectRef(Kind.POD, pod.namespace(), pod.name()))
            .toList();
    if (pods.isEmpty()) {
      return;
    }
    lanes.call(
        tracked.attempt,
        () -> {
          for (ObjectRef pod : pods) {
            delete(pod, order.grace());
          }
          return true;
        },
        done -> {});
  }

  /** Deletes what is left of an attempt besides its workload. */
  void tidy(Tracked tracked) {
    List<ObjectRef> refs = new ArrayList<>(tracked.of(Role.HOLD));
    refs.addAll(tracked.of(Role.SUPPORT));
    delete(
        tracked.attempt,
        refs,
        () -> {
          refs.forEach(tracked::isGone);
          whenChanged.accept(tracked);
        });
  }

  void delete(String attempt, List<ObjectRef> refs, Runnable then) {
    if (refs.isEmpty()) {
      then.run();
      return;
    }
    lanes.call(
        attempt,
        () -> {
          for (ObjectRef ref : refs) {
            delete(ref, OptionalLong.empty());
          }
          return true;
        },
        done -> then.run());
  }

  private void delete(ObjectRef ref, OptionalLong grace) throws ClusterAwayException {
    try {
      objects.delete(ref, grace);
    } catch (RefusedByClusterException e) {
      // Without the right to delete it stays, and so does the attempt: an operator must see that.
      LOG.log(Level.SEVERE, e, () -> "cannot delete " + e.getMessage());
      throw new ClusterAwayException(e.getMessage(), e);
    }
  }

  /** Looks whether an object is there. */
  void find(String attempt, ObjectRef ref, Consumer<Boolean> then) {
    lanes.call(
        attempt,
        () -> {
          try {
            return objects.find(ref).isPresent();
          } catch (RefusedByClusterException e) {
            throw new ClusterAwayException(e.getMessage(), e);
          }
        },
        then);
  }

  /** The attempt's pods as they are now, past all caches. */
  void pods(Tracked tracked, Consumer<List<PodFact>> then) {
    lanes.call(
        tracked.attempt,
        () -> {
          try {
            return client
                .resources(Pod.class)
                .inAnyNamespace()
                .withLabelSelector(Attempts.selector(tracked.attempt))
                .list()
                .getItems()
                .stream()
                .map(PodFact::of)
                .flatMap(Optional::stream)
                .toList();
          } catch (io.fabric8.kubernetes.client.KubernetesClientException e) {
            throw new ClusterAwayException("pods of " + tracked.attempt, e);
          }
        },
        then);
  }
}
