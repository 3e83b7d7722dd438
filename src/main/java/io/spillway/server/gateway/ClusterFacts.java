package io.spillway.server.gateway;

import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.model.PoolName;
import io.spillway.scheduler.policy.ClusterPolicy;
import io.spillway.scheduler.policy.PolicySet;
import io.spillway.scheduler.policy.PoolPolicy;
import io.spillway.scheduler.state.View;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What streams need to know of the state, kept beside it: policies, RECOVERY, the head, and which
 * GPU an instance type has. Written on the loop's thread with each commit, read from any thread.
 */
final class ClusterFacts {
  private volatile Snapshot snapshot = new Snapshot(false, PolicySet.EMPTY, true, 0);
  private final Map<String, GpuModel> gpus = new ConcurrentHashMap<>();

  /**
   * @param loaded whether a state is there at all
   * @param recovery nothing but sweeps is sent to agents
   * @param head the newest journal row this replica has seen
   */
  private record Snapshot(boolean loaded, PolicySet policies, boolean recovery, long head) {}

  void learn(View view, long head) {
    Snapshot before = snapshot;
    snapshot =
        new Snapshot(
            true,
            view.policies(),
            view.system().recovery().isPresent(),
            Math.max(head, before.head()));
  }

  void learn(View view, OfferingId offering) {
    if (!gpus.containsKey(offering.instanceType())) {
      view.shape(offering).ifPresent(shape -> gpus.put(offering.instanceType(), shape.gpu()));
    }
  }

  /** Whether this replica has a state; before that no agent is taken. */
  boolean loaded() {
    return snapshot.loaded();
  }

  /** Whether RECOVERY lasts, or nothing is known yet. */
  boolean recovery() {
    return snapshot.recovery();
  }

  long head() {
    return snapshot.head();
  }

  Optional<ClusterPolicy> policy(ClusterName cluster) {
    return Optional.ofNullable(snapshot.policies().clusters().get(cluster));
  }

  Optional<String> reservation(PoolName pool) {
    return Optional.ofNullable(snapshot.policies().pools().get(pool))
        .flatMap(PoolPolicy::reservationId);
  }

  Optional<GpuModel> gpu(String instanceType) {
    return Optional.ofNullable(gpus.get(instanceType));
  }
}
