package io.spillway.server.kubernetes;

import io.spillway.protocol.v1.Capabilities;
import io.spillway.scheduler.model.Abilities;
import io.spillway.scheduler.model.Ability;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What a cluster can run, by its agent's word.
 *
 * @param apiVersions served, as manifests write them: {@code kubeflow.org/v2beta1}
 * @param csiDrivers names of CSIDriver objects
 * @param priorityClasses names of PriorityClass objects
 * @param resources extended resources that any node has now; a pool at zero shows none
 * @param runtimeClasses names of RuntimeClass objects
 */
public record ClusterAbility(
    SortedSet<String> apiVersions,
    SortedSet<String> csiDrivers,
    SortedSet<String> priorityClasses,
    SortedSet<String> resources,
    SortedSet<String> runtimeClasses) {
  static final String JOBSET = "jobset.x-k8s.io/v1alpha2";
  static final String MPI_JOB = "kubeflow.org/v2beta1";
  static final String PROVISIONING = "autoscaling.x-k8s.io/v1";

  /** Of SHA-256, hexadecimal: enough to notice a change, which is all it is for. */
  private static final int FINGERPRINT = 16;

  /** More of one kind no cluster has; the rest is left out. */
  private static final int MOST = 10_000;

  /** By an agent's own message. Its words are only compared with a policy's, never written. */
  public static ClusterAbility said(Capabilities message) {
    return new ClusterAbility(
        names(message.getApiGroupsList()),
        names(message.getCsiDriversList()),
        names(message.getPriorityClassesList()),
        names(message.getResourcesList()),
        names(message.getRuntimeClassesList()));
  }

  public ClusterAbility {
    apiVersions = copy(apiVersions);
    csiDrivers = copy(csiDrivers);
    priorityClasses = copy(priorityClasses);
    resources = copy(resources);
    runtimeClasses = copy(runtimeClasses);
  }

  /** By kind, so that the core can tell whether anything changed that a refusal rests on. */
  public Abilities fingerprints() {
    return new Abilities(
        Map.of(
            Ability.API_VERSIONS, fingerprint(apiVersions),
            Ability.CSI_DRIVERS, fingerprint(csiDrivers),
            Ability.PRIORITY_CLASSES, fingerprint(priorityClasses),
            Ability.RESOURCES, fingerprint(resources),
            Ability.RUNTIME_CLASSES, fingerprint(runtimeClasses)));
  }

  private static String fingerprint(SortedSet<String> names) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest(String.join("\n", names).getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash).substring(0, FINGERPRINT);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  boolean serves(String apiVersion) {
    return apiVersions.contains(apiVersion);
  }

  /** Whether Karpenter makes the nodes. */
  boolean karpenter() {
    return apiVersions.stream().anyMatch(version -> version.startsWith("karpenter.sh/"));
  }

  private static SortedSet<String> names(List<String> words) {
    return words.stream().limit(MOST).collect(Collectors.toCollection(TreeSet::new));
  }

  private static SortedSet<String> copy(SortedSet<String> names) {
    return Collections.unmodifiableSortedSet(new TreeSet<>(names));
  }
}
