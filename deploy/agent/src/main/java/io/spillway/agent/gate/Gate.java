package io.spillway.agent.gate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.spillway.agent.attempt.ObjectFact.Role;
import io.spillway.agent.kube.Kind;
import io.spillway.agent.kube.Labels;
import io.spillway.agent.kube.ObjectRef;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Looks at a command's manifests, all or none. Immutable; any thread. */
public final class Gate {
  /** A job may mount 32 buckets, each a volume and its claim. */
  private static final int MAX_MANIFESTS = 128;

  private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?");
  private static final Set<String> PARTS = Set.of("member", "launcher", "worker", "placeholder");
  private static final KubernetesSerialization OBJECTS = new KubernetesSerialization();

  private final String cluster;
  private final GateRules rules;
  private final ObjectShapes shapes;

  public Gate(String cluster, GateRules rules) {
    this.cluster = cluster;
    this.rules = rules;
    this.shapes = new ObjectShapes(rules);
  }

  /** What the manifests came with. */
  public enum Command {
    HOLD,
    START
  }

  /** What the gate says. */
  public sealed interface Verdict {}

  public record Admitted(List<Manifest> manifests) implements Verdict {}

  /**
   * @param reason for people, at most a few hundred characters
   */
  public record Refused(String reason) implements Verdict {}

  public Verdict check(String attempt, Command command, List<byte[]> manifests) {
    try {
      return new Admitted(admitted(attempt, command, manifests));
    } catch (RefusedException e) {
      return new Refused("the agent's gate refuses " + e.getMessage());
    }
  }

  private List<Manifest> admitted(String attempt, Command command, List<byte[]> manifests)
      throws RefusedException {
    if (manifests.size() > MAX_MANIFESTS) {
      throw new RefusedException(manifests.size() + " manifests at once");
    }
    if (command == Command.START && manifests.isEmpty()) {
      throw new RefusedException("a start without manifests");
    }
    List<Manifest> admitted = new ArrayList<>();
    Set<ObjectRef> names = new HashSet<>();
    int workloads = 0;
    long gpus = 0;
    long copies = 1;
    for (byte[] bytes : manifests) {
      ObjectNode object = StrictJson.read(bytes);
      Manifest manifest = admitted(attempt, command, object);
      gpus = GpuCount.plus(gpus, GpuCount.of(manifest.ref().kind(), object));
      copies = Math.max(copies, GpuCount.pods(object));
      if (!names.add(manifest.ref())) {
        throw new RefusedException(manifest.ref() + " twice");
      }
      workloads += manifest.role() == Role.WORKLOAD ? 1 : 0;
      admitted.add(manifest);
    }
    if (command == Command.START && workloads != 1) {
      throw new RefusedException("a start with " + workloads + " workloads");
    }
    long wanted = GpuCount.times(gpus, copies);
    if (wanted > rules.maxGpus()) {
      throw new RefusedException(
          wanted + " GPUs, where at most " + rules.maxGpus() + " are allowed");
    }
    return admitted;
  }

  private Manifest admitted(String attempt, Command command, ObjectNode object)
      throws RefusedException {
    String word = text(object.path("kind"));
    Kind kind =
        Kind.of(text(object.path("apiVersion")), word)
            .filter(k -> rules.kinds().contains(k.text()))
            .orElseThrow(
                () ->
                    new RefusedException(
                        "the kind " + text(object.path("apiVersion")) + " " + word));
    JsonNode meta = object.path("metadata");
    String name = text(meta.path("name"));
    String namespace = text(meta.path("namespace"));
    if (!NAME.matcher(name).matches()) {
      throw new RefusedException("a " + word + " without a proper name");
    }
    ObjectRef ref = new ObjectRef(kind, namespace, name);
    if (kind.namespaced() && !GateRules.names(rules.namespaces(), namespace)) {
      throw new RefusedException(ref + ": the namespace is not allowed");
    }
    if (!kind.namespaced() && !namespace.isEmpty()) {
      throw new RefusedException(ref + ": this kind has no namespace");
    }
    Role role = role(ref, command, meta.path("labels"));
    labelled(ref, attempt, role, meta.path("labels"));
    if (role == Role.WORKLOAD
        && !text(meta.path("annotations").path(Labels.PODS)).matches("[1-9]\\d{0,5}")) {
      throw new RefusedException(ref + " without its number of pods");
    }
    shapes.check(kind, object);
    for (JsonNode template : PodTemplates.of(kind, object)) {
      JsonNode labels = template.path("metadata").path("labels");
      labelled(ref, attempt, Role.WORKLOAD, labels);
      if (!PARTS.contains(text(labels.path(Labels.PART))) || labels.has(Labels.ROLE)) {
        throw new RefusedException(ref + " with pods that are no part of an attempt");
      }
    }
    return new Manifest(ref, role, OBJECTS.convertValue(object, GenericKubernetesResource.class));
  }

  private Role role(ObjectRef ref, Command command, JsonNode labels) throws RefusedException {
    Role role =
        switch (text(labels.path(Labels.ROLE))) {
          case "workload" -> Role.WORKLOAD;
          case "support" -> Role.SUPPORT;
          case "hold" -> Role.HOLD;
          case "shared" -> Role.SHARED;
          default -> throw new RefusedException(ref + " without a role");
        };
    boolean fits =
        switch (role) {
          case WORKLOAD -> command == Command.START && ref.kind().runs();
          case HOLD -> command == Command.HOLD;
          case SUPPORT -> !ref.kind().runs() && ref.kind() != Kind.POD;
          case SHARED -> ref.kind() == Kind.SERVICE_ACCOUNT;
        };
    if (!fits) {
      throw new RefusedException(ref + " in the role " + role);
    }
    return role;
  }

  /** What the agent cannot find again by its labels it must never make. */
  private void labelled(ObjectRef ref, String attempt, Role role, JsonNode labels)
      throws RefusedException {
    boolean ours = cluster.equals(text(labels.path(Labels.CLUSTER)));
    boolean named =
        role == Role.SHARED
            ? !labels.has(Labels.ATTEMPT)
            : attempt.equals(text(labels.path(Labels.ATTEMPT)));
    if (!ours || !named) {
      throw new RefusedException(ref + ": its labels are not this attempt's");
    }
  }

  private static String text(JsonNode node) {
    return node.isTextual() ? node.asText() : "";
  }
}
