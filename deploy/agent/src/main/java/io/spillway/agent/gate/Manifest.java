package io.spillway.agent.gate;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.spillway.agent.attempt.ObjectFact.Role;
import io.spillway.agent.kube.ObjectRef;

/** An object that the gate has let in. */
public record Manifest(ObjectRef ref, Role role, GenericKubernetesResource object) {}
