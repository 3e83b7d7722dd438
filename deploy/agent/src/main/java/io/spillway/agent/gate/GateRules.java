package io.spillway.agent.gate;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What a cluster lets in. Lists name what is allowed; {@code *} in a name stands for any letters,
 * digits, dashes and dots.
 *
 * @param kinds of objects, as manifests name them
 * @param namespaces that attempts may lie in
 * @param serviceAccounts that their pods may run as; {@code default} without a token is always
 *     allowed
 * @param registries that images may come from: a host, or a host and the beginning of a path
 * @param hostPaths of the machine that pods may mount, and what lies below them
 * @param maxGpus of one attempt
 * @param priorityClasses that pods may have; none is always allowed
 * @param runtimeClasses likewise
 */
public record GateRules(
    Set<String> kinds,
    List<String> namespaces,
    List<String> serviceAccounts,
    List<String> registries,
    boolean privileged,
    List<String> hostPaths,
    boolean hostNetwork,
    int maxGpus,
    List<String> priorityClasses,
    List<String> runtimeClasses) {

  public static final Set<String> ALL_KINDS =
      Set.of(
          "Job",
          "JobSet",
          "MPIJob",
          "Service",
          "ConfigMap",
          "PersistentVolumeClaim",
          "Pod",
          "PodTemplate",
          "ProvisioningRequest");

  /** Kinds that reach beyond a namespace, or name an identity: only where the file lists them. */
  static final Set<String> MORE_KINDS = Set.of("PersistentVolume", "ServiceAccount");

  /** Where Kubernetes publishes the image that placeholders run. */
  static final String PAUSE_REGISTRY = "registry.k8s.io";

  /** What holds where nobody said anything. */
  public static final GateRules DEFAULTS =
      new GateRules(
          ALL_KINDS,
          List.of("spillway-*"),
          List.of(),
          List.of("*"),
          false,
          List.of(),
          false,
          1024,
          List.of("spillway-*"),
          List.of("nvidia"));

  public GateRules {
    kinds = Set.copyOf(kinds);
    namespaces = List.copyOf(namespaces);
    serviceAccounts = List.copyOf(serviceAccounts);
    registries = List.copyOf(registries);
    hostPaths = List.copyOf(hostPaths);
    priorityClasses = List.copyOf(priorityClasses);
    runtimeClasses = List.copyOf(runtimeClasses);
  }

  static boolean names(List<String> globs, String name) {
    return globs.stream().anyMatch(glob -> pattern(glob).matcher(name).matches());
  }

  private static Pattern pattern(String glob) {
    StringBuilder regex = new StringBuilder();
    for (String literal : glob.split("\\*", -1)) {
      regex.append(regex.isEmpty() ? "" : "[-a-zA-Z0-9.]*").append(Pattern.quote(literal));
    }
    return Pattern.compile(regex.toString());
  }
}
