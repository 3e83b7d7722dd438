package io.spillway.agent.attempt;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.spillway.agent.attempt.ObjectFact.Role;
import io.spillway.agent.gate.Manifest;
import io.spillway.agent.kube.ClusterAwayException;
import io.spillway.agent.kube.KubeObjects;
import io.spillway.agent.kube.Labels;
import io.spillway.agent.kube.ObjectRef;
import io.spillway.agent.kube.RefusedByClusterException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * Puts a command's objects into the cluster, in their order. An object that is there under the same
 * attempt is left as it is: a Job's pods cannot be changed, and nothing is made twice. One that is
 * there and is not ours is never touched. Blocks; may be repeated from the beginning.
 */
final class Application {
  private final KubeObjects objects;
  private final BooleanSupplier mayAct;

  /**
   * @param mayAct asked before each object: a slow API server may take longer for a gang than a
   *     lead lasts, and the next one may have been told to stop it meanwhile
   */
  Application(KubeObjects objects, BooleanSupplier mayAct) {
    this.objects = objects;
    this.mayAct = mayAct;
  }

  /**
   * What became of it.
   *
   * @param there what exists of the attempt now, shared objects left out
   * @param refusal why the rest does not; empty if all of it exists, or was given up
   * @param abandoned nothing more of it was made; what is there is what is to be taken away
   */
  record Result(Map<ObjectRef, Role> there, Optional<String> refusal, boolean abandoned) {}

  Result apply(String attempt, long epoch, List<Manifest> manifests, AtomicBoolean abandoned)
      throws ClusterAwayException {
    Map<ObjectRef, Role> there = new LinkedHashMap<>();
    for (Manifest manifest : manifests) {
      if (abandoned.get()) {
        return new Result(present(attempt, manifests), Optional.empty(), true);
      }
      if (!mayAct.getAsBoolean()) {
        throw new ClusterAwayException("this replica does not lead now", null);
      }
      try {
        apply(attempt, epoch, manifest);
      } catch (RefusedByClusterException e) {
        return new Result(there, Optional.of("the cluster refuses " + e.getMessage()), false);
      }
      if (manifest.role() != Role.SHARED) {
        there.put(manifest.ref(), manifest.role());
      }
    }
    return new Result(there, Optional.empty(), false);
  }

  /**
   * What of it exists, by the cluster's word: this call may be the second, and what the first made
   * is in nobody's book, nor is what it asked for without hearing the answer. Whoever forgets a
   * hold's objects pays for their nodes.
   */
  private Map<ObjectRef, Role> present(String attempt, List<Manifest> manifests)
      throws ClusterAwayException {
    Map<ObjectRef, Role> there = new LinkedHashMap<>();
    for (Manifest manifest : manifests) {
      if (manifest.role() != Role.SHARED && isOurs(attempt, manifest.ref())) {
        there.put(manifest.ref(), manifest.role());
      }
    }
    return there;
  }

  private boolean isOurs(String attempt, ObjectRef ref) throws ClusterAwayException {
    try {
      return objects
          .find(ref)
          .map(known -> known.getMetadata().getLabels())
          .filter(labels -> attempt.equals(labels.get(Labels.ATTEMPT)))
          .isPresent();
    } catch (RefusedByClusterException e) {
      // What may not be read was not made either: applying begins with reading.
      return false;
    }
  }

  private void apply(String attempt, long epoch, Manifest manifest)
      throws ClusterAwayException, RefusedByClusterException {
    Optional<GenericKubernetesResource> known = objects.find(manifest.ref());
    if (known.isPresent()) {
      Map<String, String> labels =
          Optional.ofNullable(known.get().getMetadata().getLabels()).orElse(Map.of());
      if (manifest.role() == Role.SHARED) {
        if (!"shared".equals(labels.get(Labels.ROLE))) {
          throw new RefusedByClusterException(
              manifest.ref() + ": it exists already and is not Spillway's", null);
        }
      } else if (attempt.equals(labels.get(Labels.ATTEMPT))) {
        return;
      } else {
        throw new RefusedByClusterException(
            manifest.ref() + ": it exists already and belongs to somebody else", null);
      }
    }
    GenericKubernetesResource object = manifest.object();
    if (manifest.role() != Role.SHARED) {
      object.getMetadata().getLabels().put(Labels.EPOCH, Long.toString(epoch));
    }
    objects.apply(manifest.ref(), object);
  }
}
