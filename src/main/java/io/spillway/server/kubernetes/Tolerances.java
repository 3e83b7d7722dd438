package io.spillway.server.kubernetes;

import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import io.spillway.policies.compute.Scheduling;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which taints a pod bears: the policy's, the GPU's, and spot's only where the attempt is on spot.
 */
final class Tolerances {
  private static final String NVIDIA = "nvidia.com/gpu";
  private static final String AMD = "amd.com/gpu";

  /** Reference §0: taints of spot, preemptible and interruptible nodes, of any cluster kind. */
  private static final List<Toleration> SPOT =
      List.of(
          equal("kubernetes.azure.com/scalesetpriority", "spot", "NoSchedule"),
          equal("cloud.google.com/gke-spot", "true", "NoSchedule"),
          exists("oci.oraclecloud.com/oke-is-preemptible", "NoSchedule"),
          // Spelled with -able on the nodes, whatever the documentation says.
          exists("qos.coreweave.cloud/interruptable", "NoExecute"));

  private static final Set<String> SPOT_KEYS =
      SPOT.stream().map(Toleration::getKey).collect(Collectors.toUnmodifiableSet());

  /** A dead node is left after a minute instead of five. */
  private static final int LEAVE_AFTER_SECONDS = 60;

  private Tolerances() {}

  static void addTo(PodDraft pod, Placement placement) {
    Set<Toleration> all = new LinkedHashSet<>();
    Scheduling scheduling = placement.compute().scheduling();
    for (Scheduling.Toleration toleration : scheduling.tolerations()) {
      boolean spotsOnly = toleration.key().map(SPOT_KEYS::contains).orElse(false);
      if (placement.onSpot() || !spotsOnly) {
        all.add(of(toleration));
      }
    }
    // One for a taint that is absent does nothing; pools differ in whether they are tainted.
    all.add(exists(Devices.isAmd(placement) ? AMD : NVIDIA, "NoSchedule"));
    if (placement.onSpot()) {
      all.addAll(SPOT);
      scheduling.spotTolerations().forEach(toleration -> all.add(of(toleration)));
    }
    all.add(leaving("node.kubernetes.io/not-ready"));
    all.add(leaving("node.kubernetes.io/unreachable"));
    pod.tolerations.addAll(all);
  }

  private static Toleration of(Scheduling.Toleration written) {
    TolerationBuilder toleration = new TolerationBuilder();
    written.key().ifPresent(toleration::withKey);
    written.operator().ifPresent(toleration::withOperator);
    written.value().ifPresent(toleration::withValue);
    written.effect().ifPresent(toleration::withEffect);
    written.seconds().ifPresent(seconds -> toleration.withTolerationSeconds(seconds.longValue()));
    return toleration.build();
  }

  private static Toleration exists(String key, String effect) {
    return new TolerationBuilder().withKey(key).withOperator("Exists").withEffect(effect).build();
  }

  private static Toleration equal(String key, String value, String effect) {
    return new TolerationBuilder()
        .withKey(key)
        .withOperator("Equal")
        .withValue(value)
        .withEffect(effect)
        .build();
  }

  private static Toleration leaving(String key) {
    return new TolerationBuilder()
        .withKey(key)
        .withOperator("Exists")
        .withEffect("NoExecute")
        .withTolerationSeconds((long) LEAVE_AFTER_SECONDS)
        .build();
  }
}
