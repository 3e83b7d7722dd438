package io.spillway.server.kubernetes;

import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.PodAffinityTerm;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeDevice;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.WeightedPodAffinityTerm;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A pod of an attempt while it is put together. Belongs to one translation; {@link PodWriter} makes
 * the pod of it. Lists keep the order in which parts were added, which is fixed.
 */
final class PodDraft {
  final SortedMap<String, String> labels = new TreeMap<>();
  final SortedMap<String, String> annotations = new TreeMap<>();

  // Where it may run.
  final SortedMap<String, String> nodeSelector = new TreeMap<>();
  final List<NodeSelectorRequirement> required = new ArrayList<>();
  final List<NodeSelectorRequirement> requiredFields = new ArrayList<>();
  final List<PodAffinityTerm> together = new ArrayList<>();
  final List<WeightedPodAffinityTerm> near = new ArrayList<>();
  final List<Toleration> tolerations = new ArrayList<>();
  Optional<String> runtimeClass = Optional.empty();
  Optional<String> priorityClass = Optional.empty();

  // What it has.
  final Map<String, EnvVar> env = new LinkedHashMap<>();
  final List<Volume> volumes = new ArrayList<>();
  final List<VolumeMount> mounts = new ArrayList<>();
  final List<VolumeDevice> devices = new ArrayList<>();
  final SortedMap<String, Quantity> limits = new TreeMap<>();
  final SortedMap<String, Quantity> requests = new TreeMap<>();
  final List<LocalObjectReference> pullSecrets = new ArrayList<>();

  // What it may.
  final SortedSet<String> capabilities = new TreeSet<>();
  boolean privileged;
  boolean hostNetwork;
  Optional<String> serviceAccount = Optional.empty();
  boolean token;

  /** Shell lines, of constant text only, that run before the program. */
  final List<String> preludes = new ArrayList<>();

  /** What must be there before the pod, and goes with the attempt. */
  final List<HasMetadata> support = new ArrayList<>();

  /** What must be there before the pod, and is left there. */
  final List<HasMetadata> shared = new ArrayList<>();

  int graceSeconds;

  /** Sets a variable; the last word on a name counts, at the place of the first. */
  void env(String name, String value) {
    env.put(name, new EnvVarBuilder().withName(name).withValue(value).build());
  }

  /** Sets a variable that nobody set before. */
  void envUnlessSet(String name, String value) {
    env.putIfAbsent(name, new EnvVarBuilder().withName(name).withValue(value).build());
  }

  /** A variable that the kubelet reads from the pod's own labels. */
  void envFromLabel(String name, String label) {
    env.put(
        name,
        new EnvVarBuilder()
            .withName(name)
            .withNewValueFrom()
            .withNewFieldRef()
            .withFieldPath("metadata.labels['" + label + "']")
            .endFieldRef()
            .endValueFrom()
            .build());
  }

  /** An extended resource, whose request must equal its limit. */
  void device(String resource, int count) {
    Quantity quantity = new Quantity(Integer.toString(count));
    limits.put(resource, quantity);
    requests.put(resource, quantity);
  }

  void volume(Volume volume, VolumeMount mount) {
    volumes.add(volume);
    mounts.add(mount);
  }
}
