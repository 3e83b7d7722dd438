package io.spillway.capacity.coreweave;

import io.spillway.capacity.http.JsonView;
import java.util.Optional;

/**
 * A node of a pool.
 *
 * @param pool the pool's name
 * @param usable in production and not cordoned; other nodes are repaired or leave
 * @param reserved by contract
 * @param gpus allocatable
 */
record PoolNode(
    String name, String pool, String instanceType, boolean usable, boolean reserved, int gpus) {
  static final String POOL_LABEL = "compute.coreweave.com/node-pool";
  static final String GPU = "nvidia.com/gpu";
  static final String PENDING_PREEMPTION = "qos.coreweave.cloud/pending-preemption";

  private static final String TYPE_LABEL = "node.kubernetes.io/instance-type";
  private static final String STATE_LABEL = "node.coreweave.cloud/state";
  private static final String RESERVED_LABEL = "node.coreweave.cloud/reserved";
  private static final int MOST_GPUS = 64;

  static PoolNode of(JsonView row) {
    JsonView metadata = row.object("metadata");
    Optional<JsonView> labels = metadata.optionalObject("labels");
    boolean cordoned =
        row.optionalObject("spec").map(spec -> spec.flag("unschedulable", false)).orElse(false);
    return new PoolNode(
        metadata.text("name"),
        label(labels, POOL_LABEL),
        label(labels, TYPE_LABEL),
        !cordoned
            && (label(labels, STATE_LABEL).isEmpty()
                || label(labels, STATE_LABEL).equals("production"))
            && !label(labels, PENDING_PREEMPTION).equals("true"),
        !label(labels, RESERVED_LABEL).isEmpty() && !label(labels, RESERVED_LABEL).equals("false"),
        row.optionalObject("status")
            .flatMap(status -> status.optionalObject("allocatable"))
            .filter(allocatable -> allocatable.has(GPU))
            .map(allocatable -> allocatable.integer(GPU, 0, MOST_GPUS))
            .orElse(0));
  }

  private static String label(Optional<JsonView> labels, String name) {
    return labels.flatMap(all -> all.optionalText(name)).orElse("");
  }

  /** GPUs that a pod holds; none once it has finished. */
  static int held(JsonView pod) {
    int held = 0;
    for (JsonView container : pod.object("spec").optionalList("containers")) {
      held +=
          container
              .optionalObject("resources")
              .flatMap(resources -> resources.optionalObject("requests"))
              .filter(requests -> requests.has(GPU))
              .map(requests -> requests.integer(GPU, 0, MOST_GPUS))
              .orElse(0);
    }
    return held;
  }
}
