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

/**
 * Puts a command's objects into the cluster, in their order. An object that is there under the same
 * attempt is left as it is: a Job's pods cannot be changed, and nothing is made twice. One that is
 * there and is not ours is never touched. Blocks; may be repeated from the beginning.
 */
final class Application {
  private final KubeObjects objects;

  Application(KubeObjects objects) {
    this.objects = objects;
  }

  /**
   * What became of it.
   *
   * @param there what exists of the attempt now, shared objects left out
   * @param refusal why the rest does not; empty if all of it exists, or was given up
   */
  record Result(Map<ObjectRef, Role> there, Optional<String> refusal, boolean abandoned) {}

  Result apply(String attempt, long epoch, List<Manifest> manifests, AtomicBoolean abandoned)
      throws ClusterAwayException {
    Map<ObjectRef, Role> there = new LinkedHashMap<>();
    for (Manifest manifest : manifests) {
      if (abandoned.get()) {
        return new Result(there, Optional.empty(), true);
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
