package io.spillway.server.kubernetes;

/** Puts the parts of a pod together, in the order in which they rely on each other. */
final class Pods {
  static final String PLACEHOLDER = "placeholder";

  private final Placement placement;
  private final Names names;
  private final Marks marks;

  Pods(Placement placement, Names names, Marks marks) {
    this.placement = placement;
    this.names = names;
    this.marks = marks;
  }

  /** A node of the gang: all that the job asked for. */
  PodDraft node(String part) throws Untranslatable {
    PodDraft pod = begun(part);
    Devices.addTo(pod, placement);
    NodeChoice.addTo(pod, placement);
    FabricAccess.addTo(pod, placement);
    ended(pod);
    return pod;
  }

  /**
   * Starts the members of an MPI job from wherever there is room, in the gang's network, with the
   * job's storage and identity and no GPU.
   */
  PodDraft launcher() throws Untranslatable {
    PodDraft pod = begun("launcher");
    Devices.classesTo(pod, placement);
    pod.nodeSelector.putAll(placement.compute().scheduling().nodeSelector());
    // As the operator does: it must not see GPUs that are not its own.
    pod.env("NVIDIA_VISIBLE_DEVICES", "");
    pod.env("NVIDIA_DRIVER_CAPABILITIES", "");
    ended(pod);
    return pod;
  }

  /** Takes the place of a node of the gang until it starts. */
  PodDraft placeholder() throws Untranslatable {
    PodDraft pod = new PodDraft();
    pod.labels.putAll(marks.pod(PLACEHOLDER));
    keepsItsNode(pod);
    pod.graceSeconds = 0;
    Devices.addTo(pod, placement);
    NodeChoice.addTo(pod, placement);
    Tolerances.addTo(pod, placement);
    FabricAccess.placeTo(pod, placement);
    pod.env.clear();
    return pod;
  }

  private PodDraft begun(String part) throws Untranslatable {
    PodDraft pod = new PodDraft();
    pod.labels.putAll(marks.pod(part));
    keepsItsNode(pod);
    Surroundings.addTo(pod, placement);
    return pod;
  }

  private void ended(PodDraft pod) throws Untranslatable {
    Tolerances.addTo(pod, placement);
    Storage.addTo(pod, placement, names, marks);
    Identities.addTo(pod, placement, marks);
  }

  /** Autoscalers move ordinary pods about; a gang that loses one loses all. */
  private void keepsItsNode(PodDraft pod) {
    pod.annotations.put("cluster-autoscaler.kubernetes.io/safe-to-evict", "false");
    if (placement.ability().karpenter()) {
      pod.annotations.put("karpenter.sh/do-not-disrupt", "true");
    }
  }
}
